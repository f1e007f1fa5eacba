/** The timeline's file in the folder of what this machine remembers. */
export const TIMELINE_FILE = 'timeline.log'
