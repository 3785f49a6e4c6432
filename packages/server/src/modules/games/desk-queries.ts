import { PATTERNS } from '@fairball/domain/games'
import { nullable, sql, t } from '../../db/sql.ts'

/** Every game's row: no draw opens or closes until the transaction ends. */
export const lockGames = sql({
  name: 'desk.lock-games',
  text: `select key from games order by key for no key update`,
  row: { key: t.text },
})

/** What the desk reads of each game besides what `storedGames` says. */
export const listDeskGames = sql({
  name: 'desk.list-games',
  text: `select g.key, g.extra_start_at, d.number as last_number, d.scheduled_at as last_scheduled_at from games g
    left join lateral (select number, scheduled_at from draws where game_key = g.key order by number desc limit 1) d on true`,
  row: {
    key: t.text,
    extraStartAt: nullable(t.epochSeconds),
    lastNumber: nullable(t.int),
    lastScheduledAt: nullable(t.epochSeconds),
  },
})

export const listOpenDraws = sql({
  name: 'desk.list-draws',
  text: `select game_key, number, price_minor from draws where status = 'open' order by game_key, number`,
  row: { gameKey: t.text, number: t.int, priceMinor: t.bigint },
})

export const insertPlan = sql({
  name: 'desk.insert-plan',
  text: `insert into game_plans (id, base_hash, file, plan, created_at, expires_at)
    values ($id, $baseHash, $file, $plan, $createdAt, $expiresAt)`,
  params: {
    id: t.uuid,
    baseHash: t.text,
    file: t.text,
    plan: t.json<{ readonly lines: readonly string[] }>(),
    createdAt: t.epochSeconds,
    expiresAt: t.epochSeconds,
  },
})

/** Locked until the transaction ends: a plan is announced once. */
export const lockPlan = sql({
  name: 'desk.lock-plan',
  text: `select base_hash, file, expires_at, applied_at from game_plans where id = $1 for update`,
  params: [t.uuid],
  row: { baseHash: t.text, file: t.text, expiresAt: t.epochSeconds, appliedAt: nullable(t.epochSeconds) },
})

export const markApplied = sql({
  name: 'desk.mark-applied',
  text: `update game_plans set applied_at = $2 where id = $1`,
  params: [t.uuid, t.epochSeconds],
})

/** What applies at once. */
export const showGame = sql({
  name: 'desk.show-game',
  text: `update games set name = $name, accent = $accent, pattern = $pattern, summary = $summary, position = $position,
    weeks_ahead = $weeksAhead where key = $key`,
  params: {
    key: t.text,
    name: t.text,
    accent: t.text,
    pattern: t.oneOf(PATTERNS),
    summary: t.text,
    position: t.int,
    weeksAhead: t.int,
  },
})

/** Sessions of a program that knows only its own table of games: it names itself without a version. */
export const countOldSessions = sql({
  name: 'desk.count-old-sessions',
  text: `select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and application_name = 'fairball'`,
  row: { sessions: t.int },
})
