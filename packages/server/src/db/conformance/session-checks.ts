import { type Check, firstOf, isWaiting, listenOn, only, type Trial, unlike } from './trial.ts'

// What every login can try without a table: settings of the server, notifications, advisory locks, prepared statements.

/** The settings without which what was acknowledged can be lost. */
export const DURABILITY = ['fsync', 'full-page-writes', 'synchronous-commit']

const setting = (id: string, name: string, isFit: (value: string) => boolean, remedy: string): Check => ({
  id,
  isQuick: true,
  async run({ one }) {
    const { value } = await only<{ value: string }>(one, `select current_setting('${name}') as value`)
    return isFit(value) ? null : `${name} is ${value}. ${remedy}`
  },
})

const writable: Check = {
  id: 'writable',
  isQuick: true,
  async run({ one }) {
    const { value } = await only<{ value: string }>(one, `select current_setting('transaction_read_only') as value`)
    // The console's own sessions are read only by their own choice; a standby refuses them all.
    const { standby } = await only<{ standby: boolean }>(one, 'select pg_is_in_recovery() as standby')
    return standby || value !== 'off' ? 'it is a standby, or refuses changes. Name the primary server.' : null
  },
}

/** A pooler that gives each transaction another session loses what a session listens to. */
const listen: Check = {
  id: 'listen',
  isQuick: true,
  async run(trial) {
    const channel = trial.name('listen')
    const heard = await listenOn(trial.one, channel)
    await trial.other.query('begin')
    await trial.other.query(`select pg_notify('${channel}', 'told')`)
    await trial.other.query('commit')
    await heard.until(1)
    return heard.payloads.length === 1
      ? null
      : 'LISTEN does not last: a notification was not heard. If a pooler (PgBouncer) is in between, set it to session ' +
          'mode, or name the server itself: a transaction pooler gives each transaction another session.'
  },
}

const notifyAfterCommit: Check = {
  id: 'notify-after-commit',
  isQuick: true,
  async run(trial) {
    const channel = trial.name('commit')
    const heard = await listenOn(trial.one, channel)
    await trial.other.query('begin')
    for (const payload of ['first', 'second']) await trial.other.query(`select pg_notify('${channel}', '${payload}')`)
    await trial.one.query('select 1')
    const early = unlike(heard.payloads, [], 'before the commit was heard')
    await trial.other.query('commit')
    await heard.until(2)
    return firstOf(early, unlike(heard.payloads, ['first', 'second'], 'after the commit was heard'))
  },
}

const notifyNeverOnRollback: Check = {
  id: 'notify-never-on-rollback',
  isQuick: true,
  async run(trial) {
    const channel = trial.name('rollback')
    const heard = await listenOn(trial.one, channel)
    await trial.other.query('begin')
    await trial.other.query(`select pg_notify('${channel}', 'undone')`)
    await trial.other.query('rollback')
    await trial.other.query(`select pg_notify('${channel}', 'done')`)
    await heard.until(1)
    return unlike(heard.payloads, ['done'], 'was heard')
  },
}

/** Whether the other session gets the lock. */
async function isFree({ other }: Trial, lock: string, kind = ''): Promise<boolean> {
  await other.query('begin')
  const { got } = await only<{ got: boolean }>(other, `select pg_try_advisory_xact_lock${kind}(${lock}) as got`)
  await other.query('rollback')
  return got
}

const advisoryExcludes: Check = {
  id: 'advisory-excludes',
  isQuick: true,
  async run(trial) {
    const lock = await trial.lockNumber()
    await trial.one.query('begin')
    await trial.one.query(`select pg_advisory_xact_lock(${lock})`)
    const isOpen = await isFree(trial, lock)
    await trial.one.query('rollback')
    return isOpen ? 'two transactions have the same lock' : null
  },
}

const advisoryEndsWithTransaction: Check = {
  id: 'advisory-ends-with-transaction',
  isQuick: true,
  async run(trial) {
    for (const end of ['commit', 'rollback']) {
      const lock = await trial.lockNumber()
      await trial.one.query('begin')
      await trial.one.query(`select pg_advisory_xact_lock(${lock})`)
      await trial.one.query(end)
      if (!(await isFree(trial, lock))) return `the lock remains after ${end}`
    }
    return null
  },
}

const advisoryWaits: Check = {
  id: 'advisory-waits',
  async run(trial) {
    const lock = await trial.lockNumber()
    await trial.one.query('begin')
    await trial.one.query(`select pg_advisory_xact_lock(${lock})`)
    const asked = trial.other.query(`select pg_advisory_xact_lock(${lock})`)
    const waited = await isWaiting(trial.one, asked)
    await trial.one.query('commit')
    await asked
    return waited ? null : 'who asks for a lock that is taken does not wait'
  },
}

const advisoryShared: Check = {
  id: 'advisory-shared',
  async run(trial) {
    const lock = await trial.lockNumber()
    await trial.one.query('begin')
    await trial.one.query(`select pg_advisory_xact_lock_shared(${lock})`)
    const [shared, exclusive] = [await isFree(trial, lock, '_shared'), await isFree(trial, lock)]
    await trial.one.query('commit')
    return firstOf(unlike(shared, true, 'shared beside shared'), unlike(exclusive, false, 'exclusive beside shared'))
  },
}

const advisoryEndsWithConnection: Check = {
  id: 'advisory-ends-with-connection',
  async run(trial) {
    const lock = await trial.lockNumber()
    const third = await trial.connect()
    await third.query(`select pg_advisory_lock(${lock})`)
    const before = await isFree(trial, lock)
    await third.end()
    // The server ends a session a moment after its connection.
    await trial.one.query(`select pg_advisory_lock(${lock})`)
    await trial.one.query(`select pg_advisory_unlock(${lock})`)
    return before ? 'the lock of a session does not exclude' : null
  },
}

const preparedStatementsLast: Check = {
  id: 'prepared-statements-last',
  async run(trial) {
    const name = trial.name('prepared')
    const query = { name, text: 'select $1::int + 1 as next', values: [1] }
    await trial.one.query(query)
    await trial.other.query('begin')
    const { rows } = await trial.one.query<{ next: number }>({ ...query, values: [41] })
    await trial.other.query('rollback')
    return unlike(rows, [{ next: 42 }], 'run a second time it gave')
  },
}

const clockMoves: Check = {
  id: 'clock-moves',
  async run({ one }) {
    await one.query('begin')
    const { before } = await only<{ before: string }>(one, 'select clock_timestamp()::text as before')
    const { later, still } = await only<{ later: boolean; still: boolean }>(
      one,
      `select clock_timestamp() > '${before}'::timestamptz as later, now() < '${before}'::timestamptz as still`,
    )
    await one.query('commit')
    return later && still ? null : 'clock_timestamp() stands still in a transaction, or now() does not'
  },
}

/** In the order in which they are tried: where sessions do not last, nothing else means anything. */
export const SESSION_CHECKS: readonly Check[] = [
  writable,
  listen,
  setting(
    'encoding',
    'server_encoding',
    (value) => value === 'UTF8',
    `Create the database again: create database fairball encoding 'UTF8' template template0.`,
  ),
  setting('fsync', 'fsync', (value) => value === 'on', 'Switch it on: a power cut would lose what was acknowledged.'),
  setting(
    'full-page-writes',
    'full_page_writes',
    (value) => value === 'on',
    'Switch it on: a power cut could leave half a page.',
  ),
  setting(
    'synchronous-commit',
    'synchronous_commit',
    (value) => value !== 'off',
    'Switch it on: a power cut would lose what was acknowledged.',
  ),
  notifyAfterCommit,
  notifyNeverOnRollback,
  advisoryExcludes,
  advisoryEndsWithTransaction,
  advisoryWaits,
  advisoryShared,
  advisoryEndsWithConnection,
  preparedStatementsLast,
  clockMoves,
]
