import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { type Db, DatabaseUnavailable } from '../db/pool.ts'
import { monotonicTime } from '../runtime/system-runtime.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import type { Dependency, JobHandler, JobRun } from './job.ts'
import { LANES } from './lanes.ts'
import { JobQueue } from './queue.ts'
import { backoffSeconds } from './retrying.ts'

async function testQueue(handlers: JobHandler[]) {
  const runtime = testRuntime()
  const { db } = await testDatabase({ runtime })
  const queue = new JobQueue({ db, runtime })
  queue.register(handlers)
  const add = (kind: string, key: string, runAt?: number) =>
    db.transaction((tx) => queue.add(tx, kind, { key }, runAt === undefined ? { key } : { key, runAt }))
  return { queue, add, runtime, db, now: runtime.clock.now }
}

it('a job runs when it is due, and not before', async () => {
  const done: string[] = []
  const { queue, add, runtime, now } = await testQueue([
    { kind: 'note', mode: 'transaction', run: async (_tx, { key }) => void done.push(String(key)) },
  ])
  await add('note', 'later', now() + 60)
  await add('note', 'now')
  await queue.runDue()
  expect(done).toEqual(['now'])
  runtime.clock.set(now() + 60)
  await queue.runDue()
  expect(done).toEqual(['now', 'later'])
  expect(await queue.nextAt()).toBeNull()
})

it('a key that already waits is the same job, at the earlier of both times', async () => {
  let runs = 0
  const { queue, add, now } = await testQueue([
    { kind: 'note', mode: 'transaction', run: async () => void (runs += 1) },
  ])
  await add('note', 'same', now() + 600)
  await add('note', 'same')
  await queue.runDue()
  expect(runs).toBe(1)
  expect(await queue.nextAt()).toBeNull()
})

it('a job that fails is rolled back and retried later', async () => {
  let tries = 0
  const { queue, add, runtime, now } = await testQueue([
    {
      kind: 'note',
      mode: 'transaction',
      async run(tx) {
        tries += 1
        await queue.add(tx, 'effect', {}, { key: `effect-${tries}` })
        if (tries < 3) throw new Error('not yet')
      },
    },
    { kind: 'effect', mode: 'transaction', run: async () => undefined },
  ])
  await add('note', 'one')
  await queue.runDue()
  expect(await queue.nextAt()).toBe(now() + 1) // the job again; its effect was rolled back
  runtime.clock.set(now() + 1)
  await queue.runDue()
  expect(await queue.nextAt()).toBe(now() + 2)
  runtime.clock.set(now() + 2)
  await queue.runDue()
  expect(tries).toBe(3)
  expect(await queue.nextAt()).toBeNull()
})

describe('a job that fails again and again', () => {
  const failing = (kind: string, asks?: Dependency) => {
    const state = { fails: true, runs: 0 }
    const handler: JobHandler = {
      kind,
      mode: 'outside',
      ...(asks === undefined ? {} : { asks }),
      async run() {
        state.runs += 1
        if (state.fails) throw new Error('the node is away')
      },
    }
    return { state, handler }
  }

  it('a failed job is woken only by the first success of one that calls the same', async () => {
    const [one, other, elsewhere] = [failing('one', 'wallet'), failing('other', 'wallet'), failing('else', 'provider')]
    const { queue, add, runtime, now } = await testQueue([one.handler, other.handler, elsewhere.handler])
    for (const kind of ['one', 'other', 'else']) await add(kind, kind)
    for (let time = 0; time < 8; time += 1) {
      await queue.runDue()
      runtime.clock.set(now() + 60)
    }
    await queue.runDue()
    Object.assign(one.state, { fails: false })
    Object.assign(other.state, { fails: false, runs: 0 })
    Object.assign(elsewhere.state, { runs: 0 })
    await add('one', 'another')
    await queue.runDue()
    expect([other.state.runs, elsewhere.state.runs]).toEqual([1, 0])
    await queue.wake('provider')
    await queue.runDue()
    expect(elsewhere.state.runs).toBe(1)
  })

  it('a failed job is not woken while another worker has it', async () => {
    const one = failing('one', 'wallet')
    const { queue, add, runtime, now } = await testQueue([one.handler])
    await add('one', 'one')
    await queue.runOne()
    runtime.clock.set(now() + 1)
    let goOn = (): void => undefined
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    one.handler.run = () => ((one.state.runs += 1), waiting)
    const running = queue.runOne()
    await expect.poll(() => one.state.runs).toBe(2)
    await queue.wake('wallet')
    expect(await queue.runOne()).toBe(false)
    goOn()
    await running
  })

  it('a failed job is dropped for the next one of its grid once that is due', async () => {
    const one = failing('one', 'wallet')
    const { queue, add, runtime, now } = await testQueue([{ ...one.handler, everySeconds: 60 }])
    await add('one', 'now')
    await add('one', 'next', now() + 60)
    const dueAt = now() + 60
    for (let time = 0; time < 6; time += 1) {
      await queue.runDue()
      runtime.clock.set((await queue.nextAt()) ?? 0)
    }
    expect([now(), one.state.runs]).toEqual([dueAt, 6])
    Object.assign(one.state, { fails: false })
    await queue.runDue()
    expect([one.state.runs, await queue.nextAt()]).toEqual([7, null])
  })
})

it('an outside job goes to another worker if the first one died with it', async () => {
  let runs = 0
  const { queue, add, runtime, now } = await testQueue([
    {
      kind: 'call',
      mode: 'outside',
      async run() {
        runs += 1
        // The process dies here: nothing after the call happens, nothing is reported.
        if (runs === 1) await new Promise(() => undefined)
      },
    },
  ])
  await add('call', 'one')
  void queue.runOne()
  await expect.poll(() => runs).toBe(1)
  expect(await queue.runOne()).toBe(false) // leased
  runtime.clock.set(now() + 61)
  expect(await queue.runOne()).toBe(true)
  expect(runs).toBe(2)
  expect(await queue.nextAt()).toBeNull()
})

it('several outside jobs of one kind are taken together, each with its own end', async () => {
  const tries: string[] = []
  let underWay = 0
  let most = 0
  const { queue, add, runtime, now } = await testQueue([
    {
      kind: 'call',
      mode: 'outside',
      async run({ key }) {
        tries.push(String(key))
        most = Math.max(most, (underWay += 1))
        await new Promise((resolve) => setImmediate(resolve))
        underWay -= 1
        if (key === 'call 1' && tries.length <= 4) throw new Error('not yet')
      },
    },
  ])
  for (const place of [0, 1, 2, 3]) await add('call', `call ${place}`)
  queue.start()
  await expect.poll(() => queue.nextAt()).toBe(now() + 1)
  expect(tries.toSorted()).toEqual(['call 0', 'call 1', 'call 2', 'call 3'])
  expect(most).toBeGreaterThan(1)
  // A lane may begin its pause only after the clock has moved.
  await expect.poll(async () => (await runtime.clock.advance(1), queue.nextAt())).toBeNull()
  await queue.stop()
  expect(tries.filter((key) => key === 'call 1')).toHaveLength(2)
  expect(tries).toHaveLength(5)
})

it('what this process adds is taken without waiting for its next check', async () => {
  const done: string[] = []
  const { queue, add, db } = await testQueue([
    { kind: 'note', mode: 'transaction', run: async (_tx, { key }) => void done.push(String(key)) },
    { kind: 'messages.send', mode: 'outside', run: async ({ key }) => void done.push(String(key)) },
  ])
  const looks = vi.spyOn(db, 'one')
  queue.start()
  // Every lane has checked for more work, and pauses until the clock moves, which it does not.
  await expect
    .poll(() => looks.mock.settledResults.filter(({ type }) => type === 'fulfilled'))
    .toHaveLength(LANES.length)
  await add('note', 'one')
  await expect.poll(() => done).toEqual(['one'])
  await add('messages.send', 'a mail')
  await expect.poll(() => done).toEqual(['one', 'a mail'])
  await queue.stop()
})

it('a job whose turn comes too late for its lease is given back as it was taken, and is no failure', async () => {
  const attempts: number[] = []
  const { queue, add, runtime, now } = await testQueue([
    {
      kind: 'call',
      mode: 'outside',
      async run(_payload, job) {
        attempts.push(job.attempts)
        if (attempts.length === 1) runtime.clock.set(now() + 6)
        job.assertTimeLeft(55)
      },
    },
  ])
  await add('call', 'one')
  await queue.runDue()
  expect(attempts).toEqual([0, 0])
  expect(await queue.nextAt()).toBeNull()
  expect(runtime.logged.filter(({ level }) => level === 'error')).toEqual([])
})

describe('an outside job that its handler removes', () => {
  it('a job is removed with the commit of its work, and returns if that is rolled back', async () => {
    let fails = true
    const { queue, add, runtime, db, now } = await testQueue([
      {
        kind: 'call',
        mode: 'outside',
        run: (_payload, { finish }) =>
          db.transaction(async (tx) => {
            await finish(tx)
            if (fails) throw new Error('not yet')
          }),
      },
    ])
    await add('call', 'one')
    await queue.runOne()
    expect(await queue.nextAt()).toBe(now() + 1)
    fails = false
    runtime.clock.set(now() + 1)
    await queue.runOne()
    expect(await queue.nextAt()).toBeNull()
  })

  it('a job stays with its present holder if the lease was lost', async () => {
    let runs = 0
    let goOn = (): void => undefined
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    const { queue, add, runtime, db, now } = await testQueue([
      {
        kind: 'call',
        mode: 'outside',
        async run(_payload, { finish }) {
          runs += 1
          if (runs > 1) throw new Error('not yet')
          await waiting
          await db.transaction(finish)
        },
      },
    ])
    await add('call', 'one')
    const first = queue.runOne()
    await expect.poll(() => runs).toBe(1)
    runtime.clock.set(now() + 61)
    await queue.runOne() // another worker takes it, and delays it
    goOn()
    await first
    expect(await queue.nextAt()).toBe(now() + 2)
  })
})

it('several callers that run all due work at the same time do not wait for each other for ever', async () => {
  let runs = 0
  const { queue, add } = await testQueue([{ kind: 'note', mode: 'transaction', run: async () => void (runs += 1) }])
  for (let index = 0; index < 20; index += 1) await add('note', `note-${index}`)
  await Promise.all(Array.from({ length: 6 }, () => queue.runDue()))
  expect(runs).toBe(20)
})

it('running all due work waits for a job that a lane of this process is just leasing', async () => {
  const done: string[] = []
  const runtime = testRuntime()
  const { db } = await testDatabase({ runtime })
  const leased = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let looks = 0
  const run: Db['run'] = async (statement, params) => {
    if (statement.name === 'jobs.due-kinds') looks += 1
    const rows = await db.run(statement, params)
    if (!statement.name.startsWith('jobs.lease')) return rows
    leased.resolve()
    await answered.promise
    return rows
  }
  const queue = new JobQueue({ db: { ...db, run }, runtime })
  queue.register([{ kind: 'call', mode: 'outside', run: async ({ key }) => void done.push(String(key)) }])
  await db.transaction((tx) => queue.add(tx, 'call', { key: 'one' }, { key: 'one' }))
  queue.start()
  onTestFinished(() => queue.stop())
  await leased.promise
  const ran = queue.runDue().then(() => done.push('all due work'))
  // Every lane has looked once, and this call twice, unless it has ended.
  await expect.poll(() => looks >= LANES.length + 2 || done.length > 0).toBe(true)
  answered.resolve()
  await ran
  expect(done).toEqual(['one', 'all due work'])
})

it('a draw closes and prizes are paid when they are due, however many payments wait for a provider that hangs', async () => {
  const done: string[] = []
  let release = (): void => undefined
  const hanging = new Promise<void>((resolve) => (release = resolve))
  const note = (kind: string): JobHandler => ({ kind, mode: 'transaction', run: async () => void done.push(kind) })
  const { queue, add } = await testQueue([
    { kind: 'payments.refresh', mode: 'outside', run: () => hanging },
    note('draws.close'),
    note('payouts.make'),
    note('mail.send'),
  ])
  for (let order = 0; order < 20; order += 1) await add('payments.refresh', `order ${order}`)
  for (const kind of ['draws.close', 'payouts.make', 'mail.send']) await add(kind, kind)
  queue.start()
  await expect.poll(() => done.toSorted()).toEqual(['draws.close', 'payouts.make'])
  release()
  await expect.poll(() => done).toContain('mail.send')
  await queue.stop()
})

describe('the lanes of a queue', () => {
  /** Real time that a test advances. */
  async function queueInTime(handlers: JobHandler[], wrapDb: (db: Db) => Db = (db) => db) {
    const runtime = { ...testRuntime(), monotonic: { ...monotonicTime, aheadMs: 0 } }
    runtime.monotonic.nowMs = () => monotonicTime.nowMs() + runtime.monotonic.aheadMs
    const { db } = await testDatabase({ runtime })
    const queue = new JobQueue({ db: wrapDb(db), runtime })
    queue.register(handlers)
    onTestFinished(() => queue.stop())
    return { queue, runtime, add: (key: string) => db.transaction((tx) => queue.add(tx, 'work', {}, { key })) }
  }

  it('lanes are alive while they find work or none, and not once they are stopped', async () => {
    const { queue, runtime } = await queueInTime([])
    expect(queue.isAlive()).toBe(true)
    queue.start()
    await runtime.clock.advance(2)
    expect(queue.isAlive()).toBe(true)
    await queue.stop()
    expect(queue.isAlive()).toBe(false)
  })

  it('lanes hang if they cannot reach the database for a minute, and resume when they can', async () => {
    let isGone = false
    const { queue, runtime } = await queueInTime([], (db) => ({
      ...db,
      transaction: (work, options) =>
        isGone ? Promise.reject(new DatabaseUnavailable('gone')) : db.transaction(work, options),
    }))
    queue.start()
    isGone = true
    runtime.monotonic.aheadMs = 61_000
    await runtime.clock.advance(5)
    expect(queue.isAlive()).toBe(false)
    isGone = false
    const isAlive = async (): Promise<boolean> => (await runtime.clock.advance(2), queue.isAlive())
    await expect.poll(isAlive).toBe(true)
  })

  it('lanes may work on one job for minutes, and hang if it takes a quarter of an hour', async () => {
    let release = (): void => undefined
    const hanging = new Promise<void>((resolve) => (release = resolve))
    let runs = 0
    const run = (): Promise<void> => ((runs += 1), hanging)
    const { queue, runtime, add } = await queueInTime([{ kind: 'work', mode: 'outside', run }])
    await add('one')
    queue.start()
    await expect.poll(() => runs).toBe(1)
    runtime.monotonic.aheadMs = 800_000
    const isAlive = async (): Promise<boolean> => (await runtime.clock.advance(2), queue.isAlive())
    await expect.poll(isAlive).toBe(true)
    runtime.monotonic.aheadMs = 901_000
    await runtime.clock.advance(2)
    expect(queue.isAlive()).toBe(false)
    release()
  })
})

it('each log line names its job, and every run is reported', async () => {
  const runtime = testRuntime()
  const { db } = await testDatabase({ runtime })
  const runs: JobRun[] = []
  const queue = new JobQueue({ db, runtime, onRun: (run) => runs.push(run) })
  queue.register([
    { kind: 'good', mode: 'transaction', run: async () => runtime.log.info('a line of a service') },
    { kind: 'bad', mode: 'outside', run: () => Promise.reject(new Error('no')) },
  ])
  await db.transaction(async (tx) => {
    await queue.add(tx, 'good', {}, { key: 'good:1' })
    await queue.add(tx, 'bad', {}, { key: 'bad:1' })
  })
  await queue.runDue()
  expect(runtime.logged.find(({ msg }) => msg === 'a line of a service')).toMatchObject({ job: 'good', key: 'good:1' })
  expect(runs.map(({ kind, isFailed }) => [kind, isFailed])).toEqual([
    ['good', false],
    ['bad', true],
  ])
  for (const { seconds } of runs) expect(seconds).toBeGreaterThanOrEqual(0)
})

it('the delay grows after each failure, up to a minute, with mail an hour', () => {
  const attempts = [0, 1, 2, 5, 12, 400]
  expect(attempts.map((times) => backoffSeconds('payouts.sign', times))).toEqual([1, 2, 4, 32, 60, 60])
  expect(attempts.map((times) => backoffSeconds('messages.send', times))).toEqual([1, 2, 4, 32, 3600, 3600])
})
