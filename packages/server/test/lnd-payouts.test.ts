import { readBolt11 } from '@fairball/domain/bolt11'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Db } from '../src/db/pool.ts'
import { findViolations } from '../src/modules/invariants/service.ts'
import { inFlight, lightning, winnings } from '../src/modules/ledger/accounts.ts'
import { balanceOf } from '../src/modules/ledger/service.ts'
import { beginLightningPayouts, type LightningPayouts } from '../src/modules/payouts/service.ts'
import { createLndNode } from '../src/ports/lightning/lnd-node.ts'
import { NodeWatch } from '../src/ports/lightning/node-watch.ts'
import { acceptFirst } from '../src/ports/lightning/queries.ts'
import { monotonicTime } from '../src/runtime/system-runtime.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { type FakeLnd, startFakeLnd } from './fake-lnd/fake-lnd.ts'
import { moneyFixture, type MoneyFixture } from './money.ts'

const runtime = testRuntime()
/** Every wait is a fifth, and none is longer than a second. */
const IMPATIENT = { sleep: (ms: number, signal?: AbortSignal) => monotonicTime.sleep(Math.min(ms / 5, 1_000), signal) }
const LIMITS = { maxSats: 1_000_000n, feePpm: 5_000n, feeMinSats: 10n, floatSats: null }

let database: TestDatabase
let fake: FakeLnd
let money: MoneyFixture

/** What pays over the fake, whose payee stands for every wallet. */
function payoutsOver(db: Db): LightningPayouts {
  const { clock, log, monotonic } = runtime
  const node = createLndNode(fake.server, { monotonic: IMPATIENT, now: () => clock.now() })
  const watched = { log, monotonic: { ...monotonic, nowMs: () => clock.now() * 1000 } }
  return {
    node,
    watch: new NodeWatch({ db, node, runtime: watched, chainHeight: async () => null }),
    payees: {
      takesOffers: false,
      check: async () => ({ minMsat: 1_000n, maxMsat: 10n ** 11n }),
      async fetchInvoice(_destination, amountMsat) {
        const invoice = fake.ledger.askedByPayee(amountMsat, 600)
        return { invoice, hash: readBolt11(invoice)?.hash ?? '', expiresAt: clock.now() + 600 }
      },
    },
    limits: () => LIMITS,
    isClockWrong: async () => false,
    compared: { at: null },
    asked: new Map(),
  }
}

beforeAll(async () => {
  database = await testDatabase()
  fake = await startFakeLnd(() => runtime.clock.now())
  money = await moneyFixture({ db: database.db, runtime, lightning: payoutsOver })
  await database.db.execute(acceptFirst, [fake.ledger.nodeId, runtime.clock.now()])
  await beginLightningPayouts(money.payouts)
})
afterEach(async () => {
  expect(fake.problems).toEqual([])
  expect(await findViolations(money.db)).toEqual([])
})
afterAll(async () => {
  await fake.stop()
  await database.drop()
})

const arrivedMsat = (): bigint =>
  [...fake.ledger.payments.keys()].reduce((total, hash) => total + fake.ledger.receivedMsat(hash), 0n)
/** What is owed to a player, and what is on its way to anybody. */
const unpaidSats = async (id: bigint): Promise<bigint> =>
  (await balanceOf(money.db, winnings(id))) + (await balanceOf(money.db, inFlight))
const pass = (seconds: number): Promise<void> => money.moveTo(runtime.clock.now() + seconds)

async function winner(name: string): Promise<bigint> {
  const { id } = await money.player({ hasAddress: false })
  await money.saveDestination(id, `${name}@wallet.example`)
  return id
}

it('a prize leaves over lnd, and the books fall by what it cost', async () => {
  const id = await winner('ann')
  const [before, { localMsat }] = [await balanceOf(money.db, lightning), fake.ledger.sides()]
  await money.owe(id, 123_457n)
  await money.queue.runDue()
  expect(arrivedMsat()).toBe(123_457_000n)
  expect(await unpaidSats(id)).toBe(0n)
  const gaveMsat = localMsat - fake.ledger.sides().localMsat
  expect(before - (await balanceOf(money.db, lightning))).toBe((gaveMsat + 999n) / 1000n)
})

it('a prize that its wallet holds is followed and not sent again, and arrives once', async () => {
  const id = await winner('ben')
  const before = arrivedMsat()
  fake.ledger.setMode('hold')
  await money.owe(id, 50_000n)
  await money.queue.runDue()
  await pass(3_600)
  expect([...fake.ledger.payments.values()].filter((payment) => payment.status === 'IN_FLIGHT')).toHaveLength(1)
  expect(arrivedMsat()).toBe(before)
  fake.ledger.setMode('take')
  await pass(120)
  expect(arrivedMsat() - before).toBe(50_000_000n)
  expect(await unpaidSats(id)).toBe(0n)
})

it('a prize that its wallet refuses is tried again with another invoice', async () => {
  const id = await winner('cat')
  const [before, payments] = [arrivedMsat(), fake.ledger.payments.size]
  fake.ledger.setMode('fail')
  await money.owe(id, 40_000n)
  await money.queue.runDue()
  await pass(30)
  expect(arrivedMsat()).toBe(before)
  fake.ledger.setMode('take')
  await pass(3_600)
  expect([arrivedMsat() - before, await unpaidSats(id)]).toEqual([40_000_000n, 0n])
  expect(fake.ledger.payments.size).toBe(payments + 2)
})

it('while lnd is away nothing is sent, and a prize leaves once it is back', async () => {
  const id = await winner('dan')
  const before = arrivedMsat()
  fake.insteadOfAll = (response) => void response.socket?.destroy()
  await money.owe(id, 30_000n)
  await money.queue.runDue()
  await pass(600)
  fake.insteadOfAll = null
  await pass(600)
  expect([arrivedMsat() - before, await unpaidSats(id)]).toEqual([30_000_000n, 0n])
})

it('a payment that no payout asked for stops all payouts', async () => {
  const id = await winner('eve')
  const before = arrivedMsat()
  fake.ledger.pay(fake.ledger.askedByPayee(9_000_000n, 600), 10_000n)
  await pass(120)
  await money.owe(id, 20_000n)
  await pass(120)
  expect(arrivedMsat() - before).toBe(9_000_000n)
  expect(await money.payouts.reconciling.stopReason()).toContain('payments that are not ours')
})
