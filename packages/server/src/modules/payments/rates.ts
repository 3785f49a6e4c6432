import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES } from '@fairball/domain/fiat'
import type { Db, Queries } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Rates } from '../../ports/rates/rates.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { findRatesAt, insertRates } from './queries.ts'

/** A live source is read this often. */
export const RATE_SECONDS = 300
/** Nothing is sold at a rate older than this (decisions section 5). */
export const OLDEST_RATE_SECONDS = 15 * 60

/** A rate, and when it was read. */
export interface StoredRate {
  /** whole sats per unit of the currency */
  readonly satsPerUnit: bigint
  /** epoch seconds */
  readonly at: number
}

/**
 * The newest rate of every currency the lottery shows, as it was at `at` (epoch seconds), in whole sats per unit. A
 * currency whose rate was never read is missing.
 */
export async function currentRates(db: Queries, at: number): Promise<Map<string, bigint>> {
  return (await ratesAt(db, [at])).get(at) ?? new Map<string, bigint>()
}

/** Like `currentRates`, for several moments at once. */
export async function ratesAt(db: Queries, moments: readonly number[]): Promise<Map<number, Map<string, bigint>>> {
  const found = new Map(moments.map((at) => [at, new Map<string, bigint>()]))
  const rows = await db.run(findRatesAt, [[...found.keys()], CURRENCIES.map((currency) => currency.code)])
  for (const row of rows) found.get(row.asked_at)?.set(row.currency, row.sats_per_unit)
  return found
}

/** The newest stored rate of one currency, however old; null when none was ever read. */
export async function newestRate(db: Queries, currency: string, now: number): Promise<StoredRate | null> {
  const [row] = await db.run(findRatesAt, [[now], [currency]])
  return row === undefined ? null : { satsPerUnit: row.sats_per_unit, at: row.at }
}

export type RateBook = ReturnType<typeof createRateBook>

/** Reads rates from their source, keeps them, and says whether they are new enough to sell at. */
export function createRateBook(deps: { db: Db; runtime: Runtime; jobs: Jobs; source: Rates }) {
  const { db, runtime, jobs, source } = deps

  /** Reads every rate once and stores it. @throws when the source does not answer */
  async function read(): Promise<void> {
    const rates = await source.read()
    const currencies = rates.map((rate) => rate.currency)
    const satsPerUnit = rates.map((rate) => rate.satsPerUnit)
    await db.run(insertRates, [runtime.clock.now(), currencies, satsPerUnit])
  }

  return {
    read,

    /**
     * At the start of the program: rates are there when it returns, and a live source is read on from now. A source
     * that does not answer is no reason not to start: sales wait for it.
     */
    async start(): Promise<void> {
      await read().catch((error: unknown) => {
        if (source.isFixed) throw error
        runtime.log.warn({ err: error }, 'the rates could not be read')
      })
      if (!source.isFixed) await db.transaction((tx) => addNextRead(tx))
    },

    /**
     * The newest rate of a currency, to sell at, in whole sats per unit.
     *
     * @throws LotteryError RATE_UNAVAILABLE when there is none, or a live one is older than 15 minutes. Fixed rates have
     *   no age: the demo's clock may jump over any number of days.
     */
    async requireFreshRate(db: Queries, currency: string, now: number): Promise<bigint> {
      const rate = await newestRate(db, currency, now)
      if (rate === null || (!source.isFixed && now - rate.at > OLDEST_RATE_SECONDS)) {
        throw new LotteryError('RATE_UNAVAILABLE')
      }
      return rate.satsPerUnit
    },

    jobs(): JobHandler[] {
      return [
        {
          kind: 'rates.read',
          mode: 'outside',
          async run() {
            // The next reading is added first: a source that is down is asked again in time, and a clock that jumped
            // goes on from now instead of catching up on what it jumped over.
            await db.transaction((tx) => addNextRead(tx))
            await read()
          },
        },
      ]
    },
  }

  /** One reading in each span of time, however many processes ask for it. */
  async function addNextRead(tx: Parameters<Jobs['add']>[0]): Promise<void> {
    const runAt = (Math.floor(runtime.clock.now() / RATE_SECONDS) + 1) * RATE_SECONDS
    await jobs.add(tx, 'rates.read', {}, { key: `rates.read:${runAt}`, runAt })
  }
}
