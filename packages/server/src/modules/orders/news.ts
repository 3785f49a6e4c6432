/** What a player is told about an order; money is in sats, times are epoch seconds. */
export type OrderNews = {
  readonly orderId: string
  readonly playerId: bigint
  readonly gameKey: string
  /** how often a payment of the order was reorganised away so far: what was told before is told again then */
  readonly timesReversed: number
} & (
  | {
      readonly kind: 'underpaid'
      readonly missingSats: bigint
      /** until when the missing part can be paid */
      readonly expiresAt: number
    }
  | { readonly kind: 'expired' }
  | {
      readonly kind: 'paid'
      readonly sats: bigint
      /** the money came after the invoice had expired, and counts all the same */
      readonly isLate: boolean
      readonly moves: readonly MovedEntries[]
    }
  | { readonly kind: 'moved'; readonly moves: readonly MovedEntries[]; readonly cause: 'paid-late' | 'draw-void' }
  | {
      /** more came than the order costs, and goes back */
      readonly kind: 'excess'
      readonly sats: bigint
      /** names this money among what the order was given back */
      readonly subject: string
    }
  | {
      readonly kind: 'refunded'
      readonly sats: bigint
      readonly subject: string
      /** what of the money stays: it paid for plays of closed draws whose payment the chain had taken back */
      readonly keptSats: bigint
      readonly reason: RefundReason
    }
  | {
      readonly kind: 'reversed'
      /** what the chain took back */
      readonly sats: bigint
      /** whether entries left draws because of it; otherwise only what was to be given back went */
      readonly hasLeftDraws: boolean
    }
)

/** Why money is refunded: too little came, it came too late to be used, or its order was refunded before. */
export type RefundReason = 'too-little' | 'too-late' | 'refunded-before'

/** The entries of an order in one draw that joined a later one. */
export interface MovedEntries {
  /** the number of the draw the order named */
  readonly from: number
  /** the number of the draw they are in now */
  readonly to: number
  /** when that one starts, in epoch seconds */
  readonly toStartAt: number
}
