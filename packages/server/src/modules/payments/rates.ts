import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES } from '@fairball/domain/fiat'
import { isRate } from '@fairball/domain/protocol/money'
import { FEWEST_QUOTES } from '@fairball/domain/protocol/numbers'
import type { Quote } from '@fairball/domain/protocol/statement-codecs'
import type { Db, Queries } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Rates, RatesRead } from '../../ports/rates/rates.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import {
  deleteDoubts,
  findDoubt,
  findPlayedRates,
  findQuotedRates,
  findQuotes,
  findRate,
  findRatesAt,
  insertDoubts,
  insertQuotes,
  insertRates,
  lockDoubts,
  lockRates,
} from './rate-queries.ts'
import { judgeRate } from './rate-jumps.ts'

/** How often a live source is read. */
export const RATE_SECONDS = 300
/** Nothing is sold at a rate older than this (decisions section 5). */
export const OLDEST_RATE_SECONDS = 15 * 60
/** Delay before the sources are asked again after a jump. */
const DOUBT_SECONDS = 60
/** How long the quotes of live rates are kept: a close takes none older than 15 minutes. */
const KEPT_QUOTES_SECONDS = 86_400

/** A rate, and when it was read. */
interface StoredRate {
  /** whole sats per unit of the currency */
  readonly satsPerUnit: bigint
  /** epoch seconds */
  readonly at: number
}

/**
 * The newest rate of every currency the lottery shows at `at` (epoch seconds), in whole sats per unit. A currency whose
 * rate was never read is missing.
 */
export async function currentRates(db: Queries, at: number): Promise<Map<string, bigint>> {
  return (await ratesAt(db, [at])).get(at) ?? new Map<string, bigint>()
}

/** Like `currentRates`, for several moments at once. */
export async function ratesAt(db: Queries, moments: readonly number[]): Promise<Map<number, Map<string, bigint>>> {
  const found = new Map(moments.map((at) => [at, new Map<string, bigint>()]))
  const rows = await db.run(findRatesAt, [[...found.keys()], CURRENCIES.map((currency) => currency.code)])
  for (const row of rows) found.get(row.askedAt)?.set(row.currency, row.satsPerUnit)
  return found
}

/** The newest stored rate of one currency, however old; null if none was ever read. */
async function newestRate(db: Queries, currency: string, now: number): Promise<StoredRate | null> {
  return await db.maybeOne(findRate, [currency, now])
}

/**
 * The currencies that a game can begin in: what two sources agreed on when rates were read last, in whole sats per unit.
 */
export async function quotedRates(db: Queries, now: number): Promise<Map<string, bigint>> {
  const rows = await db.run(findQuotedRates, [now, FEWEST_QUOTES])
  return new Map(rows.map(({ currency, satsPerUnit }) => [currency, satsPerUnit]))
}

/** When the newest rate of each currency that a game is played in was read, in epoch seconds; null before the first. */
export async function playedRates(
  db: Queries,
  now: number,
): Promise<readonly { readonly currency: string; readonly at: number | null }[]> {
  return await db.run(findPlayedRates, [now])
}

/** Reads rates from their source, stores them, and decides whether they are new enough to sell at. */
export class RateBook {
  readonly #deps: { db: Db; runtime: Runtime; jobs: Jobs; source: Rates }
  constructor(deps: { db: Db; runtime: Runtime; jobs: Jobs; source: Rates }) {
    this.#deps = deps
  }

  /**
   * Reads every rate once and stores it. A live one that jumps is held back until a second reading confirms it (see
   * rate-jumps.ts).
   *
   * @throws when the source does not answer, or its sources do not agree
   */
  async read(): Promise<void> {
    const { rates, quotes } = await this.#deps.source.read()
    await this.#deps.db.transaction(async (tx) => {
      if (this.#deps.source.isFixed) return await this.#store(tx, { rates, quotes })
      // One reading after the other: two that start at the same time must not confirm each other.
      await tx.run(lockRates, [])
      const now = this.#deps.runtime.clock.now()
      const currencies = rates.map((rate) => rate.currency)
      const newest = await tx.run(findRatesAt, [[now], currencies])
      const doubts = await tx.run(lockDoubts, [])
      const judged = rates.map((rate) => ({
        rate,
        verdict: judgeRate({
          satsPerUnit: rate.satsPerUnit,
          lastSatsPerUnit: newest.find((row) => row.currency === rate.currency)?.satsPerUnit ?? null,
          doubt: doubts.find((row) => row.currency === rate.currency) ?? null,
          now,
        }),
      }))
      const with_ = (verdict: (typeof judged)[number]['verdict']) =>
        judged.filter((one) => one.verdict === verdict).map((one) => one.rate)
      await this.#store(tx, { rates: with_('believed'), quotes })
      await tx.execute(deleteDoubts, [with_('believed').map((rate) => rate.currency)])
      const jumped = with_('doubted')
      if (jumped.length > 0) {
        const sats = jumped.map((rate) => rate.satsPerUnit)
        const names = jumped.map((rate) => rate.currency)
        this.#deps.runtime.log.warn(
          { currencies: names, satsPerUnit: sats.map(String) },
          'the rates jumped: they are read again',
        )
        await tx.execute(insertDoubts, [now, names, sats])
      }
      if (judged.some((one) => one.verdict !== 'believed')) await this.#addReadAt(tx, now + DOUBT_SECONDS)
    })
  }

  /** @param read the rates that are trusted, and all quotes: those of other currencies are not stored */
  async #store(tx: Queries, read: RatesRead): Promise<void> {
    const now = this.#deps.runtime.clock.now()
    const currencies = read.rates.map((rate) => rate.currency)
    const satsPerUnit = read.rates.map((rate) => rate.satsPerUnit)
    const quoted = new Set(read.quotes.map((quote) => quote.currency))
    const areQuoted = currencies.map((currency) => quoted.has(currency))
    await tx.execute(insertRates, [now, currencies, satsPerUnit, areQuoted])
    const quotes = read.quotes.filter(({ currency }) => currencies.includes(currency))
    if (quotes.length === 0) return
    await tx.execute(insertQuotes, {
      at: now,
      keptFrom: this.#deps.source.isFixed ? 0 : now - KEPT_QUOTES_SECONDS,
      sources: quotes.map(({ source }) => source),
      currencies: quotes.map(({ currency }) => currency),
      satsPerUnit: quotes.map((quote) => quote.satsPerUnit),
    })
  }

  /**
   * At the start of the program: rates exist when it returns, and a live source is read from now on. A source that does
   * not answer does not prevent a start: sales wait for it.
   */
  async start(): Promise<void> {
    await this.read().catch((error: unknown) => {
      if (this.#deps.source.isFixed) throw error
      this.#deps.runtime.log.warn({ err: error }, 'the rates could not be read')
    })
    if (!this.#deps.source.isFixed) await this.#deps.db.transaction((tx) => this.#addNextRead(tx))
  }

  /**
   * The newest rate of a currency, to sell at, in whole sats per unit.
   *
   * @throws LotteryError RATE_UNAVAILABLE if there is none, if a unit is worth less than draws allow (fairness section
   *   2), or if a live one is older than 15 minutes or the sources now say something quite different. Fixed rates have no
   *   age: the demo's clock may jump over any number of days.
   */
  async requireFreshRate(db: Queries, currency: string, now: number): Promise<bigint> {
    const rate = await newestRate(db, currency, now)
    if (rate === null || !isRate(Number(rate.satsPerUnit))) throw new LotteryError('RATE_UNAVAILABLE')
    if (this.#deps.source.isFixed) return rate.satsPerUnit
    if (now - rate.at > OLDEST_RATE_SECONDS) throw new LotteryError('RATE_UNAVAILABLE')
    if ((await db.maybeOne(findDoubt, [currency])) !== null) throw new LotteryError('RATE_UNAVAILABLE')
    return rate.satsPerUnit
  }

  /** The hosts that a draw opened now names as its sources. */
  get sources(): readonly string[] {
    return this.#deps.source.sources
  }

  /**
   * The sources' quotes of a currency when its newest rate was stored. Fixed rates are quoted at every moment.
   *
   * @param now epoch seconds
   */
  async quotes(db: Queries, now: number, currency: string): Promise<Quote[]> {
    const { isFixed } = this.#deps.source
    const rows = await db.run(findQuotes, [now, currency])
    return rows.map(({ source, satsPerUnit, at }) => ({
      source,
      rate: Number(satsPerUnit),
      at: isFixed ? now : at,
    }))
  }

  jobs(): JobHandler[] {
    return [
      {
        kind: 'rates.read',
        mode: 'outside',
        everySeconds: RATE_SECONDS,
        run: async () => {
          // The next reading is added first: a source that is down is asked again in time, and after a jump the clock
          // continues from now instead of catching up.
          await this.#deps.db.transaction((tx) => this.#addNextRead(tx))
          await this.read()
        },
      },
    ]
  }

  /** One reading per interval, however many processes ask. */
  async #addNextRead(tx: Parameters<Jobs['add']>[0]): Promise<void> {
    await this.#addReadAt(tx, (Math.floor(this.#deps.runtime.clock.now() / RATE_SECONDS) + 1) * RATE_SECONDS)
  }

  async #addReadAt(tx: Parameters<Jobs['add']>[0], runAt: number): Promise<void> {
    await this.#deps.jobs.add(tx, 'rates.read', {}, { key: `rates.read:${runAt}`, runAt })
  }
}
