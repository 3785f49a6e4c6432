import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import { findViolations } from '../../src/modules/invariants/service.ts'
import { lightning } from '../../src/modules/ledger/accounts.ts'
import { balanceOf } from '../../src/modules/ledger/service.ts'
import type { LightningPayouts } from '../../src/modules/payouts/service.ts'
import { stepLightning } from '../../src/modules/payouts/lightning-steps.ts'
import { createClnNode } from '../../src/ports/lightning/cln-node.ts'
import { NodeWatch } from '../../src/ports/lightning/node-watch.ts'
import { acceptFirst } from '../../src/ports/lightning/queries.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { testRuntime } from '../../src/runtime/test-runtime.ts'
import { Crasher, onlyDeath } from '../crasher.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { moneyFixture, type MoneyFixture } from '../money.ts'
import { casesOf } from '../share.ts'
import { type LightningNetwork, receivedBy, startNetwork } from './nodes.ts'

const SATS = 2_000n
const MSAT = 1_000n
/** Longer than any test: no invoice of a test is over. */
const EXPIRY_SECONDS = 86_000
const AT_ONCE = 20

let network: LightningNetwork
let database: TestDatabase
let client: pg.Client
let money: MoneyFixture
const crasher = new Crasher()
/** The payees' nodes, by the hosts of their addresses. */
function payeeOf(host = ''): LightningNetwork['payer'] {
  const payees = { payer: network.payer, router: network.router, third: network.others[0] }
  const payee = payees[host as keyof typeof payees]
  if (payee === undefined) throw new Error(`nobody is paid at ${host}`)
  return payee
}

beforeAll(async () => {
  network = await startNetwork(['third'])
  database = await testDatabase()
  client = await database.connect()
  const runtime = testRuntime()
  money = await moneyFixture({
    db: database.db,
    runtime,
    wrapDb: (db) => crasher.wrapDb(db),
    lightning: (db) => overNode(db, runtime),
  })
  await database.db.execute(acceptFirst, [network.operator.id, runtime.clock.now()])
})
afterAll(async () => {
  await network.stop()
  await database.drop()
})

function overNode(db: Db, runtime: ReturnType<typeof testRuntime>): LightningPayouts {
  const node = crasher.wrapNode(createClnNode(network.operator.file, monotonicTime))
  const limits = { maxSats: 1_000_000n, feePpm: 5_000n, feeMinSats: 10n, floatSats: null }
  let invoices = 0
  return {
    node,
    watch: new NodeWatch({ db, node, runtime, chainHeight: async () => null }),
    payees: {
      takesOffers: true,
      check: async () => ({ minMsat: 1n, maxMsat: 10n ** 11n }),
      async fetchInvoice({ value }, amountMsat) {
        invoices += 1
        const asked = { amount_msat: String(amountMsat), label: `${value} ${invoices}`, description: 'a prize' }
        const made = await payeeOf(value.split('@')[1]).call<{ bolt11: string; payment_hash: string }>('invoice', {
          ...asked,
          expiry: EXPIRY_SECONDS,
        })
        return { invoice: made.bolt11, hash: made.payment_hash, expiresAt: runtime.clock.now() + EXPIRY_SECONDS }
      },
    },
    limits: () => limits,
    isClockWrong: async () => false,
    compared: { at: null },
    asked: new Map(),
  }
}

/** Players who are owed a prize and paid over Lightning. @returns their ids */
async function winners(count: number, host = 'payer'): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let number = 0; number < count; number += 1) {
    const { id } = await money.player({ hasAddress: false })
    await money.saveDestination(id, `w${id}@${host}`)
    await money.owe(id, SATS)
    ids.push(id)
  }
  return ids
}

/** The attempts of some players' payouts, with what the payee's node received. */
async function attemptsOf(playerIds: readonly bigint[]) {
  const { rows } = await client.query<{ player_id: string; hash: string; outcome: string | null; address: string }>(
    `select o.player_id, a.payment_hash as hash, a.outcome, o.address from ln_attempts a join payouts o on o.id = a.payout_id
      where o.player_id = any($1) order by o.id, a.attempt`,
    [playerIds.map(String)],
  )
  const received = []
  for (const row of rows)
    received.push({ ...row, msat: await receivedBy(payeeOf(row.address.split('@')[1]), row.hash) })
  return received
}

/** Each payout that is booked was received, and no other: for every player once at most. */
async function assertBookedAsReceived(playerIds: readonly bigint[], { all = true } = {}): Promise<void> {
  const attempts = await attemptsOf(playerIds)
  for (const { outcome, msat, hash } of attempts)
    expect([hash, outcome === 'complete', msat]).toEqual([
      hash,
      outcome === 'complete',
      outcome === 'complete' ? SATS * MSAT : 0n,
    ])
  const paid = attempts.filter(({ outcome }) => outcome === 'complete').map((one) => one.player_id)
  expect(new Set(paid).size).toBe(paid.length)
  if (all) expect(paid.length).toBe(playerIds.length)
  expect(await findViolations(money.db)).toEqual([])
}

it('prizes reach the wallets of three nodes in full, and the books fall by what the node gave', async () => {
  const before = { booked: await balanceOf(money.db, lightning), node: (await overOperator().liquidity()).oursMsat }
  const ids = [...(await winners(4)), ...(await winners(4, 'router')), ...(await winners(4, 'third'))]
  await money.queue.runDue()
  await money.moveTo(money.runtime.clock.now() + 120)
  await assertBookedAsReceived(ids)
  const gave = before.node - (await overOperator().liquidity()).oursMsat
  const booked = (before.booked - (await balanceOf(money.db, lightning))) * MSAT
  expect(booked).toBeGreaterThanOrEqual(gave)
  expect(booked - gave).toBeLessThan(BigInt(ids.length) * MSAT)
})

it('a process that dies at any of its calls leaves each prize to be paid once by the next', async () => {
  const kills = casesOf({ all: 200, share: 6 })
  for (let kill = 1; kill <= kills; kill += 1) {
    const ids = await winners(1)
    crasher.arm(1 + (kill % 40), kill % 2 === 0 ? 'before' : 'after')
    await money.queue.runDue().catch(onlyDeath)
    crasher.arm(0, 'before')
    await money.moveTo(money.runtime.clock.now() + 240)
    await assertBookedAsReceived(ids)
  }
}, 600_000)

it('whenever the node dies with payments, what is booked is what the payees received', async () => {
  const kills = casesOf({ all: 60, share: 2 })
  const ids: bigint[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const some = await winners(2)
    ids.push(...some)
    const working = money.queue.runDue()
    await monotonicTime.sleep(60 + (kill * 200) / kills)
    await network.operator.kill9()
    await working
    await network.operator.restart()
    await money.moveTo(money.runtime.clock.now() + 240)
  }
  // What never left waits for the end of its invoice: nothing else is tried for it.
  await assertBookedAsReceived(ids, { all: false })
  const undecided = (await attemptsOf(ids)).filter(({ outcome }) => outcome === null)
  expect(undecided.length).toBeLessThanOrEqual(Math.ceil(kills / 2))
}, 600_000)

it('many prizes leave at once while a node of payees goes away, and all arrive once it is back', async () => {
  const count = casesOf({ all: 1000, share: 40 })
  const third = Math.floor(count / 3)
  const ids = [
    ...(await winners(count - 2 * third)),
    ...(await winners(third, 'router')),
    ...(await winners(third, 'third')),
  ]
  const { lightning: desk } = money.payouts
  if (desk === null) throw new Error('this fixture pays over Lightning')
  await money.queue.runOne() // makes them
  const { rows } = await client.query<{ id: string }>(`select payout_id as id from ln_payouts where state = 'QUEUED'`)
  let done = 0
  while (done < rows.length) {
    const some = rows.slice(done, done + AT_ONCE)
    done += some.length
    const away = done === AT_ONCE
    if (away) await network.payer.kill9()
    await Promise.all(
      some.map(({ id }) => stepLightning({ ...money.payouts, lightning: desk }, BigInt(id)).catch(() => null)),
    )
    if (away) await network.payer.restart()
  }
  await money.moveTo(money.runtime.clock.now() + 3600)
  await assertBookedAsReceived(ids)
}, 600_000)

function overOperator() {
  return createClnNode(network.operator.file, monotonicTime)
}
