import type { GameVersion as VersionOnWire, OpenDraw, RetiredGame } from '@fairball/contract/schemas/game'
import { LotteryError } from '@fairball/domain/errors'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { rulesToJson, type RulesJson } from '@fairball/domain/game-json'
import { currentRates, priceIn } from '../payments/service.ts'
import { firstDrawOf } from './coming-change.ts'
import { prizesIn } from './prices.ts'
import { findFirstDraws, findRetired } from './queries.ts'
import { boardOf, type GamesContext, knownGame } from './service.ts'
import { type GameVersion, versionsOf } from '../catalogue/service.ts'

/**
 * The draws of a game that an order made now can be for, each by its own version.
 *
 * @throws LotteryError NOT_FOUND, RATE_UNAVAILABLE
 */
export async function openDrawsOf(ctx: GamesContext, keyOrAlias: string, nowAt: number): Promise<OpenDraw[]> {
  const { key } = await knownGame(ctx, keyOrAlias)
  const [board, versions, rates] = await Promise.all([
    boardOf(ctx, key),
    versionsOf(ctx.db, key),
    currentRates(ctx.db, nowAt),
  ])
  if (!rates.has(DEFAULT_CURRENCY_CODE)) throw new LotteryError('RATE_UNAVAILABLE')
  return (board?.forSale ?? []).flatMap((draw) => {
    const version = versions.find((one) => one.version === draw.version)
    if (version === undefined) return []
    const { rules, rulesHash } = version
    return [
      {
        number: draw.number,
        start_at: draw.startAt,
        ticket_sell_closes_at: draw.closesAt,
        day: draw.weekday,
        version: version.version,
        rules: onWire(version),
        rules_hash: rulesHash,
        ticket_price: { fiat: priceIn(rules.priceMinor, rates, rules.currency) },
        prizes: prizesIn(rules, rates),
      },
    ]
  })
}

/** What was announced of a game, newest first. @throws LotteryError NOT_FOUND */
export async function listVersions(ctx: GamesContext, keyOrAlias: string): Promise<VersionOnWire[]> {
  const { key } = await knownGame(ctx, keyOrAlias)
  const [versions, firsts] = await Promise.all([versionsOf(ctx.db, key), ctx.db.run(findFirstDraws, [key])])
  const firstByVersion = new Map(firsts.map((row) => [row.version, row.first]))
  const newest = firsts.reduce<{ number: number; scheduledAt: number } | null>(
    (last, row) => (last === null || row.last > last.number ? { number: row.last, scheduledAt: row.lastAt } : last),
    null,
  )
  return versions.map((version) => ({
    version: version.version,
    from_at: version.fromAt,
    from_draw: firstByVersion.get(version.version) ?? drawToCome(versions, version, newest),
    announced_at: version.announcedAt,
    kinds: version.kinds,
    rules: onWire(version),
    rules_hash: version.rulesHash,
    statement: version.statementHash,
  }))
}

/** Every game that was retired, newest first. */
export async function listRetired({ db }: Pick<GamesContext, 'db'>): Promise<RetiredGame[]> {
  const rows = await db.run(findRetired, [])
  return rows.map(({ key, name, accent, retiredAt, retiresInto }) => ({
    key,
    name,
    color: accent,
    retired_at: retiredAt,
    into: retiresInto,
  }))
}

function drawToCome(
  versions: readonly GameVersion[],
  { version, fromAt }: GameVersion,
  newest: { readonly number: number; readonly scheduledAt: number } | null,
): number | null {
  const isTakenBack = versions.some((other) => other.version > version && other.fromAt <= fromAt)
  return isTakenBack ? null : firstDrawOf(versions, fromAt, newest)
}

/** Rules in the shape of answers, whose lists are the caller's own. */
function onWire({ rules }: GameVersion) {
  const json: RulesJson = rulesToJson(rules)
  return { ...json, tiers: json.tiers.map((tier) => ({ ...tier })), draw_times: [...json.draw_times] }
}
