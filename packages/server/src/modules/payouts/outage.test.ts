import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { moneyFixture } from '../../../test/money.ts'
import { sql, t } from '../../db/sql.ts'
import { NodeUnreachable } from '../../ports/bitcoin-node/rpc.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { moneyOf, statusOf } from '../payments/service.ts'
import { beginReconciling } from './service.ts'

const readFailed = sql({
  name: 'outage-test.read-failed',
  text: `select key, last_error from jobs where last_error is not null`,
  row: { key: t.text, lastError: t.text },
})

const OUTAGE_SECONDS = 3 * 3600
/** Time within which every call has been repeated. */
const WOKEN_SECONDS = 90

/** A port whose every call fails while the node is down, and is recorded once it is up. */
function outsideOf(state: { isAway: boolean; asked: Set<string> }) {
  return <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || name === 'nextLookAt') return value
        return async (...args: unknown[]): Promise<unknown> => {
          if (state.isAway) throw new NodeUnreachable(`${String(name)}: connection refused`)
          state.asked.add(String(name))
          return (await Reflect.apply(value, target, args)) as unknown
        }
      },
    })
}

it('every call is repeated within 90 s of the end of an outage, and the prize that fell due meanwhile is sent', async () => {
  const runtime = testRuntime()
  const { db } = await testDatabase({ runtime })
  const state = { isAway: false, asked: new Set<string>() }
  const outside = outsideOf(state)
  const money = await moneyFixture({ db, runtime, wrapWallet: outside, wrapProvider: outside })
  const { clock } = runtime
  const draw = await money.draw(1, clock.now() + 86_400)
  await beginReconciling(money.payouts)
  const [early, late] = [await money.player(), await money.player()]
  await money.owe(early.id, 30_000n)
  const orderId = await money.order(early.id, [draw])
  await money.queue.runDue()
  expect(await money.paidTo(early.address)).toEqual([30_000n])

  state.isAway = true
  const { address } = await moneyOf(money.payments, orderId)
  await money.chain.payIn({ address: address ?? '', sats: 1000n, minedConfirmations: 1 })
  await money.owe(late.id, 40_000n)
  for (let passed = 0; passed < OUTAGE_SECONDS; passed += 600) {
    clock.set(clock.now() + 600)
    await money.queue.runDue()
  }
  expect(await money.paidTo(late.address)).toEqual([])
  expect(await statusOf(money.payments, orderId, early.id)).toBe('PENDING')

  state.isAway = false
  state.asked.clear()
  await money.moveTo(clock.now() + WOKEN_SECONDS)
  expect(await money.paidTo(late.address)).toEqual([40_000n])
  expect(await statusOf(money.payments, orderId, early.id)).not.toBe('PENDING')
  // The check of the order, the comparison of the wallet, and the three steps of a batch.
  expect([...state.asked]).toEqual(expect.arrayContaining(['get', 'outgoing', 'prepare', 'broadcast', 'confirmations']))
  expect(await db.run(readFailed, [])).toEqual([])
}, 60_000)
