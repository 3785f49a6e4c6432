/** Who calls, as far as the network tells: for rate limits and for naming sessions. */
export interface Caller {
  /** the network address */
  readonly address: string
  readonly userAgent: string
}
