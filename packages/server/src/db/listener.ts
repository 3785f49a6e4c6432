import type pg from 'pg'
import type { Runtime } from '../runtime/runtime.ts'
import { DatabaseUnavailable, translateError } from './database-errors.ts'
import { sql, t } from './sql.ts'

export const notifyStatement = sql({
  name: 'database.notify',
  text: 'select pg_notify($1, $2)',
  params: [t.text, t.text],
})

/** Ends one listening. */
export type Unlisten = () => Promise<void>

interface Subscription {
  channel: string
  handler: (payload: string) => void
  onGap: () => void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** A connection that died silently (a pulled cable) is only noticed by a query. */
const HEARTBEAT_MS = 30_000
const CHANNEL = /^[a-z][a-z0-9_]{0,62}$/

/**
 * One connection for all channels, made at the first `listen` and restored whenever it is lost; listeners are then told
 * of the gap.
 */
export class Listener {
  readonly #runtime: Pick<Runtime, 'monotonic' | 'log'>
  readonly #connect: () => Promise<pg.Client>
  readonly #subscriptions = new Set<Subscription>()
  readonly #stop = new AbortController()
  #client: pg.Client | null = null
  #opening: Promise<pg.Client> | null = null
  #restoring: Promise<void> | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: { runtime: Pick<Runtime, 'monotonic' | 'log'>; connect: () => Promise<pg.Client> }) {
    this.#runtime = options.runtime
    this.#connect = options.connect
  }

  /**
   * Calls `handler` with the payload of each notification from now on.
   *
   * @param channel a name that needs no quotes in SQL
   * @param onGap called after a time in which notifications may have been missed
   * @throws DatabaseUnavailable
   */
  async listen(
    channel: string,
    handler: (payload: string) => void,
    onGap: () => void = () => undefined,
  ): Promise<Unlisten> {
    if (!CHANNEL.test(channel)) throw new Error(`not a name of a channel: ${channel}`)
    if (this.#stop.signal.aborted) throw new DatabaseUnavailable('the database is closed')
    const subscription = { channel, handler, onGap }
    this.#subscriptions.add(subscription)
    try {
      const connected = this.#client ?? (await this.#openOnce())
      await this.#inTurn(() => connected.query(`listen ${channel}`))
    } catch (error) {
      this.#subscriptions.delete(subscription)
      throw translateError(error)
    }
    return () => this.#unlisten(subscription)
  }

  async close(): Promise<void> {
    this.#stop.abort(new DatabaseUnavailable('the database is closed'))
    this.#subscriptions.clear()
    await this.#opening?.catch(() => undefined)
    await this.#restoring
    const open = this.#client
    this.#client = null
    await open?.end().catch(() => undefined) // it may be broken already
  }

  async #unlisten(subscription: Subscription): Promise<void> {
    const { channel } = subscription
    this.#subscriptions.delete(subscription)
    const isLast = ![...this.#subscriptions].some((other) => other.channel === channel)
    const connected = this.#client
    if (!isLast || connected === null) return
    await this.#inTurn(() => connected.query(`unlisten ${channel}`)).catch(() => undefined) // lost: not heard anyway
  }

  #openOnce(): Promise<pg.Client> {
    this.#opening ??= this.#open().finally(() => (this.#opening = null))
    return this.#opening
  }

  async #open(): Promise<pg.Client> {
    const fresh = await this.#connect()
    fresh.on('error', () => this.#onLost(fresh))
    fresh.on('end', () => this.#onLost(fresh))
    fresh.on('notification', ({ channel, payload }) => this.#deliver(channel, payload ?? ''))
    try {
      for (const channel of new Set([...this.#subscriptions].map((one) => one.channel)))
        await fresh.query(`listen ${channel}`)
    } catch (error) {
      await fresh.end().catch(() => undefined) // the first error is more useful
      throw error
    }
    this.#client = fresh
    void this.#beat(fresh)
    return fresh
  }

  #onLost(lost: pg.Client): void {
    if (this.#client !== lost) return
    this.#client = null
    if (this.#stop.signal.aborted) return
    this.#runtime.log.warn('the connection that listens to the database was lost')
    this.#restoring ??= this.#restore().finally(() => (this.#restoring = null))
  }

  async #restore(): Promise<void> {
    const { monotonic, log } = this.#runtime
    const { signal } = this.#stop
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await monotonic.sleep(pauseMs, signal)
        if (this.#client === null) await this.#openOnce() // a new listener may have opened it meanwhile
        for (const { onGap } of this.#subscriptions) this.#guarded(onGap)
        return
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, 'the database is still away')
      }
    }
  }

  /** Sends a query now and then while the connection is in use. */
  async #beat(own: pg.Client): Promise<void> {
    while (this.#client === own) {
      try {
        await this.#runtime.monotonic.sleep(HEARTBEAT_MS, this.#stop.signal)
        if (this.#client === own) await this.#inTurn(() => own.query('select 1'))
      } catch {
        // 'end' follows, and restores
        if (this.#client === own && !this.#stop.signal.aborted) own.connection.stream.destroy()
        return
      }
    }
  }

  /** The driver takes one statement at a time. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#turn.then(ask)
    this.#turn = answer.catch(() => undefined)
    return answer
  }

  #deliver(channel: string, payload: string): void {
    for (const one of this.#subscriptions) if (one.channel === channel) this.#guarded(() => one.handler(payload))
  }

  /** A handler's failure is its own: the connection and the other handlers continue. */
  #guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#runtime.log.error({ err: error }, 'a handler of a notification failed')
    }
  }
}
