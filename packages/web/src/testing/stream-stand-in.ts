/** A stream whose events a test sends. */
export class StreamStandIn {
  isClosed = false
  readonly #listeners: { name: string; call: (event: { data: string }) => void }[] = []

  addEventListener(name: string, call: (event: { data: string }) => void): void {
    this.#listeners.push({ name, call })
  }

  close(): void {
    this.isClosed = true
  }

  /** Sends an event with data as the server writes it. */
  send(name: string, data: unknown): void {
    this.sendText(name, JSON.stringify(data))
  }

  sendText(name: string, data: string): void {
    if (this.isClosed) return
    for (const listener of this.#listeners) if (listener.name === name) listener.call({ data })
  }

  /** An event of the connection itself: `open` or `error`. */
  tell(name: 'open' | 'error'): void {
    this.sendText(name, '')
  }

  asEventSource(): EventSource {
    // Only these parts of it are used.
    return this as unknown as EventSource
  }
}
