/** The message with which a page asks the worker to leave. */
export const LEAVE = 'leave'
