/** The option that shows people's data of payments. */
export const UNMASK_OPTION = {
  flags: '--unmask',
  description: 'show keys and tax documents of people unmasked',
} as const

/** The same option where nothing is masked, so that it may be typed there, too. */
export const UNMASK_ACCEPTED = {
  ...UNMASK_OPTION,
  description: 'accepted as in lists; nothing is masked here',
} as const
