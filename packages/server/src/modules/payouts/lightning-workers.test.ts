import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { ADDRESS_SEALS } from '../../../test/sealed-addresses.ts'
import { StandInLightning } from '../../../test/stand-in-lightning.ts'
import { FalsePreimage, type LightningSender } from '../../ports/lightning/lightning-node.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { approveLightning, giveUpLightning, retryLightning } from '../operator/lightning-payout-actions.ts'
import { stepLightning } from './lightning-steps.ts'
import { catchUp } from './lightning-watching.ts'
import { AddressSeals, listOpenLightning, makePayouts } from './service.ts'

let database: TestDatabase
let money: MoneyFixture
let node: StandInLightning
/** What a test does around the calls of the node. */
let around: Partial<{ track: () => Promise<void>; send: () => Promise<void> }> = {}

beforeAll(async () => {
  database = await testDatabase()
  const runtime = testRuntime()
  node = new StandInLightning(runtime)
  money = await moneyFixture({ db: database.db, runtime, lightning: (db) => node.payouts(db, watched) })
  await node.accept(database.db)
})
afterAll(() => database.drop())
afterEach(() => void (around = {}))

function watched<T extends LightningSender>(made: T): T {
  return {
    ...made,
    async track(hash) {
      const word = await made.track(hash)
      await around.track?.()
      return word
    },
    async send(payment) {
      await around.send?.()
      await made.send(payment)
    },
  }
}

const pass = (seconds: number): Promise<void> => money.moveTo(money.runtime.clock.now() + seconds)
const step = async (payoutId: bigint): Promise<void> => {
  const { lightning } = money.payouts
  if (lightning !== null) await stepLightning({ ...money.payouts, lightning }, payoutId)
}
/** What a worker does each minute. */
const watch = async (): Promise<void> => {
  const { lightning } = money.payouts
  if (lightning !== null) await catchUp({ ...money.payouts, lightning })
}

/** A player who is paid over Lightning. */
async function paidPlayer(host?: string) {
  const { id } = await money.player({ hasAddress: false })
  const wallet = `player${id}@${host ?? `wallet${id}.example`}`
  await money.saveDestination(id, wallet)
  return { id, wallet }
}

/** A payout that waits for an invoice. */
async function waitingPayout(host?: string) {
  const { id, wallet } = await paidPlayer(host)
  node.walletSays = 'Out of order'
  await money.owe(id, 20_000n)
  await money.queue.runDue()
  node.walletSays = null
  const payouts = await money.db.run(listOpenLightning, [])
  const payoutId = payouts.find(({ playerId }) => playerId === id)?.id
  if (payoutId === undefined) throw new Error('no payout was made')
  return { payoutId, wallet }
}

it('a payout whose preimage is of another payment is halted, and goes on when the operator has looked', async () => {
  const { payoutId, wallet } = await waitingPayout()
  around.track = () => Promise.reject(new FalsePreimage('ab'.repeat(32)))
  await pass(120)
  const stateOf = async () => (await money.db.run(listOpenLightning, [])).find(({ id }) => id === payoutId)?.state
  expect([await stateOf(), node.arrivedAt(wallet)]).toEqual(['HALTED', []])
  around = {}
  const desk = { db: money.db, runtime: money.runtime, jobs: money.queue, actor: 'operator' }
  await retryLightning(desk, payoutId)
  await pass(120)
  expect(node.arrivedAt(wallet)).toEqual([20_000_000n])
})

it('an attempt that a slower worker is about to send does not end, though the node refused it to the other one', async () => {
  const { payoutId, wallet } = await waitingPayout()
  const [slow, sending, sent] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const isSlow = Promise.withResolvers<void>()
  money.runtime.clock.set(money.runtime.clock.now() + 61)
  around.track = async () => {
    around = {}
    isSlow.resolve()
    await slow.promise
  }
  const other = step(payoutId) // has looked, before anybody sent
  await isSlow.promise
  node.next.push('no way')
  await step(payoutId)
  money.runtime.clock.set(money.runtime.clock.now() + 6)
  around.track = async () => {
    around = {
      async send() {
        sending.resolve()
        await sent.promise
      },
    }
    slow.resolve()
    await sending.promise
  }
  await step(payoutId) // looks the second time, and finds it dead
  sent.resolve()
  await other
  await pass(3600)
  expect(node.arrivedAt(wallet)).toEqual([20_000_000n])
})

it('of many payouts to wallets at one slow host few wait for it, and the others are put off', async () => {
  const payouts = []
  for (let count = 0; count < 6; count += 1) payouts.push(await waitingPayout('slow.example'))
  const { lightning } = money.payouts
  if (lightning === null) throw new Error('this fixture pays over Lightning')
  money.runtime.clock.set(money.runtime.clock.now() + 61)
  const answer = Promise.withResolvers<void>()
  const { payees } = lightning
  const slow = {
    ...payees,
    async fetchInvoice(...asked: Parameters<typeof payees.fetchInvoice>) {
      await answer.promise
      return await payees.fetchInvoice(...asked)
    },
  }
  let putOff = 0
  const isPutOff = Promise.withResolvers<void>()
  const steps = payouts.map(async ({ payoutId }) => {
    await stepLightning({ ...money.payouts, lightning: { ...lightning, payees: slow } }, payoutId)
    putOff += 1
    if (putOff === 3) isPutOff.resolve()
  })
  await isPutOff.promise
  expect([putOff, lightning.asked.get('slow.example')?.places]).toEqual([3, 3])
  answer.resolve()
  await Promise.all(steps)
  await pass(5)
  expect(payouts.map(({ wallet }) => node.arrivedAt(wallet))).toEqual(payouts.map(() => [20_000_000n]))
  expect(lightning.asked.size).toBe(0)
})

it('refunds that wait for approval hold up no other refunds, and no prize of their player', async () => {
  const { lightning } = money.payouts
  if (lightning === null) throw new Error('this fixture pays over Lightning')
  const limits = () => ({ ...lightning.limits(), floatSats: 1_000_000n })
  const ctx = { ...money.payouts, lightning: { ...lightning, limits }, returnSeconds: 3600 }
  const [large, small] = [await paidPlayer(), await paidPlayer()]
  await money.owe(large.id, 300_000n, 'excess')
  await money.owe(large.id, 90_000n)
  await money.owe(small.id, 10_000n, 'refund')
  const room = await lightning.watch.room()
  await money.db.transaction((tx) => makePayouts(ctx, tx, room))
  await pass(1)
  expect([node.arrivedAt(large.wallet), node.arrivedAt(small.wallet)]).toEqual([[90_000_000n], [9_949_000n]])
  const waiting = (await money.db.run(listOpenLightning, [])).filter(({ state }) => state === 'WAITING_APPROVAL')
  expect(waiting).toMatchObject([{ playerId: large.id, sats: 300_000n }])
  const desk = { db: money.db, runtime: money.runtime, jobs: money.queue, actor: 'operator' }
  for (const { id } of waiting) await approveLightning(desk, id)
  await pass(1)
  await money.owe(small.id, 200_000n, 'refund')
  await money.db.transaction((tx) => makePayouts(ctx, tx, room))
  await pass(1)
  expect([node.arrivedAt(large.wallet).length, node.arrivedAt(small.wallet).length]).toEqual([2, 2])
})

it('an invoice is paid by who has the key that it was sealed with, and is sealed anew with another one', async () => {
  const { payoutId, wallet } = await waitingPayout()
  node.next.push('never hears')
  await pass(61)
  const next = new AddressSeals({ keyFor: (use) => new Uint8Array(32).fill(use.length) })
  await money.db.transaction((tx) => ADDRESS_SEALS.sealAgain(tx, next))
  await pass(200)
  expect([node.arrivedAt(wallet), money.runtime.logged.at(-1)]).toMatchObject([[], { payoutId: String(payoutId) }])
  await money.db.transaction((tx) => next.sealAgain(tx, ADDRESS_SEALS))
  await pass(120)
  expect(node.arrivedAt(wallet)).toEqual([20_000_000n])
})

it('a payment that arrives though its attempt had ended stops all payouts: it was made beside another', async () => {
  const { payoutId } = await waitingPayout()
  node.next.push('frozen, then pays')
  await pass(61)
  const desk = { db: money.db, runtime: money.runtime, jobs: money.queue, actor: 'operator' }
  await giveUpLightning(desk, payoutId)
  const hash = node.calls.at(-1)
  await pass(120)
  await watch()
  expect(await money.payouts.reconciling.stopReason()).toContain(`ln:${hash}`)
})
