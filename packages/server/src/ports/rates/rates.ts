/** What one unit of a currency is worth. */
export interface Rate {
  /** ISO 4217 code */
  readonly currency: string
  /** whole satoshis per unit, rounded half up, above 0 */
  readonly satsPerUnit: bigint
}

/** A source of exchange rates. */
export interface Rates {
  /** Whether the rates never change: their age then means nothing and they are read once, at the start. */
  readonly isFixed: boolean
  /** The rate of every currency the lottery shows. @throws when the source does not answer in time */
  read(): Promise<readonly Rate[]>
}
