import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { JobQueue } from '../../jobs/queue.ts'
import { fixedRates } from '../../ports/rates/fixed-rates.ts'
import type { Rates, RatesRead } from '../../ports/rates/rates.ts'
import { TEST_START_AT, testRuntime, type TestRuntime } from '../../runtime/test-runtime.ts'
import { currentRates, OLDEST_RATE_SECONDS, RATE_SECONDS, RateBook } from './rates.ts'

let database: TestDatabase
let runtime: TestRuntime

beforeAll(async () => {
  database = await testDatabase()
  runtime = testRuntime()
})
afterAll(() => database.drop())

function bookOf(source: Rates) {
  const queue = new JobQueue({ db: database.db, runtime })
  const book = new RateBook({ db: database.db, runtime, jobs: queue, source })
  queue.register(book.jobs())
  return { queue, book }
}

/** What is read when every source says the same of a pound. */
function poundAt(satsPerUnit: bigint): RatesRead {
  const quotes = ['one.example', 'two.example'].map((source) => ({ source, currency: 'GBP', satsPerUnit }))
  return { rates: [{ currency: 'GBP', satsPerUnit }], quotes }
}

it('fixed rates sell whatever their age, unless a unit is worth too little, and are read only at the start', async () => {
  const { queue, book } = bookOf(fixedRates)
  await book.start()
  expect(await queue.nextAt()).toBe(null)
  runtime.clock.set(runtime.clock.now() + 400 * 86_400)
  expect(await book.requireFreshRate(database.db, 'GBP', runtime.clock.now())).toBe(1000n)
  await expect(book.requireFreshRate(database.db, 'JPY', runtime.clock.now())).rejects.toMatchObject({
    code: 'RATE_UNAVAILABLE', // a yen is worth 5 satoshis, and draws need 100
  })
  expect((await currentRates(database.db, runtime.clock.now())).get('USD')).toBe(770n)
  expect(await currentRates(database.db, TEST_START_AT - 1)).toEqual(new Map())
})

it('a live source is read every 300 seconds, from now on after a jump, and no rate older than 15 minutes sells', async () => {
  let satsPerUnit = 1050n
  let isDown = false
  const source: Rates = {
    isFixed: false,
    sources: [],
    read: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(poundAt(satsPerUnit))),
  }
  const { queue, book } = bookOf(source)
  await Promise.all([book.start(), book.start()])
  const startAt = runtime.clock.now()
  expect(await queue.nextAt()).toBe((Math.floor(startAt / RATE_SECONDS) + 1) * RATE_SECONDS)

  satsPerUnit = 1100n
  runtime.clock.set(startAt + 400 * 86_400)
  await queue.runDue()
  const now = runtime.clock.now()
  expect(await book.requireFreshRate(database.db, 'GBP', now)).toBe(1100n)
  expect(await queue.nextAt()).toBeGreaterThan(now)

  isDown = true
  expect(await book.requireFreshRate(database.db, 'GBP', now + OLDEST_RATE_SECONDS)).toBe(1100n)
  await expect(book.requireFreshRate(database.db, 'GBP', now + OLDEST_RATE_SECONDS + 1)).rejects.toMatchObject({
    code: 'RATE_UNAVAILABLE',
  })
  await expect(book.requireFreshRate(database.db, 'XAU', now)).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' })
})

it('a jump is stored only when a second reading says the same, and nothing is sold meanwhile', async () => {
  const fresh = await testDatabase()
  const clock = testRuntime()
  let satsPerUnit = 2000n
  const source: Rates = { isFixed: false, sources: [], read: () => Promise.resolve(poundAt(satsPerUnit)) }
  const queue = new JobQueue({ db: fresh.db, runtime: clock })
  const book = new RateBook({ db: fresh.db, runtime: clock, jobs: queue, source })
  queue.register(book.jobs())
  await book.start()
  const now = (): number => clock.clock.now()
  const rate = () => book.requireFreshRate(fresh.db, 'GBP', now())
  const goOn = async (): Promise<void> => {
    clock.clock.set((await queue.nextAt()) ?? 0)
    await queue.runDue()
  }
  expect(await rate()).toBe(2000n)

  satsPerUnit = 200n
  await Promise.all([book.read(), book.read()]) // two processes at the same time are one reading
  await expect(rate()).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' })
  expect((await currentRates(fresh.db, now())).get('GBP')).toBe(2000n)
  satsPerUnit = 2010n
  await goOn()
  expect(now()).toBe(TEST_START_AT + 60)
  expect(await rate()).toBe(2010n)

  satsPerUnit = 3000n
  await book.read()
  await expect(rate()).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' })
  satsPerUnit = 3030n
  await goOn()
  expect(await rate()).toBe(3030n)
})
