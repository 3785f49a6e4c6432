import type { Db, Statement, Tx } from '@fairball/server/testing/database'
import { dueKinds, leaseJob, leaseJobs, leasePortion, lockDueJob, nextJobAt } from '@fairball/server/testing/lottery'
import { currentErrand, nameErrand, takeUpErrand } from './errands.ts'
import type { Actor, Scheduler } from './scheduler.ts'

/** Rewrites a statement of the program before it is sent; this is how bugs are planted. */
export type Rewrite = (statement: Statement) => Statement

/** What a stepped database needs besides the real one. */
interface SteppedDbOptions {
  readonly scheduler: Scheduler
  readonly actor: Actor
  /** the number of connections of the process; a statement that needs another one waits */
  readonly connections: number
  readonly rewrite: Rewrite
  /** a statement before which a transaction is cut in two: a bug that only a crash exposes */
  readonly commitsBefore: string | null
  /** called with the statement texts of each transaction that may have committed, and with each single statement */
  readonly onWork: (texts: readonly string[]) => void
}

/** The database of one process. Every statement, begin, commit and rollback is a step. */
export function steppedDb(db: Db, options: SteppedDbOptions): Db {
  const { scheduler, actor, rewrite } = options
  let taken = 0
  const hasConnection = (): boolean => taken < options.connections

  async function holding<T>(act: () => Promise<T>): Promise<T> {
    taken += 1
    try {
      return await act()
    } finally {
      taken -= 1
    }
  }

  /** A statement outside a transaction: it needs a connection, and commits when it ends. */
  const alone =
    <A extends unknown[], R>(call: (statement: Statement, ...args: A) => Promise<R>) =>
    (statement: Statement, ...args: A): Promise<R> => {
      const act = (): Promise<R> => {
        const sent = rewrite(statement)
        return holding(() => call(sent, ...args)).finally(() => options.onWork([sent.text]))
      }
      return scheduler.step(actor, statement.name, act, hasConnection)
    }

  const one = alone(db.one as never)
  /**
   * A lane that asks for the next job sleeps until that job is due. The kinds it asked for decide which jobs wake it.
   */
  async function oneOrNextJob(statement: Statement, ...args: unknown[]): Promise<unknown> {
    const row = await one(statement, ...(args as never[]))
    if (statement.name === nextJobAt.name) actor.looksFor = (args as [[string[]]])[0][0]
    return row
  }

  const run = alone(db.run as never)
  /** A lane first lists the kinds of due jobs, then continues with what it found. */
  async function runOrTakeUp(statement: Statement, ...args: unknown[]): Promise<unknown[]> {
    if (statement.name === dueKinds.name) takeUpErrand()
    const errand = currentErrand()
    const rows = (await run(statement, ...(args as never[]))) as unknown[] // `run` always returns a list
    const isLease = [leaseJob, leaseJobs, leasePortion].some(({ name }) => name === statement.name)
    if (isLease && rows.length > 0) nameErrand(errand, (rows as { kind: string }[])[0]?.kind ?? '', true)
    return rows
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>, settings = {}): Promise<T> {
    const texts: string[] = []
    let last = ''
    let asked = 0
    let done = 0
    let end: { commit: (value: T) => void; rollback: (error: unknown) => void } | null = null
    let ended: Promise<T> | null = null

    /** Runs calls one at a time, in the order of the requests, as the real database does. */
    const inTurn = <R>(label: string, act: () => Promise<R>): Promise<R> => {
      const place = asked++
      const counted = (): Promise<R> => act().finally(() => (done += 1))
      return scheduler.step(actor, label, counted, () => place === done)
    }
    const begin = (): Promise<Tx> =>
      new Promise((resolve, reject) => {
        taken += 1
        ended = db.transaction((tx) => {
          resolve(tx)
          return new Promise<T>((commit, rollback) => (end = { commit, rollback }))
        }, settings)
        const release = (): void => void (taken -= 1)
        ended.then(release, (error: unknown) => {
          release()
          reject(error)
        })
      })

    const recording: Rewrite = (statement) => {
      const sent = rewrite(statement)
      texts.push(sent.text)
      last = statement.name
      return sent
    }

    const tx = await scheduler.step(actor, 'begin', begin, hasConnection)
    let value: T
    try {
      value = await work(steppedTx(tx, { inTurn, rewrite: recording, commitsBefore: options.commitsBefore }))
    } catch (error) {
      await inTurn('rollback', async () => {
        end?.rollback(error)
        await ended?.catch(() => undefined) // this is the caller's error, thrown below
      })
      throw error
    }
    return await inTurn(`commit ${last}`, async () => {
      end?.commit(value)
      try {
        // Assigned earlier, by `begin`.
        return await (ended as unknown as Promise<T>)
      } finally {
        options.onWork(texts) // even if the outcome is unknown
      }
    })
  }

  return {
    ...db,
    // All four take a statement and its arguments, whatever their types.
    run: runOrTakeUp as unknown as Db['run'],
    one: oneOrNextJob as unknown as Db['one'],
    maybeOne: alone(db.maybeOne as never),
    execute: alone(db.execute as never),
    notify: (channel, payload) =>
      scheduler.step(actor, 'notify', () => holding(() => db.notify(channel, payload)), hasConnection),
    transaction,
    // Nothing listens: a notification would only speed up what is polled anyway.
    listen: async () => async () => undefined,
  }
}

interface TxOptions {
  readonly inTurn: <R>(label: string, act: () => Promise<R>) => Promise<R>
  readonly rewrite: Rewrite
  readonly commitsBefore: string | null
}

/** Not statements of the program, which must never send them. */
const COMMIT: Statement = { name: 'simulation.commit', text: 'commit', params: [], row: {} }
const BEGIN: Statement = { name: 'simulation.begin', text: 'begin', params: [], row: {} }

function steppedTx(tx: Tx, { inTurn, rewrite, commitsBefore }: TxOptions): Tx {
  const within =
    <A extends unknown[], R>(call: (statement: Statement, ...args: A) => Promise<R>) =>
    (statement: Statement, ...args: A): Promise<R> => {
      const sent = rewrite(statement)
      const act = async (): Promise<R> => {
        if (statement.name === commitsBefore) for (const one of [COMMIT, BEGIN]) await tx.execute(one, [])
        return await call(sent, ...args)
      }
      return inTurn(statement.name, act)
    }
  const maybeOne = within(tx.maybeOne as never)
  async function maybeOneOrJob(statement: Statement, ...args: unknown[]): Promise<unknown> {
    const row = await maybeOne(statement, ...(args as never[]))
    if (statement.name === lockDueJob.name && row !== null) nameErrand(currentErrand(), (row as { kind: string }).kind)
    return row
  }
  async function* stream(statement: Statement, args: never, batchRows: number): AsyncGenerator<unknown[]> {
    const rows = tx.stream(rewrite(statement), args, batchRows)[Symbol.asyncIterator]()
    for (;;) {
      const next = await inTurn(statement.name, () => rows.next())
      if (next.done === true) return
      yield next.value
    }
  }
  return {
    run: within(tx.run as never),
    one: within(tx.one as never),
    maybeOne: maybeOneOrJob as unknown as Tx['maybeOne'],
    execute: within(tx.execute as never),
    notify: (channel, payload) => inTurn('notify', () => tx.notify(channel, payload)),
    stream: stream as unknown as Tx['stream'], // as above
  }
}
