/** What a browser keeps of the draw protocol (docs/fairness.md, sections 10 and 11), one record each. All of it is plain data. */

/** An operator's log, with its keys as this browser has proven them. */
export interface KeptLog {
  /** `<operator>/fairball` */
  readonly origin: string
  /** hex, in the order of the log; the first one is trusted because it was seen first */
  readonly keys: readonly string[]
  /** When it was first seen, epoch seconds. */
  readonly seenAt: number
  /** The witnesses whose word this browser's player takes, as a C2SP tlog-policy; null where nobody was named. */
  readonly policy: string | null
}

/** The head of a log, signed by its key. Two of one size with unlike roots are two logs under one name. */
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
  /** In the order of the request, numbers rising. */
  readonly lines: readonly (readonly number[])[]
  /** Weekdays, 1 to 7. */
  readonly days: readonly number[]
  readonly weeks: number
  /** Number of the game's draw that was on sale first. */
  readonly firstDraw: number
  /** How many entries free tickets were to pay for. */
  readonly free: number
  /** Of a line by currency, in hundredths of the currency's unit. */
  readonly price: Readonly<Record<string, number>>
  /** The payout address; empty where there was none. */
  readonly payto: string
  /** Of the operator's answer; null before it. */
  readonly transactionId: string | null
  /** The signed note of the first answer; null before it. */
  readonly promise: string | null
}

/** A promise or receipt that was given to a player, at first sight. */
export interface KeptPaper {
  /** Of its text, hex. */
  readonly hash: string
  readonly type: 'promise' | 'receipt'
  /** The signed note. */
  readonly note: string
  /** Of a receipt: the play as the API names it; null for a promise. */
  readonly playId: string | null
  readonly player: string
  /** As it was at the purchase. */
  readonly username: string
  /** The order's name in its papers. */
  readonly order: string
  /** The draws it names, as hashes of their `open`. */
  readonly opens: readonly string[]
  /** Of a receipt: the play's id in the protocol, hex; null for a promise. */
  readonly play: string | null
  /** The order's secret, hex. */
  readonly secret: string
  /** The order's lines as the promise commits to them; null where they are not known. */
  readonly lines: string | null
  /** Of a receipt, to the root that it names. */
  readonly path: readonly string[]
  readonly seenAt: number
}

/** How the check of a player's plays against a seal ended. `waiting`: it was seen, and the check goes on. */
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
  /** When the draw was to start then. */
  readonly startAt: number
  readonly player: string
  /** How many of the player's lines were looked for. */
  readonly lines: number
  readonly outcome: SealOutcome
  /** What is wrong, or why it could not be told, in plain words; null where all is well. */
  readonly problem: string | null
  /** Evidence as the text of a file; null without one. */
  readonly evidence: string | null
}
