/**
 * The numbers of the draw protocol (docs/fairness.md, sections 2 to 13), defined only here: operator, pages, verifier
 * and witness share them.
 */

/** The version of the protocol: its statements and files name it as `v2`. */
export const PROTOCOL_VERSION = 2
/** The largest pool: a line is a mask of 64 bits (section 2). */
export const MAX_POOL = 64
/** The lowest rate, in satoshis per whole unit of the price currency (section 2). */
export const LOWEST_RATE = 100
/** Rates are below this: a leaf holds one in 32 bits (section 13). */
export const RATE_LIMIT = 2 ** 32
/** The largest amount in satoshis: all that will ever exist (section 13). */
export const MAX_SATS = 2_100_000_000_000_000n
/** The maximum length of a statement, in bytes (section 4). */
export const STATEMENT_BYTES = 4096
/** The maximum length of `paid`, `code` and a promise, in bytes (section 4). */
export const LONG_STATEMENT_BYTES = 65_535
/** The maximum length of a policy, in bytes (section 3). */
export const POLICY_BYTES = 16_384
/** The maximum length of a signed note, in bytes (section 13). */
export const NOTE_BYTES = 131_072
/** The maximum number of signature lines of a note (section 3). */
export const NOTE_SIGNATURES = 100
/** The hashes, or entries, of a full tile (section 3). */
export const TILE_WIDTH = 256
/** The leaves of a section: its root is one hash of a level-2 tile (section 6). */
export const SECTION_LEAVES = 65_536
/** The plays of a file of plays: sixteen full files of entries (section 3). */
export const PLAYS_FILE_LEAVES = 4096
/** A draw has fewer plays than this (section 13). */
export const PLAYS_LIMIT = 2 ** 40
/** The maximum number of lines of a play, even if the rules allow more (section 13). */
export const MAX_LINES_OF_PLAY = 1000
/** The maximum number of statements of a range (section 13). */
export const RANGE_STATEMENTS = 10_000

/** The shortest time between the close of sales and the start, in seconds (section 5). */
export const SHORTEST_CLOSING_SECONDS = 300
/** Minimum time from the cosignatures of a close to its round, in seconds (section 7). */
export const SEALED_BEFORE_DUE_SECONDS = 60
/** Maximum time by which a cosignature may be dated before its statement, in seconds (section 7). */
export const COSIGNED_BEFORE_SECONDS = 60
/** Minimum time from the decision to postpone a draw to its new start, in seconds (section 7). */
export const POSTPONED_BY_SECONDS = 900
/** Number of postponements of a draw; the next failure makes it void (section 7). */
export const MAX_POSTPONEMENTS = 2
/** Time after its start that a draw waits for its round, in seconds; then it is void (section 7). */
export const VOID_AFTER_SECONDS = 604_800
/** Minimum time from the announcement of changed rules to the first draw they apply to, in seconds (section 4). */
export const RULES_NOTICE_SECONDS = 604_800
/** Offset of Monday 00:00 UTC, the start of a week, from a multiple of a week since 1970, in seconds (section 5). */
export const MONDAY_OFFSET_SECONDS = 259_200
export const WEEK_SECONDS = 604_800
/** Maximum interval between batches while there are new plays, in seconds (section 6). */
export const BATCH_SECONDS = 600
/** Maximum age of a quote at the close, in seconds (section 9). */
export const QUOTE_AGE_SECONDS = 900
/** Minimum number of sources, in an `open` and for a rate (sections 5 and 9). */
export const FEWEST_QUOTES = 2
/** A rate that differs from the rate of sale by more than this factor fails (section 9). */
export const RATE_FACTOR = 2
/** A leaf's rate is within this factor of the close's (section 9). */
export const LEAF_RATE_FACTOR = 4
/** Minimum time from a bitcoin payment's block to the close for the payment to be in time, in seconds (section 10). */
export const BLOCK_BEFORE_CLOSE_SECONDS = 7200
/** Minimum time from the expiry of a Lightning invoice to the first close, in seconds (section 10). */
export const INVOICE_BEFORE_CLOSE_SECONDS = 60
/** Time for which the old key signs as well after a change of keys, in seconds (section 13). */
export const OLD_KEY_SECONDS = 90 * 86_400
/** Maximum time for which `checkpoint` may be cached, in seconds (section 3). */
export const CHECKPOINT_AGE_SECONDS = 5

/** The limits of a bundle (section 12). */
export const BUNDLE_LIMITS = {
  characters: 2 ** 28,
  depth: 16,
  statements: 1000,
  texts: 64,
  draws: 16,
  papers: 1000,
  pathHashes: 64,
} as const
