import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { forgetPayouts } from '../../../test/forgotten-payouts.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { StandInLightning } from '../../../test/stand-in-lightning.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { acceptSpends, listPayouts, retryAddress, retryAllPayouts } from '../operator/payout-actions.ts'
import { findSendsCursor, listOpenLightning, saveSendsCursor } from './lightning-queries.ts'
import { catchUp } from './lightning-watching.ts'

const DAY = 86_400
const OFFER = `lno1${'q'.repeat(150)}`

let database: TestDatabase
let money: MoneyFixture
let node: StandInLightning

beforeEach(async () => {
  database = await testDatabase()
  const runtime = testRuntime()
  node = new StandInLightning(runtime)
  money = await moneyFixture({ db: database.db, runtime, lightning: (db) => node.payouts(db) })
  await node.accept(database.db)
  await watch()
})
afterEach(() => database.drop())

const desk = () => ({ db: money.db, runtime: money.runtime, jobs: money.queue, actor: 'operator' })
const pass = (seconds: number): Promise<void> => money.moveTo(money.runtime.clock.now() + seconds)

async function player(wallet: string, hasAddress = false) {
  const { id, address } = await money.player({ hasAddress })
  await money.saveDestination(id, wallet)
  return { id, address, wallet }
}

/** What a worker does each minute: it compares the node's payments. */
async function watch(): Promise<void> {
  const { lightning } = money.payouts
  if (lightning === null) throw new Error('this fixture pays over Lightning')
  await catchUp({ ...money.payouts, lightning })
}

/** The payments that stop payouts. */
async function foundPayments(): Promise<string[]> {
  await watch()
  return (await listPayouts(desk())).unaccepted
}

/** Makes the database a backup from before everything that `work` does with payouts. */
async function forgetting(work: () => Promise<void>): Promise<void> {
  const { nodeId, cursor } = await money.db.one(findSendsCursor, [])
  await work()
  await forgetPayouts(database.url)
  await money.db.execute(saveSendsCursor, [nodeId, cursor])
}

describe('a database older than the payments of the Lightning node', () => {
  it('a player whom a forgotten payment paid is not paid again, and everyone else is', async () => {
    const paid = await player('paid@wallet.example', true)
    const other = await player('other@wallet.example')
    await money.owe(paid.id, 40_000n)
    await forgetting(() => money.queue.runDue())
    expect(node.arrivedAt(paid.wallet)).toEqual([40_000_000n])

    await money.owe(other.id, 41_000n)
    const found = await foundPayments()
    expect(found).toHaveLength(1)
    expect(await acceptSpends(desk(), found)).toContain(' 1 player is set aside: payouts-list.')
    await retryAllPayouts(desk())
    await pass(2 * DAY)
    expect(node.arrivedAt(paid.wallet)).toEqual([40_000_000n])
    expect(await money.paidTo(paid.address)).toEqual([])
    expect(node.arrivedAt(other.wallet)).toEqual([41_000_000n])
    const reason = `may have been paid already by ${found.join('')}`
    expect((await listPayouts(desk())).setAside).toMatchObject([{ playerId: paid.id, address: paid.wallet, reason }])

    await acceptSpends(desk(), found, false)
    await pass(2 * DAY)
    expect(node.arrivedAt(paid.wallet)).toEqual([40_000_000n, 40_000_000n])
  })

  it.each([
    ['waits for an invoice', () => (node.walletSays = 'Out of order'), 120],
    ['has an invoice that the node never heard of', () => node.next.push('never hears'), 2 * DAY],
  ])('a payout that the backup has does not leave a second time: it %s', async (_state, happen, seconds) => {
    const { id, wallet } = await player(OFFER)
    happen()
    await money.owe(id, 40_000n)
    await money.queue.runDue()
    node.walletSays = null
    node.foreign.push({ hash: 'ab'.repeat(32), label: `payout 1.2 ${wallet.slice(0, 100)}` })
    await acceptSpends(desk(), await foundPayments())
    await retryAllPayouts(desk())
    await pass(seconds)
    expect(node.arrivedAt(wallet)).toEqual([])
    expect((await money.db.run(listOpenLightning, [])).length).toBe(0)
    await retryAddress(desk(), wallet)
    await pass(2 * DAY)
    expect(node.arrivedAt(wallet)).toEqual([40_000_000n])
  })

  it('a payment without a label may have paid any player who is paid over Lightning', async () => {
    const first = await player('first@wallet.example')
    const second = await player('second@wallet.example')
    const onChain = await money.player({ hasAddress: true })
    node.foreign.push({ hash: 'ab'.repeat(32), label: null }, { hash: 'cd'.repeat(32), label: 'rent' })
    for (const { id } of [first, second, onChain]) await money.owe(id, 40_000n)
    const found = await foundPayments()
    expect(found).toEqual([`ln:${'ab'.repeat(32)}`, `ln:${'cd'.repeat(32)}`])
    expect(await acceptSpends(desk(), found)).toContain(' 2 players are set aside: payouts-list.')
    await retryAllPayouts(desk())
    await pass(2 * DAY)
    expect([node.arrivedAt(first.wallet), node.arrivedAt(second.wallet)]).toEqual([[], []])
    expect(await money.paidTo(onChain.address)).toEqual([40_000n])
    // Each has to be known: one alone lets nobody be paid.
    await acceptSpends(desk(), found.slice(0, 1), false)
    await pass(2 * DAY)
    expect(node.arrivedAt(first.wallet)).toEqual([])
    await acceptSpends(desk(), found.slice(1), false)
    await pass(2 * DAY)
    expect([node.arrivedAt(first.wallet), node.arrivedAt(second.wallet)]).toEqual([[40_000_000n], [40_000_000n]])
  })
})
