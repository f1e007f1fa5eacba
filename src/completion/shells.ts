/** The shells that a completion script exists for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/** The files in the folder `completions` of the package, named as the shells look for them. */
export const SCRIPT_FILES: Readonly<Record<Shell, string>> = {
  bash: 'pixgate.bash',
  zsh: '_pixgate',
  fish: 'pixgate.fish',
  powershell: 'pixgate.ps1',
}
