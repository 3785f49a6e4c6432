import type { GameRules } from '@fairball/domain/games'
import { MAX_LINES } from '@fairball/domain/games'
import { SPLIT_PERCENT } from '@fairball/domain/jackpot'
import { MONDAY_OFFSET_SECONDS, RULES_NOTICE_SECONDS, WEEK_SECONDS } from '@fairball/domain/protocol/numbers'
import { readRules, type Rules, writeRules } from '@fairball/domain/protocol/rules'
import type { StatementOf } from '@fairball/domain/protocol/statements'
import type { Tx } from '../../db/pool.ts'
import { appendStatement, keepText, lockHead } from '../fairness/service.ts'
import type { DrawsContext } from './context.ts'
import * as queries from './queries.ts'

/** The currency of prices. */
export const PRICE_CURRENCY = 'GBP'

/** Rules that draws of a game are opened with. */
export interface AnnouncedRules {
  readonly version: number
  /** the first draw start that they apply to, epoch seconds */
  readonly from: number
  readonly rulesHash: string
}

/**
 * The rules of a game for announcing and judging draws (fairness section 4).
 *
 * @param extraStartAt the demo's first draw outside the calendar, epoch seconds: its time of the week is one of the
 *   rules' too
 */
export function rulesOf(game: GameRules, version: number, extraStartAt: number | null): Rules {
  const starts = game.drawTimes.map(({ day, minuteOfDay }) => (day - 1) * 86_400 + minuteOfDay * 60)
  if (extraStartAt !== null) starts.push((extraStartAt + MONDAY_OFFSET_SECONDS) % WEEK_SECONDS)
  return {
    game: game.key,
    version,
    pick: game.pick,
    pool: game.pool,
    price: { currency: PRICE_CURRENCY, value: game.priceMinor },
    tier: game.tiers.map(({ matches, kind, ...tier }) => ({
      matches,
      kind,
      minor: 'prizeMinor' in tier ? tier.prizeMinor : 0,
    })),
    split: { prizes: SPLIT_PERCENT.prizePool, donation: SPLIT_PERCENT.donation, fee: SPLIT_PERCENT.fee },
    floor: game.guaranteedMinor,
    cover: game.coverMinor,
    limit: { play: MAX_LINES, player: game.maxEntriesPerDraw },
    closes: game.closesBeforeSeconds,
    at: [...new Set(starts)].sort((one, other) => one - other),
  }
}

/**
 * This program's rules of a game, announced if they are new: immediately for a new game, a week before the first draw
 * for changed ones (fairness section 4). The caller holds the game.
 */
export async function announceRules(
  ctx: DrawsContext,
  tx: Tx,
  game: GameRules,
  extraStartAt: number | null,
): Promise<AnnouncedRules> {
  const newest = await tx.maybeOne(queries.findNewestVersion, [game.key])
  if (newest !== null && writeRules(rulesOf(game, newest.version, extraStartAt)) === newest.rulesText) {
    return { version: newest.version, from: newest.fromAt, rulesHash: newest.rulesHash }
  }
  const version = (newest?.version ?? 0) + 1
  const rules = rulesOf(game, version, extraStartAt)
  const rulesHash = await keepText(tx, writeRules(rules))
  const time = await lockHead(ctx.fairness, tx)
  const from = newest === null ? time : time + RULES_NOTICE_SECONDS
  const reason = newest === null ? 'new' : reasonOf(readRules(newest.rulesText), rules)
  const fields = { type: 'game', game: game.key, version, rules: rulesHash, from, reason, pot_to: null } as const
  await appendStatement(ctx.fairness, tx, fields, time)
  await tx.execute(queries.insertVersion, [game.key, version, from, rulesHash])
  return { version, from, rulesHash }
}

/** Why rules changed, in the protocol's words: what affects players most comes first. */
function reasonOf(before: Rules, rules: Rules): StatementOf<'game'>['reason'] {
  if (before.price.value !== rules.price.value) return 'price'
  return before.closes !== rules.closes || before.at.join() !== rules.at.join() ? 'schedule' : 'prizes'
}
