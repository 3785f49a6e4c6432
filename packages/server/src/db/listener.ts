import type pg from 'pg'
import type { Runtime } from '../runtime/runtime.ts'
import { DatabaseUnavailable, translateError } from './database-errors.ts'

/** Ends one listening. */
export type Unlisten = () => Promise<void>

/** Hears notifications of the database. */
export interface Listener {
  listen(channel: string, handler: (payload: string) => void, onGap?: () => void): Promise<Unlisten>
  close(): Promise<void>
}

interface Subscription {
  channel: string
  handler: (payload: string) => void
  onGap: () => void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** A connection that died without a word (a pulled cable) shows when it is asked something. */
const HEARTBEAT_MS = 30_000
const CHANNEL = /^[a-z][a-z0-9_]{0,62}$/

/**
 * One connection for all channels, made at the first `listen` and made again whenever it is lost; whoever listens is
 * then told of the gap.
 */
export function createListener(options: {
  runtime: Pick<Runtime, 'steady' | 'log'>
  newClient: () => pg.Client
}): Listener {
  const { steady, log } = options.runtime
  const subscriptions = new Set<Subscription>()
  const stop = new AbortController()
  let client: pg.Client | null = null
  let opening: Promise<pg.Client> | null = null
  let restoring: Promise<void> | null = null
  let turn: Promise<unknown> = Promise.resolve()

  return { listen, close }

  async function listen(
    channel: string,
    handler: (payload: string) => void,
    onGap: () => void = () => undefined,
  ): Promise<Unlisten> {
    if (!CHANNEL.test(channel)) throw new Error(`not a name of a channel: ${channel}`)
    if (stop.signal.aborted) throw new DatabaseUnavailable('the database is closed')
    const subscription = { channel, handler, onGap }
    subscriptions.add(subscription)
    try {
      const connected = client ?? (await openOnce())
      await inTurn(() => connected.query(`listen ${channel}`))
    } catch (error) {
      subscriptions.delete(subscription)
      throw translateError(error)
    }
    return async () => {
      subscriptions.delete(subscription)
      const isLast = ![...subscriptions].some((other) => other.channel === channel)
      const connected = client
      if (!isLast || connected === null) return
      await inTurn(() => connected.query(`unlisten ${channel}`)).catch(() => undefined) // lost: not heard anyway
    }
  }

  async function close(): Promise<void> {
    stop.abort(new DatabaseUnavailable('the database is closed'))
    subscriptions.clear()
    await opening?.catch(() => undefined)
    await restoring
    const open = client
    client = null
    await open?.end().catch(() => undefined) // it may be broken already
  }

  function openOnce(): Promise<pg.Client> {
    opening ??= open().finally(() => (opening = null))
    return opening
  }

  async function open(): Promise<pg.Client> {
    const fresh = options.newClient()
    const lost = (): void => {
      if (client !== fresh) return
      client = null
      if (stop.signal.aborted) return
      log.warn('the connection that listens to the database was lost')
      restoring ??= restore().finally(() => (restoring = null))
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', ({ channel, payload }) => deliver(channel, payload ?? ''))
    try {
      await fresh.connect()
      for (const channel of new Set([...subscriptions].map((one) => one.channel)))
        await fresh.query(`listen ${channel}`)
    } catch (error) {
      await fresh.end().catch(() => undefined) // the first error tells more
      throw error
    }
    client = fresh
    void beat(fresh)
    return fresh
  }

  async function restore(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await steady.sleep(pauseMs, stop.signal)
        await openOnce()
        for (const { onGap } of subscriptions) guarded(onGap)
        return
      } catch (error) {
        if (!stop.signal.aborted) log.debug({ err: error }, 'the database is still away')
      }
    }
  }

  /** Asks something now and then for as long as the connection is the one in use. */
  async function beat(own: pg.Client): Promise<void> {
    while (client === own) {
      try {
        await steady.sleep(HEARTBEAT_MS, stop.signal)
        if (client === own) await inTurn(() => own.query('select 1'))
      } catch {
        if (client === own && !stop.signal.aborted) own.connection.stream.destroy() // 'end' follows, and restores
        return
      }
    }
  }

  /** The driver takes one statement at a time. */
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = turn.then(ask)
    turn = answer.catch(() => undefined)
    return answer
  }

  function deliver(channel: string, payload: string): void {
    for (const one of subscriptions) if (one.channel === channel) guarded(() => one.handler(payload))
  }

  /** A handler's failure is its own: the connection and the other handlers go on. */
  function guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      log.error({ err: error }, 'a handler of a notification failed')
    }
  }
}
