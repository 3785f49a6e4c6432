/** The word with which a page asks the worker to go. */
export const LEAVE = 'leave'
