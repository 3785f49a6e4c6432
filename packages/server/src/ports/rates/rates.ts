/** The value of one unit of a currency. */
export interface Rate {
  /** ISO 4217 code */
  readonly currency: string
  /** whole satoshis per unit, rounded half up, above 0 */
  readonly satsPerUnit: bigint
}

/** What one source says of the currency of prices. */
export interface RateQuote {
  /** the host that was asked, as the statements of draws name it */
  readonly source: string
  readonly satsPerUnit: bigint
}

/** The result of one reading. */
export interface RatesRead {
  /** at most one per currency; that of the currency of prices is the lower median of the quotes */
  readonly rates: readonly Rate[]
  /** the quotes that agree; at least two */
  readonly quotes: readonly RateQuote[]
}

/** A source of exchange rates. */
export interface Rates {
  /** Whether the rates never change: then their age means nothing and they are read once, at the start. */
  readonly isFixed: boolean
  /** the hosts of all sources that are asked: a draw that is opened names them (fairness section 9) */
  readonly sources: readonly string[]
  /** The rate of every currency the lottery shows. @throws if the source does not answer in time */
  read(): Promise<RatesRead>
}
