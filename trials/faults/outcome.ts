// The outcome of a run of faults, and the checks at its end.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { printTable, quantile } from '../product.ts'
import { LIVENESS } from '../simulation/liveness.ts'
import { createDatabase } from '@fairball/server/testing/database'
import { lotteryInvariants } from '@fairball/server/testing/lottery'
import { systemRuntime } from '@fairball/server/testing/runtime'
import { look } from './database.ts'
import type { Cluster } from './cluster.ts'
import type { Crowd } from './players.ts'
import { countOf as promised, lostOf, type Promises } from './promises.ts'

const DAY = 86_400
/** Orders name draws of the next weeks, and a void draw moves its entries to later ones. */
const TAIL_DAYS = 16
/** The last day may end while a draw is being shown, so the clock then moves on in these steps. */
const STEP_SECONDS = 900
const MAX_STEPS = 6
/** The most problems to print. */
const MAX_PRINTED = 20

const REACHED = `
  select (select count(*) from draws where status = 'settled') || ' draws settled, '
    || (select count(*) from wins) || ' wins, ' || (select count(*) from payouts where sent_at is not null) || ' payouts' as what`

/** Whatever is unfinished, except money for a player without a verified email address or without a payout address. */
const UNFINISHED = `
  select what from (${LIVENESS}) unfinished where what not in (
    select b.kind || ' ' || b.id || ' of ' || b.sats || ' sats is not paid' from payables b
    where not exists (select from players p where p.id = b.player_id and p.email_verified_at is not null)
      or not exists (select from player_addresses a where a.player_id = b.player_id))`

/** The state at the end. */
interface End {
  readonly problems: readonly string[]
  /** what was acknowledged and checked, and how far the lottery came */
  readonly held: string
}

/** One row of the table. */
export interface Row {
  readonly fault: string
  readonly tried: string
  /** what was acknowledged and checked */
  readonly held: string
  readonly lost: number
  readonly recovery: string
  readonly notes: string
}

/** Number of repetitions: `--count 20`, or the goal's number with `--full`. */
export function countOf(usual: number, full: number): number {
  return numberOf('--count', process.argv.includes('--full') ? full : usual)
}

/** The whole number after an option. */
export function numberOf(option: string, usual: number): number {
  const place = process.argv.indexOf(option)
  const number = place < 0 ? usual : Number(process.argv[place + 1])
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${option} needs a whole number from 1.`)
  return number
}

/** Every broken promise, and every invariant that does not hold, at this moment. */
export async function problemsNow(cluster: Cluster, promises: Promises): Promise<string[]> {
  const problems = await look(cluster.database, (client) => lostOf(promises, client))
  const runtime = systemRuntime({ logLevel: 'silent' })
  const db = createDatabase({ address: cluster.database, runtime, poolSize: 1, applicationName: 'faults' })
  try {
    const { violations } = await lotteryInvariants.check(db, null)
    problems.push(...violations.map(({ id, problem }) => `${id}: ${problem}`))
  } finally {
    await db.close()
  }
  return problems
}

/**
 * Ends the load and lets weeks pass without a fault. Then every order must be final, every closed draw must have its
 * result, every prize must be paid, and no job may be left. Last, the operator's own command checks every invariant.
 */
export async function problemsAtTheEnd(cluster: Cluster, crowd: Crowd, promises: Promises): Promise<End> {
  await crowd.finish()
  for (let day = 0; day < TAIL_DAYS; day += 1) await crowd.moveClock(DAY)
  await crowd.readLog()
  let unfinished = await unfinishedAt(cluster, promises.clockAt)
  for (let more = 0; more < MAX_STEPS && unfinished.length > 0; more += 1) {
    await crowd.moveClock(STEP_SECONDS)
    unfinished = await unfinishedAt(cluster, promises.clockAt)
  }
  const problems = [...unfinished, ...(await problemsNow(cluster, promises))]
  problems.push(...crowd.seen.wrong, ...cluster.deaths)
  const came = await reached(cluster)
  await cluster.stopMembers()
  problems.push(...operatorSays(cluster))
  return { problems, held: `${heldBy(promises)}; in the end ${came}` }
}

/** How far the lottery has come. */
export async function reached(cluster: Cluster): Promise<string> {
  const { rows } = await look(cluster.database, (client) => client.query<{ what: string }>(REACHED))
  return rows[0]?.what ?? ''
}

/**
 * Moves the time of all processes at once, as it passes in production. No request goes through the web process, so the
 * workers do the due work.
 */
export async function letTimePass(cluster: Cluster, seconds: number): Promise<void> {
  await look(cluster.database, async (client) => {
    await client.query('begin')
    const { rows } = await client.query<{ value: string }>(
      `insert into system_state (key, value) values ('demo.clock-offset', $1::bigint::text)
       on conflict (key) do update set value = (system_state.value::bigint + $1::bigint)::text returning value`,
      [seconds],
    )
    await client.query(`select pg_notify('clock', $1)`, [rows[0]?.value])
    await client.query('commit')
  })
}

/** Seconds until the next close, draw or settlement; 0 if one is due. */
export async function secondsToNextDrawWork(cluster: Cluster): Promise<number> {
  const { rows } = await look(cluster.database, (client) =>
    client.query<{ seconds: number }>(
      `select greatest(0, coalesce(min(run_at), 0) - extract(epoch from now())::bigint
         - coalesce((select value::bigint from system_state where key = 'demo.clock-offset'), 0))::int as seconds
       from jobs where kind like 'draws.%'`,
    ),
  )
  return rows[0]?.seconds ?? 0
}

async function unfinishedAt(cluster: Cluster, nowAt: number): Promise<string[]> {
  const { rows } = await look(cluster.database, (client) => client.query<{ what: string }>(UNFINISHED, [nowAt]))
  return rows.map(({ what }) => `not finished: ${what}`)
}

/** The acknowledged items by kind. */
function heldBy(promises: Promises): string {
  const { accounts, orders, paid, numbers, addresses, notes } = promises
  const settings = numbers.size + addresses.size
  return `${promised(promises)}: ${accounts.size} accounts, ${settings} settings, ${orders.size} orders, ${paid.size} paid, ${notes.length} statements`
}

function operatorSays({ env }: Cluster): string[] {
  const main = join(import.meta.dirname, '../../packages/server/src/main/operator.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'invariants-check'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  const said = stdout.trim()
  return status === 0 && said === 'Every invariant holds.' ? [] : [`operator invariants-check: ${said} ${stderr}`]
}

/** Reports the progress of a run on standard error. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Prints the problems and the table; the exit status is 1 if anything was lost. */
export function report(rows: readonly Row[], problems: readonly string[]): void {
  for (const problem of problems.slice(0, MAX_PRINTED)) process.stdout.write(`- ${problem}\n`)
  if (problems.length > MAX_PRINTED) process.stdout.write(`- and ${problems.length - MAX_PRINTED} more\n`)
  if (problems.length > 0) process.stdout.write('\n')
  printTable(
    ['fault', 'tried', 'acknowledged and looked for', 'lost or wrong', 'back after (median, slowest)', 'seen'],
    rows.map((row) => [row.fault, row.tried, row.held, String(row.lost), row.recovery, row.notes]),
  )
  if (problems.length > 0 || rows.some(({ lost }) => lost > 0)) process.exitCode = 1
}

/** Median and slowest of some times. */
export function times(ms: readonly number[]): string {
  return ms.length === 0 ? '–' : `${seconds(quantile(ms, 0.5))}, ${seconds(Math.max(...ms))}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** What the players saw, for the last column. */
export function seenBy({ seen }: Crowd): string {
  return `${seen.good} answers, ${seen.refused} refusals, ${seen.cut} cut, ${seen.unavailable} × 503`
}
