import type { Logger } from '../../runtime/runtime.ts'
import { DatabaseUnavailable, translateError } from '../database-errors.ts'
import type { DatabaseAddress } from '../connection-settings.ts'
import { LOCK_CHECKS } from './lock-checks.ts'
import { SCHEMA_CHECKS } from './schema-checks.ts'
import { DURABILITY, SESSION_CHECKS } from './session-checks.ts'
import { type Check, only, Trial } from './trial.ts'

// What the program rests on, tried at the database itself: a version says little of an engine that only resembles
// PostgreSQL, and nothing of what stands in between.

/** How a check ended. */
export interface Outcome {
  readonly id: string
  /** what it saw; null if it holds */
  readonly seen: string | null
  /** false if another one failed, without which this one would mean nothing, or if the login may make no schema */
  readonly isTried: boolean
}

/** The database lacks what the program rests on. The message has a line for each. */
export class DatabaseUnfit extends Error {
  override readonly name = 'DatabaseUnfit'

  constructor(failed: readonly Outcome[]) {
    super(
      [
        'The database is not fit for this program (npm run db-conformance tries everything):',
        ...failed.map(lineOf),
      ].join('\n'),
    )
  }
}

const CHECKS: readonly Check[] = [...SESSION_CHECKS, ...LOCK_CHECKS, ...SCHEMA_CHECKS]
/** Without these nothing that follows means anything. */
const FIRST = ['writable', 'listen']
const SCHEMA = 'fairball_conformance_'
/** The setting of a server that holds nothing that anybody would miss. */
export const FOR_TESTS = 'fairball.may_lose_data'
/** What a pooler answers that does not pass the program's limits on. */
const POOLER = /unsupported startup parameter/

/** `pass <id>` or `FAIL <id>: <what was seen>`. */
export function lineOf({ id, seen }: Pick<Outcome, 'id' | 'seen'>): string {
  return seen === null ? `pass ${id}` : `FAIL ${id}: ${seen.replaceAll(/\s+/g, ' ')}`
}

/**
 * Tries everything, in a schema of its own that it drops: the database may be in use.
 *
 * @param onOutcome told of each check as it is done
 * @throws DatabaseUnavailable if it cannot be reached
 */
export async function tryEverything(address: DatabaseAddress, onOutcome: (outcome: Outcome) => void): Promise<void> {
  await conform(address, CHECKS, onOutcome)
}

/**
 * Tries at a start, within two seconds, what would break silently.
 *
 * @param options.hasTables false for a login that may make no tables
 * @param options.mode a database that may lose what it acknowledged is refused in production
 * @throws DatabaseUnfit with a line for each check that failed
 * @throws DatabaseUnavailable
 */
export async function checkDatabase(options: {
  address: DatabaseAddress
  log: Logger
  hasTables: boolean
  mode: 'demo' | 'production'
}): Promise<void> {
  const { address, log, hasTables, mode } = options
  const checks = CHECKS.filter((one) => one.isQuick === true && (hasTables || one.needsTables !== true))
  const outcomes: Outcome[] = []
  const trial = await conform(address, checks, (outcome) => void outcomes.push(outcome))
  const failed = outcomes.filter(({ seen, isTried }) => seen !== null && isTried)
  const isRisk = ({ id }: Outcome): boolean => DURABILITY.includes(id)
  const isAccepted = mode === 'demo' || trial.mayLoseData
  const unfit = failed.filter((one) => !isAccepted || !isRisk(one))
  if (unfit.length > 0) throw new DatabaseUnfit(unfit)
  for (const { id, seen, isTried } of outcomes)
    if (!isTried) log.warn({ check: id, seen }, 'a check of the database was left out')
  if (trial.mayLoseData) return
  for (const { id, seen } of failed) log.warn({ check: id, seen }, 'this database may lose what it acknowledged')
}

/** Does these checks, one after the other. @throws DatabaseUnavailable */
async function conform(
  address: DatabaseAddress,
  checks: readonly Check[],
  onOutcome: (outcome: Outcome) => void,
): Promise<{ readonly mayLoseData: boolean }> {
  const trial = new Trial(address)
  let broken: string | null = null
  let mayLoseData = false
  try {
    await trial.open()
    mayLoseData = await isForTests(trial)
    for (const check of checks) {
      if (broken === null && check.needsTables === true && trial.schema === null) broken = await makeSchema(trial)
      const isTried = broken === null
      const seen: string | null = broken === null ? await seenBy(check, trial) : `not tried: ${broken}`
      onOutcome({ id: check.id, seen, isTried })
      if (seen !== null && FIRST.includes(check.id)) broken = `${check.id} failed`
    }
  } catch (error) {
    const unavailable = translateError(error)
    if (!(unavailable instanceof DatabaseUnavailable && POOLER.test(unavailable.message))) throw unavailable
    onOutcome({
      id: 'listen',
      seen: `LISTEN was not tried: a pooler is in between (${unavailable.message}). Name the server itself, or set the pooler to session mode with ignore_startup_parameters.`,
      isTried: true,
    })
  } finally {
    await trial.close()
    if (trial.schema !== null) await dropSchema(trial, trial.schema)
  }
  return { mayLoseData }
}

/** What a check saw. After a failure the next one has new sessions. */
async function seenBy(check: Check, trial: Trial): Promise<string | null> {
  const seen = await check.run(trial).catch(messageOf)
  if (seen === null) return null
  await trial.close()
  await trial.open()
  return seen
}

/** The server of the program's tests says of itself that it may lose data (embedded-postgres.ts); no other does. */
async function isForTests({ one }: Trial): Promise<boolean> {
  const { value } = await only<{ value: string | null }>(one, `select current_setting('${FOR_TESTS}', true) as value`)
  return value === 'on'
}

/** Makes the schema of this trial, and removes what trials left whose sessions are gone. @returns what failed, or null */
async function makeSchema(trial: Trial): Promise<string | null> {
  const { one, other } = trial
  const { rows } = await one.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname ~ '^${SCHEMA}[0-9]+$' and pg_has_role(nspowner, 'usage')
      and not exists (select from pg_stat_activity where pid::text = substring(nspname from '[0-9]+$'))`,
  )
  const { pid } = await only<{ pid: number }>(one, 'select pg_backend_pid() as pid')
  const schema = `${SCHEMA}${pid}`
  try {
    for (const { name } of rows) await one.query(`drop schema if exists ${name} cascade`)
    await one.query(`create schema ${schema}`)
  } catch (error) {
    return `${messageOf(error)}: the login makes and drops a schema of its own, which "grant create on database" allows`
  }
  trial.schema = schema
  await Promise.all([one, other].map((client) => trial.enter(client, schema)))
  return null
}

async function dropSchema(trial: Trial, schema: string): Promise<void> {
  const client = await trial.connect()
  try {
    // Nothing that a check makes is read by others, so nothing is waited for.
    await client.query(`set client_min_messages = warning; drop schema if exists ${schema} cascade`)
  } finally {
    await client.end()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
