/** Who calls, as far as the network tells: for rate limits and for naming sessions. */
export interface Caller {
  /** the network address */
  readonly address: string
  readonly userAgent: string
  /** the device token its browser has; null where it has none */
  readonly device: string | null
  /** Gives the browser a device token in place of the one it has, if the call succeeds. */
  keepDevice(token: string): void
}
