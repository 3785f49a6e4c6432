import type { WalletSource } from '../../ports/bitcoin.ts'
import type { Holding } from '../../ports/payment-provider/payment-provider.ts'
import type { TreasuryContext } from './context.ts'
import * as queries from './queries.ts'

/** Time limit for a wallet's answer; after that its last reading is shown. */
export const READ_TIMEOUT_MS = 5_000

/** What a wallet held, and when. */
interface Reading {
  readonly wallet: string
  readonly sats: bigint
  /** epoch seconds */
  readonly readAt: number
}

const MSAT_PER_SAT = 1000n
/** The name of the Lightning node's readings. */
const LIGHTNING = 'lightning'

/** What the wallets hold, as far as it is known. */
export interface Assets {
  /** by wallet; a wallet that was never read is missing */
  readonly readings: readonly Reading[]
  readonly heldSats: bigint
  /** epoch seconds of the oldest reading among them; null for none */
  readonly readAt: number | null
  /** whether every wallet answered just now */
  readonly isFresh: boolean
}

async function readSource(
  ctx: TreasuryContext,
  source: WalletSource,
): Promise<{ readings: Reading[]; isFresh: boolean }> {
  if (ctx.movements !== null) return await readOutside(ctx, source)
  return { readings: readingsOf(await source.read(), ctx.runtime.clock.now()), isFresh: true }
}

/** Asks a wallet that may be away: then its last reading stays. */
async function readOutside(
  ctx: TreasuryContext,
  source: WalletSource,
): Promise<{ readings: Reading[]; isFresh: boolean }> {
  const readAt = ctx.runtime.clock.now()
  const holdings = await inTime(ctx, source).catch((error: unknown) => {
    ctx.runtime.log.warn({ source: source.name, err: error }, 'a wallet does not say what it holds')
    return null
  })
  if (holdings === null) {
    const stored = await ctx.db.run(queries.findReadings, [source.name])
    return {
      readings: stored.map(({ wallet, sats, readAt }) => ({ wallet, sats, readAt })),
      isFresh: false,
    }
  }
  return { readings: await storeHoldings(ctx, source.name, holdings, readAt), isFresh: true }
}

/** Keeps what a source says, in place of what it said before. @param readAt epoch seconds */
export async function storeHoldings(
  ctx: Pick<TreasuryContext, 'db' | 'runtime'>,
  source: string,
  holdings: readonly Holding[],
  readAt: number = ctx.runtime.clock.now(),
): Promise<Reading[]> {
  const wallets = holdings.map((holding) => holding.name)
  const sats = holdings.map((holding) => holding.sats)
  await ctx.db.execute(queries.storeReadings, [source, wallets, sats, readAt])
  await ctx.db.execute(queries.forgetReadings, [source, wallets])
  return readingsOf(holdings, readAt)
}

/** What the Lightning node holds, now or when it said so last; null without one, and before the first answer. */
export async function readLightning(
  ctx: TreasuryContext,
): Promise<{ readonly reading: Reading; readonly isFresh: boolean } | null> {
  const { lightning } = ctx
  if (lightning === null) return null
  const read = async () => [{ name: LIGHTNING, sats: (await lightning.liquidity()).oursMsat / MSAT_PER_SAT }]
  const source = { name: LIGHTNING, read }
  const { readings, isFresh } = await readOutside(ctx, source)
  const [reading] = readings
  return reading === undefined ? null : { reading, isFresh }
}

async function inTime(ctx: TreasuryContext, source: WalletSource): Promise<readonly Holding[]> {
  const done = new AbortController()
  const limit = ctx.runtime.monotonic.sleep(READ_TIMEOUT_MS, done.signal).then(
    () => Promise.reject(new Error(`no answer within ${READ_TIMEOUT_MS} ms`)),
    () => new Promise<never>(() => undefined), // the answer came first
  )
  try {
    return await Promise.race([source.read(), limit])
  } finally {
    done.abort()
  }
}

/** Reads all wallets now. If one does not answer, its last reading stays. Throws only what the database throws. */
export async function readWallets(ctx: TreasuryContext): Promise<Assets> {
  const answers = await Promise.all(ctx.sources.map((source) => readSource(ctx, source)))
  const readings = answers.flatMap((answer) => answer.readings)
  const readAt = readings.reduce<number | null>(
    (oldest, reading) => (oldest === null || reading.readAt < oldest ? reading.readAt : oldest),
    null,
  )
  const heldSats = readings.reduce((sum, reading) => sum + reading.sats, 0n)
  return { readings, heldSats, readAt, isFresh: answers.every((answer) => answer.isFresh) }
}

function readingsOf(holdings: readonly Holding[], readAt: number): Reading[] {
  return holdings.map(({ name, sats }) => ({ wallet: name, sats, readAt }))
}
