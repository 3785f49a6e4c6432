/**
 * Tolerance of a clock against proven times and against the database's clock, in seconds. Two clocks within it differ
 * by at most a minute, which is the time between the last moment of a close and its round (fairness section 7).
 */
export const CLOCK_TOLERANCE_SECONDS = 30
