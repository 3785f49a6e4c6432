/** The value of one unit of a currency. */
export interface Rate {
  /** ISO 4217 code */
  readonly currency: string
  /** whole satoshis per unit, rounded half up, above 0 */
  readonly satsPerUnit: bigint
}

/** What one source says of one unit of a currency. */
export interface RateQuote {
  /** the host that was asked, as the statements of draws name it */
  readonly source: string
  /** ISO 4217 code */
  readonly currency: string
  readonly satsPerUnit: bigint
}

/** The result of one reading. */
export interface RatesRead {
  /** at most one per currency: the lower median of its quotes, or a view crossed over the dollar where it has none */
  readonly rates: readonly Rate[]
  /** the quotes that agree: of each currency none, or at least two from different sources */
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
