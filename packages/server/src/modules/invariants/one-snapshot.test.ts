import { expect, it } from 'vitest'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { wrappedQueries } from '../../../test/wrapped-queries.ts'
import type { Db } from '../../db/pool.ts'
import { checkNewPostings } from './service.ts'

const DRAWN_AT = START_AT + 15 * 60 + 10
const NUMBERS = [3, 8, 14, 21, 30]

it('a draw that is settled while a look is under way breaks nothing', async () => {
  const test = await testLottery()
  await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: [NUMBERS], days: [3] })
  await test.moveTo(DRAWN_AT)
  await test.rig('bitcoin-hero', NUMBERS)

  // The player's first win makes an account, once the look has noted what was touched.
  const db: Db = {
    ...test.db,
    transaction: (work, options) =>
      test.db.transaction((tx) => {
        const noted = wrappedQueries(tx, async (statement, act) => {
          const found = await act()
          if (statement.name === 'invariants.find-touched') await settle(test)
          return found
        })
        return work(noted)
      }, options),
  }
  const looked = await checkNewPostings(db, test.runtime.clock.now() + 120)
  expect(looked?.violations).toEqual([])
  expect(await test.rows('select from payables where payout_id is null')).toHaveLength(1)
})

/** Runs jobs until the draw is settled, and none after that: the prize is not paid yet. */
async function settle(test: TestLottery): Promise<void> {
  test.runtime.clock.set(DRAWN_AT + 600)
  while ((await test.rows(`select from draws where status = 'settled'`)).length === 0) await test.lottery.queue.runOne()
}
