/**
 * The numbers of the protocol (docs/fairness.md), each here alone: the operator makes draws by them, pages show them, and
 * verifier and witness judge by them. The verifier in Python has its own, and a test holds all three against each other.
 */

/** The largest pool there is: a line is a mask of 64 bits (fairness section 2). */
export const LARGEST_POOL = 64
/** The shortest time between the close of sales and the start, in seconds (fairness section 5). */
export const SHORTEST_CLOSING_SECONDS = 300
/** A close must be committed, and signed by its witnesses, this long before its round is due (fairness sections 5 and 7). */
export const CLOSE_BEFORE_ROUND_SECONDS = 60
/** A witness's date further than this before the close's own time does not count (fairness section 5). */
export const WITNESS_AHEAD_SECONDS = 60
/** A draw waits this long after its start for its round; then it is void (fairness section 9). */
export const VOID_AFTER_SECONDS = 7 * 86_400
/** A postponed draw starts at least this long after the decision (fairness section 9). */
export const POSTPONED_BY_SECONDS = 900
/** A draw may be postponed this often; the next failure makes it void (fairness section 9). */
export const MAX_POSTPONEMENTS = 2
/**
 * A clock further than this from what is proven, or from the database's, is wrong (fairness section 9): two processes, one
 * wrong each way, are a minute apart at most, which is what lies between the last moment of a close and its round.
 */
export const CLOCK_TOLERANCE_SECONDS = 30
