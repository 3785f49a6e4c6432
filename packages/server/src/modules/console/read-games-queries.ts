import type { RulesJson } from '@fairball/domain/game-json'
import { PATTERNS } from '@fairball/domain/games'
import { array, nullable, sql, t } from '../../db/sql.ts'

/** Every game, with its newest draw and the next that is on sale. */
export const listGames = sql({
  name: 'console.list-games',
  text: `select g.key, g.name, g.accent, g.pattern, g.summary, g.state, g.position, g.weeks_ahead, g.extra_start_at, g.retires_into,
      l.number as last_number, l.scheduled_at as last_scheduled_at, n.number as next_number, n.closes_at as next_closes_at,
      n.leaf_stake_sats as next_stake_sats, n.leaf_lines as next_lines, n.guaranteed_minor as next_guaranteed_minor
    from console_games g
    left join lateral (select number, scheduled_at from console_draws where game_key = g.key order by number desc limit 1) l on true
    left join lateral (select number, closes_at, leaf_stake_sats, leaf_lines, guaranteed_minor from console_draws
      where game_key = g.key and status = 'open' order by number limit 1) n on true
    order by g.position, g.key`,
  row: {
    key: t.text,
    name: t.text,
    accent: t.text,
    pattern: t.oneOf(PATTERNS),
    summary: t.text,
    state: t.oneOf(['active', 'retiring', 'retired']),
    position: t.int,
    weeksAhead: t.int,
    extraStartAt: nullable(t.epochSeconds),
    retiresInto: nullable(t.text),
    lastNumber: nullable(t.int),
    lastScheduledAt: nullable(t.epochSeconds),
    nextNumber: nullable(t.int),
    nextClosesAt: nullable(t.epochSeconds),
    nextStakeSats: nullable(t.bigint),
    nextLines: nullable(t.whole),
    nextGuaranteedMinor: nullable(t.bigint),
  },
})

/** Every version of every game, the newest first. */
export const listVersions = sql({
  name: 'console.list-versions',
  text: `select game_key, version, from_at, rules, announced_at, kinds, reason, actor from console_game_versions
    order by game_key, version desc`,
  row: {
    gameKey: t.text,
    version: t.int,
    fromAt: t.epochSeconds,
    rules: t.json<RulesJson>(),
    announcedAt: t.epochSeconds,
    kinds: array(t.text),
    reason: t.text,
    actor: t.text,
  },
})

/** The key that a game's name in an address stands for: its own, or the one of an alias. */
export const findGameKey = sql({
  name: 'console.find-game-key',
  text: `select coalesce((select a.game_key from console_game_aliases a where a.alias = $1), $1) as key`,
  params: [t.text],
  row: { key: t.text },
})

/** The versions of a game that draws are of. */
export const listCarriedVersions = sql({
  name: 'console.list-carried-versions',
  text: `select distinct version from console_draws where game_key = $1`,
  params: [t.text],
  row: { version: t.int },
})

/** The draws that are on sale. */
export const listOpenDraws = sql({
  name: 'console.list-open-draws',
  text: `select game_key, number, price_minor from console_draws where status = 'open' order by game_key, number`,
  row: { gameKey: t.text, number: t.int, priceMinor: t.bigint },
})

/** Other spellings of keys. */
export const listAliases = sql({
  name: 'console.list-aliases',
  text: `select alias from console_game_aliases order by alias`,
  row: { alias: t.text },
})

/** The newest rate of each currency. */
export const listRates = sql({
  name: 'console.list-rates',
  text: `select c.currency, r.sats_per_unit from unnest($1::text[]) as c (currency)
    cross join lateral (select sats_per_unit from console_rates where currency = c.currency and at <= $2 order by at desc limit 1) r`,
  params: [array(t.text), t.epochSeconds],
  row: { currency: t.text, satsPerUnit: t.bigint },
})

/** The rates that at least two sources gave the last time they were asked. */
export const listQuotedRates = sql({
  name: 'console.list-quoted-rates',
  text: `select q.currency, r.sats_per_unit from (
      select currency, at from console_currency_quotes where at = (select max(at) from console_currency_quotes where at <= $1)
      group by currency, at having count(*) >= 2) q
    join console_rates r on r.currency = q.currency and r.at = q.at`,
  params: [t.epochSeconds],
  row: { currency: t.text, satsPerUnit: t.bigint },
})

/** What the prize pool of each game holds. */
export const listPools = sql({
  name: 'console.list-pools',
  text: `select a.subject, (coalesce(c.balance_sats, 0) + coalesce((select sum(p.amount_sats) from console_postings p
      where p.account_id = a.id and p.id > coalesce(c.upto_posting_id, 0)), 0))::bigint as sats
    from console_ledger_accounts a left join lateral (select upto_posting_id, balance_sats from console_checkpoints
      where account_id = a.id order by upto_posting_id desc limit 1) c on true
    where a.kind = 'prize_pool'`,
  row: { subject: t.text, sats: t.bigint },
})
