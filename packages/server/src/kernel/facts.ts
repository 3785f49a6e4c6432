import type { EndReason } from '@fairball/domain/order-status'
import type { Tx } from '../db/pool.ts'

/** The facts that one module reports to the others inside the transaction in which they became true, by kind. */
interface FactsByKind {
  /** Money became payable: it is owed, or its player got a verified address. */
  readonly 'money.payable': {
    /** null if it belongs to no single player */
    readonly playerId: bigint | null
  }
  /** Payouts left, or a search found nothing to pay. */
  readonly 'payouts.done': Record<never, never>
  readonly 'payout.sent': PayoutNews
  /** A payout over Lightning was given up; what it held is owed again. */
  readonly 'payout.returned': ReturnedNews
  /** The operator holds a player's payouts, and the player may know. */
  readonly 'payouts.held': HoldNews
  readonly 'order.changed': OrderNews
  /** A draw's sales closed, its last ball was shown, or it is void. */
  readonly 'draw.moved': DrawNews
  readonly 'lines.won': WinnerNews
  /** The rules of a player's game change for the worse, or it ends. */
  readonly 'game.changes': GameNews
  /** Free tickets of a game that has ended were paid out. */
  readonly 'free-tickets.paid': FreeTicketsNews
  /** A player proved to own the account's address. */
  readonly 'email.verified': { readonly playerId: bigint }
  /** A notice about a payout address was handed over, or permanently refused. */
  readonly 'address.notice-over': { readonly addressId: bigint }
  /** The same about a destination over Lightning. */
  readonly 'destination.notice-over': { readonly destinationId: bigint }
}
type FactKind = keyof FactsByKind
type Subscriber<K extends FactKind> = (tx: Tx, fact: FactsByKind[K]) => Promise<unknown>
/** The subscribers of each kind, in calling order. */
export type Subscriptions = { readonly [K in FactKind]: readonly Subscriber<K>[] }

/**
 * Carries facts between modules that do not know each other. Subscribers run one after another inside the transaction
 * that records the fact: they commit together, or not at all.
 */
export class Facts {
  readonly #subscribers = new Map<string, readonly Subscriber<never>[]>()

  /** Adds subscribers after the existing ones. */
  subscribe(subscriptions: Partial<Subscriptions>): void {
    for (const [kind, subscribers] of Object.entries<readonly Subscriber<never>[]>(subscriptions))
      this.#subscribers.set(kind, [...(this.#subscribers.get(kind) ?? []), ...subscribers])
  }

  /** @throws what a subscriber throws: the transaction rolls back */
  async record<K extends FactKind>(tx: Tx, kind: K, fact: FactsByKind[K]): Promise<void> {
    // `subscribe` takes no others
    const subscribers = this.#subscribers.get(kind) as readonly Subscriber<K>[] | undefined
    if (subscribers === undefined) throw new Error(`nobody subscribes to ${kind}`)
    for (const subscriber of subscribers) await subscriber(tx, fact)
  }
}

/** A payout that has left. */
export interface PayoutNews {
  readonly payoutId: bigint
  /** null for a partner's */
  readonly playerId: bigint | null
  /** where it was sent */
  readonly address: string
  /** what arrives, in sats */
  readonly sats: bigint
  readonly way:
    | { readonly kind: 'chain'; readonly txid: string }
    | { readonly kind: 'lightning'; readonly hash: string }
}

/** A payout that could not be made over Lightning for a day. */
export interface ReturnedNews {
  readonly playerId: bigint
  readonly destinationId: bigint
  /** the destination, as its player saved it */
  readonly address: string
  readonly sats: bigint
}

/** What a player is told of a hold of payouts. */
export interface HoldNews {
  readonly playerId: bigint
  readonly holdId: bigint
  /** epoch seconds */
  readonly until: number
}

/** A winner's report about one draw. */
export interface WinnerNews {
  readonly playerId: bigint
  readonly gameKey: string
  readonly drawId: bigint
  readonly drawNumber: number
  /** the numbers drawn, in their order */
  readonly numbers: readonly number[]
  /** when the rates of the draw's prizes were read, in epoch seconds */
  readonly ratesAt: number
  /** the player's best line: its play, its place in it from 1, and how many of its numbers were drawn */
  readonly bestLine: { readonly playId: string; readonly place: number; readonly matches: number }
  /** all money prizes of the player in this draw, in sats */
  readonly sats: bigint
  readonly freeTickets: number
  readonly isJackpot: boolean
}

/** A draw that has moved on; money is in sats, times are epoch seconds. */
export type DrawNews = {
  readonly drawId: bigint
  readonly gameKey: string
  readonly drawNumber: number
  readonly startAt: number
} & (
  | { readonly to: 'closed'; readonly entries: number; readonly stakeSats: bigint }
  | {
      /** its last ball has been shown */
      readonly to: 'drawn'
      /** in the order drawn */
      readonly numbers: readonly number[]
      readonly winningLines: number
      /** all money prizes together, the jackpot among them */
      readonly prizeSats: bigint
      /** 0 if nobody won it */
      readonly jackpotSats: bigint
    }
  | { readonly to: 'void'; readonly reason: 'beacon' | 'outage' }
)

/** An announced change of a game that a player has played of late. */
export interface GameNews {
  readonly playerId: bigint
  readonly gameKey: string
  readonly version: number
  /** the start from which draws have the new rules, or, if the game ends, from which there are none; epoch seconds */
  readonly fromAt: number
  /** what changes, a sentence each; null if the game ends */
  readonly changes: readonly string[] | null
  /** free tickets of the game that the player can still use */
  readonly freeTickets: number
}

/** Free tickets of a game that has ended, paid out. */
export interface FreeTicketsNews {
  readonly playerId: bigint
  readonly gameKey: string
  readonly tickets: number
  readonly sats: bigint
}

/** A report to a player about an order; money is in sats, times are epoch seconds. */
export type OrderNews = {
  readonly orderId: string
  readonly playerId: bigint
  readonly gameKey: string
  /** how often a payment of the order was reorganised away so far: earlier reports are then repeated */
  readonly timesReversed: number
} & (
  | {
      readonly kind: 'underpaid'
      readonly missingSats: bigint
      /** until when the missing part can be paid */
      readonly expiresAt: number
    }
  | { readonly kind: 'ended'; readonly because: EndReason | 'BLOCKED' }
  | {
      readonly kind: 'expired'
      /** a payment was seen, which may still count or be refunded */
      readonly isPaymentSeen: boolean
    }
  | {
      readonly kind: 'paid'
      readonly sats: bigint
      /** the money came after the invoice had expired, and still counts */
      readonly isLate: boolean
      readonly moves: readonly MovedEntries[]
    }
  | { readonly kind: 'moved'; readonly moves: readonly MovedEntries[]; readonly cause: 'paid-late' | 'draw-void' }
  | {
      /** more came than the order costs; the excess is refunded */
      readonly kind: 'excess'
      readonly sats: bigint
      /** names this money among the order's refunds */
      readonly subject: string
    }
  | {
      readonly kind: 'refunded'
      readonly sats: bigint
      readonly subject: string
      /** how much of the money stays: it paid for plays of closed draws whose payment the chain had undone */
      readonly keptSats: bigint
      readonly reason: RefundReason
    }
  | {
      /** the operator gives something back for an order that stands */
      readonly kind: 'goodwill'
      readonly sats: bigint
    }
  | {
      /** a draw is void, and its game has no draw left: what its lines cost goes back */
      readonly kind: 'returned'
      readonly drawNumber: number
      readonly sats: bigint
      /** free tickets that it played with */
      readonly freeCount: number
    }
  | {
      readonly kind: 'reversed'
      /** the amount that the chain undid */
      readonly sats: bigint
      /** whether entries left draws because of it; otherwise only money to be refunded was removed */
      readonly hasLeftDraws: boolean
    }
)

/**
 * Why money is refunded: too little came, it came too late to be used, its order was refunded before, or its game has
 * played its last draw.
 */
export type RefundReason = 'too-little' | 'too-late' | 'refunded-before' | 'no-draw-left'

/** The entries of an order in one draw that joined a later one. */
export interface MovedEntries {
  /** the number of the draw the order named */
  readonly from: number
  /** the number of the draw they are in now */
  readonly to: number
  /** when that one starts, in epoch seconds */
  readonly toStartAt: number
}
