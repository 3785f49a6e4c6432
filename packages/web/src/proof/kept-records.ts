/** The records that a browser keeps of the draw protocol (docs/fairness.md, sections 10 and 11), as plain data. */

/** An operator's log, with its keys as this browser has proven them. */
export interface KeptLog {
  /** `<operator>/fairball` */
  readonly origin: string
  /** hex, in the order of the log; the first one is trusted because it was seen first */
  readonly keys: readonly string[]
  /** When it was first seen, epoch seconds. */
  readonly seenAt: number
  /** The witnesses that this browser's player trusts, as a C2SP tlog-policy; null if none were named. */
  readonly policy: string | null
}

/** The head of a log, signed by its key. Two of the same size with different roots are two logs under one name. */
export interface KeptHead {
  /** `<origin> <size> <root>` */
  readonly id: string
  readonly origin: string
  readonly size: number
  /** hex */
  readonly root: string
  /** the signed note */
  readonly note: string
  readonly seenAt: number
}

/** An order as this browser made it: kept before the request leaves. */
export interface KeptOrder {
  /** The idempotency key of its request. */
  readonly attempt: string
  readonly player: string
  /** 32 bytes, hex */
  readonly secret: string
  readonly madeAt: number
  readonly game: string
  /** In the order of the request, numbers ascending. */
  readonly lines: readonly (readonly number[])[]
  /** Weekdays, 1 to 7. */
  readonly days: readonly number[]
  readonly weeks: number
  /** Number of the game's draw that was on sale first. */
  readonly firstDraw: number
  /** Number of entries to be paid with free tickets. */
  readonly free: number
  /** Price of a line by currency, in hundredths of the currency's unit. */
  readonly price: Readonly<Record<string, number>>
  /** The same by the number of a draw, of draws that have a price of their own. Missing in orders kept before. */
  readonly drawPrices?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The payout address; empty if there was none. */
  readonly payto: string
  /** From the operator's answer; null before it. */
  readonly transactionId: string | null
  /** The signed note of the first answer; null before it. */
  readonly promise: string | null
}

/** A promise or receipt of a player, as first seen. */
export interface KeptPaper {
  /** Hash of its text, hex. */
  readonly hash: string
  readonly type: 'promise' | 'receipt'
  /** The signed note. */
  readonly note: string
  /** For a receipt, the play's id in the API; null for a promise. */
  readonly playId: string | null
  readonly player: string
  /** The name at the time of the purchase. */
  readonly username: string
  /** The order's id in its papers. */
  readonly order: string
  /** The named draws, as hashes of their `open`. */
  readonly opens: readonly string[]
  /** For a receipt, the play's id in the protocol, hex; null for a promise. */
  readonly play: string | null
  /** The order's secret, hex. */
  readonly secret: string
  /** The order's lines as the promise commits to them; null if unknown. */
  readonly lines: string | null
  /** For a receipt, the path to the root that it names. */
  readonly path: readonly string[]
  readonly seenAt: number
}

/** The outcome of checking a player's plays against a seal. `waiting`: it was seen, and the check is not over. */
type SealOutcome = 'waiting' | 'sealed' | 'broken' | 'unchecked'

/** The seal of a draw that a player is in, as this browser first saw it. */
export interface KeptSeal {
  /** `<close> <player>` */
  readonly id: string
  /** Hash of the close. */
  readonly close: string
  /** Hash of the draw's `open`. */
  readonly open: string
  readonly game: string
  readonly draw: number
  /** The file as it was served: a checkpoint and its range of statements. */
  readonly seal: string
  /** When this browser first saw it, epoch seconds, by the later one of the device's clock and the server's. */
  readonly seenAt: number
  /** When the close says it was logged. */
  readonly closedAt: number
  /** The planned start of the draw at that time. */
  readonly startAt: number
  readonly player: string
  /** Number of the player's lines in the check. */
  readonly lines: number
  readonly outcome: SealOutcome
  /** The fault, or the reason why there is no verdict, in plain words; null if everything is in order. */
  readonly problem: string | null
  /** Evidence as the text of a file; null without one. */
  readonly evidence: string | null
}
