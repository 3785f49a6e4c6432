/**
 * A clock further than this from what is proven, or from the database's, is wrong, in seconds: two processes, one wrong each
 * way, are a minute apart at most, which is what lies between the last moment of a close and its round (fairness section 7).
 */
export const CLOCK_TOLERANCE_SECONDS = 30
