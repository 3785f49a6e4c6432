/** What a draw says of a tier after its settlement: `draws.tiers`, from the top. */
export interface StoredTier {
  readonly matches: number
  readonly kind: 'jackpot' | 'fixed' | 'free'
  readonly winners: number
  /** sats per winner; 0 for a free ticket and for a jackpot that was not won */
  readonly satsEach: number | string
}

/** A charity as a draw keeps it from its settlement on: `draws.partners`. */
export interface StoredPartner {
  readonly name: string
  readonly url: string
}
