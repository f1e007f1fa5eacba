/** The shells that a completion script exists for; `completions/` has each one's as `pixgate.<shell>`. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]
