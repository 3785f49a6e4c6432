import { openAhead, type VersionedDraw } from '@fairball/domain/calendar'
import { toHex } from '@fairball/domain/protocol/bytes'
import { roundOf } from '@fairball/domain/protocol/chain'
import { seedHash } from '@fairball/domain/protocol/sampler'
import type { Tx } from '../../db/pool.ts'
import { appendStatement, keepText, SEED_PURPOSE } from '../fairness/service.ts'
import { type GameVersion, versionsOf } from '../catalogue/service.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import * as queries from './queries.ts'
import { presentRate } from './rates.ts'

/**
 * If the rate of a close differs from the selling rate by more than this percentage, it is shown in amber (fairness
 * section 9).
 */
const BAND_PERCENT = 5
/** Delay before draws are opened when no rate has been read yet. */
const WITHOUT_RATE_SECONDS = 60

/**
 * Opens every draw that has to be open now: those an order can name, and one more (decisions section 4). Each belongs
 * to the version that applies to its start. A game that ends, or was never announced, opens nothing.
 */
export async function openDraws(ctx: DrawsContext, tx: Tx, gameKey: string): Promise<void> {
  const { extraStartAt, weeksAhead } = await tx.one(queries.lockGame, [gameKey])
  const now = ctx.runtime.clock.now()
  const last = await tx.maybeOne(queries.findLastOpened, [gameKey])
  // A process that starts with a fast clock opens nothing far ahead: the next close opens what is needed.
  if (last !== null && ctx.clock.isFast()) return
  const versions = new Map((await versionsOf(tx, gameKey)).map((version) => [version.version, version]))
  const calendars = [...versions.values()].map(({ version, fromAt, rules }) => ({ ...rules, version, fromAt }))
  const missing = openAhead(calendars, weeksAhead, now, extraStartAt).filter(
    (scheduled) => last === null || scheduled.startAt > last.scheduledAt,
  )
  if (missing.length === 0) return
  let number = last?.number ?? 0
  for (const scheduled of missing) {
    const version = versions.get(scheduled.version)
    if (version === undefined) continue
    // An announcement states the present rate.
    if ((await tx.maybeOne(queries.newestRate, [version.rules.currency])) === null) {
      await openLater(ctx, tx, gameKey)
      break
    }
    number += 1
    await openDraw(ctx, tx, version, { ...scheduled, number })
  }
  await tx.notify(DRAWS_CHANNEL, gameKey)
}

async function openLater(ctx: DrawsContext, tx: Tx, gameKey: string): Promise<void> {
  ctx.runtime.log.warn({ gameKey }, 'no rate was ever read: no draws are opened yet')
  const runAt = ctx.runtime.clock.now() + WITHOUT_RATE_SECONDS
  await ctx.jobs.add(tx, 'draws.open', { gameKey }, { key: `draws.open:${gameKey}:${runAt}`, runAt })
}

/** Announces a draw and enters it: nothing can be sold for a draw whose statement is not in the log. */
async function openDraw(
  ctx: DrawsContext,
  tx: Tx,
  { gameKey, version, rules, rulesHash }: GameVersion,
  draw: VersionedDraw & { readonly number: number },
): Promise<void> {
  const { startAt, closesAt, endAt, weekday, number } = draw
  const { chain } = ctx.beacons.current
  const seed = ctx.runtime.random.bytes(32)
  const round = roundOf(chain, startAt)
  const committed = toHex(seedHash(seed))
  const { hash: openHash } = await appendStatement(ctx.fairness, tx, {
    type: 'open',
    game: gameKey,
    version,
    draw: number,
    close: closesAt,
    start: startAt,
    chain: chain.hash,
    round,
    seedhash: committed,
    rules: rulesHash,
    rate: await presentRate(tx, rules.currency),
    sources: ctx.rates.sources,
    band: BAND_PERCENT,
    policy: await keepText(tx, ctx.fairness.policy),
  })
  const { id } = await tx.one(queries.insertDraw, {
    gameKey,
    number,
    version,
    weekday,
    startAt,
    closesAt,
    endAt,
    pick: rules.pick,
    pool: rules.pool,
    currency: rules.currency,
    priceMinor: BigInt(rules.priceMinor),
    mostEntries: rules.mostEntries,
    rulesHash,
    sealedSeed: ctx.fairness.seal.close(seed, SEED_PURPOSE),
    seedHash: committed,
    chainHash: chain.hash,
    round,
    openHash,
    guaranteedMinor: BigInt(rules.guaranteedMinor),
    coverMinor: BigInt(rules.coverMinor),
  })
  await ctx.jobs.add(tx, 'draws.close', { drawId: String(id) }, { key: `draws.close:${id}`, runAt: closesAt })
}
