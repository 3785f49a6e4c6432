import { expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { type Death, Died, mortalDb, rewindableRandom } from '../../../test/mortal-db.ts'
import { createOrder } from '../orders/service.ts'
import { openInvoice } from './service.ts'
import { deathsAmong } from '../../../test/share.ts'

const HERO = 'bitcoin-hero'
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A quarter of an hour before a draw, ten minutes before its sales close. */
const FIRST_MORNING_AT = START_AT + 5 * HOUR + 45 * MINUTE
/** Wednesday, like the first day; Sunday is 7. */
const FIRST_WEEKDAY = 3

/** What changes payments. With `EVERY_CRASH` the process also dies at each check that changes nothing. */
const CHANGES = ['payments.confirm-payments', 'payments.mark-missing', 'payments.mark-found', 'payments.reverse']
const STEPS = process.env['EVERY_CRASH'] === undefined ? CHANGES : ['payments.lock-order']

/**
 * The outcome of a life. How often a payment was found undone depends on when another process followed one that died.
 */
interface Outcome {
  readonly statuses: readonly string[]
  readonly books: readonly unknown[]
  readonly steps: number
}

/** Lives of orders in one lottery, each on a day of its own. */
async function lives() {
  const random = rewindableRandom('reorganised')
  let mortal: ReturnType<typeof mortalDb> | undefined
  const test = await testLottery({
    random,
    wrapDb: (db) => {
      mortal = mortalDb(db, { random, isStep: (names) => STEPS.some((name) => names.has(name)) })
      return mortal.db
    },
  })
  if (mortal === undefined) throw new Error('the lottery was given its database')
  const { arm, revive, steps } = mortal
  const { rows, runtime, moveTo } = test
  const chain = chainOfPayments(test)
  let day = 0

  /** An order whose payment comes, is undone, returns, is undone after a close, and returns for good. */
  async function lifeOf(death: Death | null): Promise<Outcome> {
    arm(null)
    await moveTo(FIRST_MORNING_AT + day * DAY)
    const playerId = await test.addPlayer()
    await rows(`insert into free_tickets (player_id, game_key, won) values ($1, $2, 1)`, [playerId, HERO])
    const { orderId } = await createOrder(test.lottery.orders, {
      playerId,
      gameKey: HERO,
      days: [0, 1].map((ahead) => ((FIRST_WEEKDAY - 1 + day + ahead) % 7) + 1),
      weeks: 1,
      tickets: [
        { numbers: [1, 2, 3, 4, 5], isLuckyDip: false },
        { numbers: [6, 7, 8, 9, 10], isLuckyDip: false },
      ],
      idempotencyKey: null,
    })
    day += 1
    await openInvoice(test.lottery.payments, orderId)
    const outpoint = await chain.pay(orderId, 3200n, 1)
    arm(death)

    // What the network does is done once; our own work on it restarts after a death.
    const events = [
      () => Promise.resolve(),
      () => chain.toMempool(outpoint),
      () => chain.mine(outpoint),
      () => Promise.resolve(runtime.clock.set(runtime.clock.now() + 1)),
      () => chain.toMempool(outpoint),
      () => chain.mine(outpoint),
    ]
    const statuses: string[] = []
    for (const [place, happen] of events.entries()) {
      await happen()
      for (let tries = 0; ; tries += 1) {
        try {
          if (place === 3) await moveTo(runtime.clock.now() + 14 * MINUTE) // past the first close
          statuses.push(await chain.settleDoubts(orderId))
          break
        } catch (error) {
          if (!(error instanceof Died) || tries > 0) throw error
          revive()
          await test.takeOver()
        }
      }
    }
    expect(await test.violations()).toEqual([])
    const books = await rows(
      `select o.status, o.lost_sats, o.applied_sats,
          (select array_agg(p.stake_sats order by p.place) from plays p where p.order_id = o.id) as stakes,
          (select sum(sats)::text from payables where order_id = o.id) as given, f.used, f.held,
          (select json_object_agg(a.kind, x.sats) from (
            select account_id, sum(amount_sats)::text as sats from postings group by account_id) x
            join ledger_accounts a on a.id = x.account_id where a.kind in ('received', 'losses') and x.sats <> '0') as ledger
        from orders o join free_tickets f on f.player_id = o.player_id where o.id = $1`,
      [orderId],
    )
    return { statuses, books, steps: steps() }
  }

  return { lifeOf }
}

it('the outcome is the same wherever the process dies while payments are reorganised', async () => {
  const { lifeOf } = await lives()
  const whole = await lifeOf(null)
  expect(whole.statuses).toEqual(['PAID', 'PROCESSING', 'PAID', 'PAID', 'PROCESSING', 'PAID'])
  expect(whole.books).toMatchObject([
    { status: 'PAID', lost_sats: '0', stakes: ['1000', '2000'], given: '200', used: 1, held: 0, ledger: null },
  ])
  expect(whole.steps).toBeGreaterThan(6)
  for (const { dieAt: step, when } of deathsAmong(whole.steps)) {
    const { books } = await lifeOf({ step, when })
    expect(books, `died ${when} step ${step}`).toEqual(whole.books)
  }
}, 300_000)
