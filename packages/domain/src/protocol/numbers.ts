/**
 * The numbers of the draw protocol (docs/fairness.md, sections 2 to 13), each here alone: the operator makes draws by them,
 * pages show them, and verifier and witness judge by them.
 */

/** The largest pool: a line is a mask of 64 bits (section 2). */
export const MAX_POOL = 64
/** The lowest rate, in satoshis per whole unit of the price currency (section 2). */
export const LOWEST_RATE = 100
/** Rates are below this: a leaf holds one in 32 bits (section 13). */
export const RATE_LIMIT = 2 ** 32
/** The most satoshis a value may say: all there will ever be (section 13). */
export const MAX_SATS = 2_100_000_000_000_000n
/** The most bytes of a statement (section 4). */
export const STATEMENT_BYTES = 4096
/** The most bytes of `paid`, `code` and a promise (section 4). */
export const LONG_STATEMENT_BYTES = 65_535
/** The most bytes of a policy (section 3). */
export const POLICY_BYTES = 16_384
/** The most bytes of a signed note (section 13). */
export const NOTE_BYTES = 131_072
/** The most signature lines of a note (section 3). */
export const NOTE_SIGNATURES = 100
/** The hashes, or entries, of a full tile (section 3). */
export const TILE_WIDTH = 256
/** The leaves of a section: its root is one hash of a level-2 tile (section 6). */
export const SECTION_LEAVES = 65_536
/** Plays of a draw are fewer than this (section 13). */
export const PLAYS_LIMIT = 2 ** 40
/** The most lines of a play, whatever the rules allow (section 13). */
export const MAX_LINES_OF_PLAY = 1000
/** The most statements of a range (section 13). */
export const RANGE_STATEMENTS = 10_000

/** The shortest time between the close of sales and the start, in seconds (section 5). */
export const SHORTEST_CLOSING_SECONDS = 300
/** A close must be cosigned this long before its round is due, in seconds (section 7). */
export const SEALED_BEFORE_DUE_SECONDS = 60
/** A cosignature may be dated this long before the statement it is for, in seconds (section 7). */
export const COSIGNED_BEFORE_SECONDS = 60
/** A postponed draw starts at least this long after the decision, in seconds (section 7). */
export const POSTPONED_BY_SECONDS = 900
/** A draw may be postponed this often; the next failure makes it void (section 7). */
export const MAX_POSTPONEMENTS = 2
/** A draw waits this long after its start for its round, in seconds; then it is void (section 7). */
export const VOID_AFTER_SECONDS = 604_800
/** Changed rules are announced at least this long before the first draw they hold for, in seconds (section 4). */
export const RULES_NOTICE_SECONDS = 604_800
/** The start of a week, Monday 00:00 UTC, is this long after a multiple of a week since 1970, in seconds (section 5). */
export const MONDAY_OFFSET_SECONDS = 259_200
export const WEEK_SECONDS = 604_800
/** A batch is sold at least this often while there are new plays, in seconds (section 6). */
export const BATCH_SECONDS = 600
/** The oldest a quote may be at the close, in seconds (section 9). */
export const QUOTE_AGE_SECONDS = 900
/** Quotes of so many sources make a rate, and an `open` names at least so many (sections 5 and 9). */
export const FEWEST_QUOTES = 2
/** A rate further than this factor from the one sold at fails (section 9). */
export const RATE_FACTOR = 2
/** A leaf's rate lies within this factor of the close's (section 9). */
export const LEAF_RATE_FACTOR = 4
/** A bitcoin payment is in time when its block is dated this long before the close, in seconds (section 10). */
export const BLOCK_BEFORE_CLOSE_SECONDS = 7200
/** A Lightning invoice ends at least this long before the first close, in seconds (section 10). */
export const INVOICE_BEFORE_CLOSE_SECONDS = 60
/** After a change of keys the old one signs along for this long, in seconds (section 13). */
export const OLD_KEY_SECONDS = 90 * 86_400
/** `checkpoint` may be cached for this long, in seconds (section 3). */
export const CHECKPOINT_AGE_SECONDS = 5

/** The most of everything a bundle may hold (section 12). */
export const BUNDLE_LIMITS = {
  characters: 2 ** 28,
  depth: 16,
  statements: 1000,
  texts: 64,
  draws: 16,
  papers: 1000,
  pathHashes: 64,
} as const
