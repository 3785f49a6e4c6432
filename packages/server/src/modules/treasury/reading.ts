import type { Db } from '../../db/pool.ts'
import type { Holding } from '../../ports/payment-provider/payment-provider.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'

/** A wallet that has not answered by then is shown as it was read last. */
export const READ_TIMEOUT_MS = 5_000

/** Who can say what is held: the payment provider, the wallet payouts leave from, or the demo's chain. */
export interface WalletSource {
  /** under which its readings are kept */
  readonly name: string
  /** What it holds now, each wallet once. */
  read(): Promise<readonly Holding[]>
}

/** What a wallet held, and when. */
export interface Reading {
  readonly wallet: string
  readonly sats: bigint
  /** epoch seconds */
  readonly readAt: number
}

/** What the wallets hold, as far as anybody knows. */
export interface Assets {
  /** by wallet; a wallet that was never read is missing */
  readonly readings: readonly Reading[]
  readonly heldSats: bigint
  /** epoch seconds of the oldest reading among them; null where there is none */
  readonly readAt: number | null
  /** whether every wallet answered just now */
  readonly isFresh: boolean
}

/**
 * Reads wallets, and remembers what they held for the time when they do not answer.
 *
 * @param deps.keepsReadings false for sources of this very database, which answer whenever it does
 */
export function createReading(deps: {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'steady' | 'log'>
  readonly sources: readonly WalletSource[]
  readonly keepsReadings: boolean
}) {
  const { db, runtime, sources, keepsReadings } = deps

  async function readSource(source: WalletSource): Promise<{ readings: Reading[]; isFresh: boolean }> {
    const readAt = runtime.clock.now()
    if (!keepsReadings) return { readings: readingsOf(await source.read(), readAt), isFresh: true }
    const holdings = await inTime(source).catch((error: unknown) => {
      runtime.log.warn({ source: source.name, err: error }, 'a wallet does not say what it holds')
      return null
    })
    if (holdings === null) {
      const stored = await db.run(queries.findReadings, [source.name])
      return {
        readings: stored.map(({ wallet, sats, read_at }) => ({ wallet, sats, readAt: read_at })),
        isFresh: false,
      }
    }
    const wallets = holdings.map((holding) => holding.name)
    const sats = holdings.map((holding) => holding.sats)
    await db.run(queries.storeReadings, [source.name, wallets, sats, readAt])
    await db.run(queries.forgetReadings, [source.name, wallets])
    return { readings: readingsOf(holdings, readAt), isFresh: true }
  }

  async function inTime(source: WalletSource): Promise<readonly Holding[]> {
    const done = new AbortController()
    const limit = runtime.steady.sleep(READ_TIMEOUT_MS, done.signal).then(
      () => Promise.reject(new Error(`no answer within ${READ_TIMEOUT_MS} ms`)),
      () => new Promise<never>(() => undefined), // the answer came first
    )
    try {
      return await Promise.race([source.read(), limit])
    } finally {
      done.abort()
    }
  }

  return {
    /** Reads all wallets now. One that does not answer is as it was read last. Throws only what the database throws. */
    async read(): Promise<Assets> {
      const answers = await Promise.all(sources.map(readSource))
      const readings = answers.flatMap((answer) => answer.readings)
      const readAt = readings.reduce<number | null>(
        (oldest, reading) => (oldest === null || reading.readAt < oldest ? reading.readAt : oldest),
        null,
      )
      const heldSats = readings.reduce((sum, reading) => sum + reading.sats, 0n)
      return { readings, heldSats, readAt, isFresh: answers.every((answer) => answer.isFresh) }
    },
  }
}

function readingsOf(holdings: readonly Holding[], readAt: number): Reading[] {
  return holdings.map(({ name, sats }) => ({ wallet: name, sats, readAt }))
}
