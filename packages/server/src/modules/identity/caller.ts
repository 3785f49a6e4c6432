/** The caller, as far as the network shows: for rate limits and for naming sessions. */
export interface Caller {
  /** the network address */
  readonly address: string
  readonly userAgent: string
  /** the device token of its browser; null for none */
  readonly device: string | null
  /** Gives the browser a new device token, if the call succeeds. */
  keepDevice(token: string): void
}
