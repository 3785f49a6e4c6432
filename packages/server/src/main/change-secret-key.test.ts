import { expect, it } from 'vitest'
import { testLottery, type TestLottery } from '../../test/lottery.ts'
import { winningLines } from '../../test/winning-lines.ts'
import { openInstallation } from '../modules/fairness/installation.ts'
import { findSealedViolations } from '../modules/invariants/service.ts'
import { AddressSeals } from '../modules/payouts/service.ts'
import { createSeal } from '../runtime/seal.ts'
import { seededRandom } from '../runtime/test-runtime.ts'
import { changeSecretKey } from './change-secret-key.ts'
import { explanationOf } from './explain.ts'

/** As in `testLottery`. */
const OLD_KEY = new Uint8Array(32).fill(7)
const NEW_KEY = new Uint8Array(32).fill(8)
const SENTENCE = 'SECRET_KEY is not the one this database was made with.'

async function opens({ db, runtime }: TestLottery, secretKey: Uint8Array): Promise<boolean> {
  try {
    await openInstallation({ db, runtime, secretKey })
    return true
  } catch (error) {
    expect(explanationOf(error)).toBe(SENTENCE)
    return false
  }
}

/** Changes the key; `dies` decides before each statement whether the process ends there. */
async function change({ db, runtime }: TestLottery, dies: (statement: number) => boolean = () => false): Promise<void> {
  let asked = 0
  const mortal: typeof db = {
    ...db,
    transaction: (work, options) =>
      db.transaction(
        (tx) =>
          work(
            new Proxy(tx, {
              get(target, name: keyof typeof tx) {
                asked += 1
                if (dies(asked)) throw new Error('killed')
                return target[name]
              },
            }),
          ),
        options,
      ),
  }
  const seal = await openInstallation({ db, runtime, secretKey: OLD_KEY })
  await changeSecretKey({
    db: mortal,
    seal,
    next: createSeal(NEW_KEY, seededRandom('next')),
    random: seededRandom('change'),
  })
}

it.each([
  ['of this release', ''],
  ['of before there was a known word', `delete from system_state where key = 'installation.known-word'`],
])('a database %s opens with its own key and no other', async (_what, text) => {
  const test = await testLottery()
  if (text !== '') await test.rows(text)
  expect(await opens(test, NEW_KEY)).toBe(false)
  expect(await opens(test, OLD_KEY)).toBe(true)
  await expect(test.beside({ secretKey: NEW_KEY })).rejects.toThrow(SENTENCE)
})

it('a change of the key that is killed leaves exactly one key that works', async () => {
  const test = await testLottery()
  await test.addPlayer()
  let statement = 1
  for (let isDone = false; !isDone; statement += 1) {
    const at = statement
    isDone = await change(test, (asked) => asked === at).then(
      () => true,
      () => false,
    )
    expect([await opens(test, OLD_KEY), await opens(test, NEW_KEY)]).toEqual([!isDone, isDone])
  }
  expect(statement).toBeGreaterThan(10)
})

it('after a change of the key an older draw closes, verifies and pays, and digests stay the same', async () => {
  const test = await testLottery()
  const playerId = await test.addPlayer()
  await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: winningLines(), days: [3] })
  const digestKey = test.lottery.seal.keyFor('emailDigests')
  await change(test)
  await test.restart({ secretKey: NEW_KEY })
  expect(test.lottery.seal.keyFor('emailDigests')).toEqual(digestKey)
  expect(test.lottery.seal.keyFor('accessTokens')).not.toEqual(
    createSeal(OLD_KEY, test.runtime.random).keyFor('accessTokens'),
  )

  await test.moveTo(test.runtime.clock.now() + 2 * 86_400)
  expect(await test.rows(`select from draws d join plays p on p.draw_id = d.id where d.status <> 'settled'`)).toEqual(
    [],
  )
  expect(await findSealedViolations(test.db)).toEqual([])
  const { keyFor } = await openInstallation({ db: test.db, runtime: test.runtime, secretKey: NEW_KEY })
  expect(await new AddressSeals({ keyFor }).breaches(test.db)).toEqual([])
  expect(await test.rows(`select from payouts where sent_at is null`)).toEqual([])
  expect((await test.rows(`select from payouts`)).length).toBeGreaterThan(0)
  expect(await test.violations()).toEqual([])
})
