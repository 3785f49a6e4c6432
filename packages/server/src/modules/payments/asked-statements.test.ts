import { expect, it } from 'vitest'
import { notingDb } from '../../../test/asked-statements.ts'
import { testLottery } from '../../../test/lottery.ts'
import { createOrder } from '../orders/service.ts'
import { addLook } from './looks.ts'
import { moneyOf, openInvoice, refreshPayments } from './service.ts'

const TICKETS = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
].map((numbers) => ({ numbers, isLuckyDip: false }))

it('a confirmed payment takes thirteen round trips to the database, its mail five, and a check without news six', async () => {
  let noting: ReturnType<typeof notingDb> | null = null
  const { lottery, addPlayer, db, runtime } = await testLottery({ wrapDb: (db) => (noting = notingDb(db)).db })
  const order = { gameKey: 'bitcoin-hero', days: [4, 5], weeks: 1, tickets: TICKETS, idempotencyKey: null }
  const paidOrder = async (): Promise<string> => {
    const { orderId } = await createOrder(lottery.orders, { ...order, playerId: await addPlayer() })
    await openInvoice(lottery.payments, orderId)
    const { address, dueSats } = await moneyOf(lottery.payments, orderId)
    await lottery.chain.payIn({ address: address ?? '', sats: dueSats, minedConfirmations: 1 })
    return orderId
  }
  await refreshPayments(lottery.payments, await paidOrder()) // the first of its game also makes the ledger's accounts
  const orderId = await paidOrder()
  await lottery.queue.runDue()
  // As after a provider's message.
  await db.transaction((tx) => addLook(tx, lottery.queue, orderId, runtime.clock.now()))
  take(noting)

  await lottery.queue.runOne()
  expect(take(noting)).toEqual([
    // Lanes do these two once for several checks.
    ['jobs.due-kinds'],
    ['jobs.lease'],
    ['payments.find-before-look'],
    ['test-wallet.find-outputs-to'],
    ['begin', 'payments.lock-order', 'payments.find-unknown-among'],
    ['payments.insert-payments', 'payments.confirm-payments', 'payments.find-payments'],
    ['ledger.insert-posted-transfer', 'orders.lock', 'draws.find-proven-time'],
    ['orders.move', 'ledger.insert-posted-transfer', 'orders.share-draws', 'orders.find-draw-times'],
    [
      'orders.insert-plays',
      'jobs.add-unless-waiting', // the next batch of each draw
      'webhooks.insert-event',
      'messages.find-ordered-draws',
      'messages.find-first-lines',
      'messages.find-recipient',
      'payments.find-rates-at',
      'orders.sum-given-back',
    ],
    ['messages.insert', 'messages.insert-mail'],
    ['jobs.add'], // the mail
    ['jobs.add', 'jobs.remove-leased'], // the next check, and the end of this one
    ['commit'],
  ])
  expect((await moneyOf(lottery.payments, orderId)).status).toBe('PAID')
  take(noting)

  await lottery.queue.runOne()
  expect(take(noting)).toEqual([
    ['jobs.due-kinds'],
    ['jobs.lease'],
    ['messages.find-unsent-mail'],
    ['begin', 'messages.mark-mail-sent', 'jobs.remove-leased'],
    ['commit'],
  ])
  expect(await lottery.queue.runOne()).toBe(false)

  // A check without news ends with the comparison.
  await db.transaction((tx) => addLook(tx, lottery.queue, orderId, runtime.clock.now()))
  take(noting)
  await lottery.queue.runOne()
  expect(take(noting)).toEqual([
    ['jobs.due-kinds'],
    ['jobs.lease'],
    ['payments.find-before-look'],
    ['test-wallet.find-outputs-to'],
    ['begin', 'jobs.add', 'jobs.remove-leased'],
    ['commit'],
  ])
})

function take(noting: ReturnType<typeof notingDb> | null): string[][] {
  if (noting === null) throw new Error('the program has no database')
  return noting.take()
}
