import { expect, it } from 'vitest'
import { testApplication, type TestApplication } from '../../../test/application.ts'
import { notingDb } from '../../../test/asked-statements.ts'

const TICKETS = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
  [11, 12, 13, 14, 15],
].map((numbers) => ({ isLuckyDip: false, numbers }))
const BODY = { type: 'lotto', key: 'bitcoin-hero', days: [2, 5], weeks: 1, tickets: TICKETS }

it('an order takes eight round trips to the database, with two commits', async () => {
  let noting: ReturnType<typeof notingDb> | null = null
  const application = await testApplication({ wrapDb: (db) => (noting = notingDb(db)).db })
  const { bearer } = await application.signUp()
  take(noting)
  const order = await buy(application, bearer, 'a key')
  const asked = take(noting)
  expect(asked).toEqual([
    ['accounts.find-signed-in'],
    ['games.find-offered'],
    // The order exists before the payment provider is asked.
    [
      'begin',
      'orders.lock-player',
      'orders.find-by-idempotency-key',
      'orders.is-secret-known',
      'orders.find-standing',
      'orders.find-open-draws',
    ],
    [
      'payments.find-rate',
      'draws.hold-commitments',
      'draws.list-sales',
      'ledger.sum-of-account',
      'treasury.sum-unbooked',
      'draws.find-proven-time',
      'orders.find-standing-lines',
      'accounts.find-limits-to-play',
    ],
    // What its promise says is read here too.
    ['orders.insert', 'jobs.add', 'orders.find-promised', 'fairness.find-state'],
    ['commit'],
    ['test-wallet.next-address-index'],
    // A transaction of its own.
    ['payments.store-invoice'],
  ])

  // The same request again finds it all, and writes nothing.
  expect(await buy(application, bearer, 'a key')).toEqual(order)
  expect(take(noting)).toEqual([
    ['accounts.find-signed-in'],
    ['games.find-offered'],
    [
      'begin',
      'orders.lock-player',
      'orders.find-by-idempotency-key',
      'orders.is-secret-known',
      'orders.find-standing',
      'orders.find-open-draws',
    ],
    ['commit'],
    ['payments.find-order'],
    ['payments.find-opened'],
  ])
})

async function buy(application: TestApplication, bearer: string, key: string) {
  const { status, body } = await application.call('POST', '/payment', {
    bearer,
    body: BODY,
    headers: { 'idempotency-key': key },
  })
  expect(status).toBe(201)
  return body
}

function take(noting: ReturnType<typeof notingDb> | null): string[][] {
  if (noting === null) throw new Error('the program has no database')
  return noting.take()
}
