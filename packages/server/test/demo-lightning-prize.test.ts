import { luckyDip } from '@fairball/domain/lucky-dip'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { findViolations } from '../src/modules/invariants/service.ts'
import { monotonicTime } from '../src/runtime/system-runtime.ts'
import { CONFIG, PASSWORD, testApplication, type TestApplication } from './application.ts'
import { seededRandom } from './seeded-random.ts'

const DESTINATION = `ann@${new URL(CONFIG.publicUrl).host}`
const HOUR = 3600
const DAY = 86_400

/** A player who is paid at a Lightning address of the demo, and has paid for many lines of the next seven draws. */
async function playing(program: TestApplication) {
  const { call } = program
  const { bearer, email } = await program.signUp({ address: null })
  const body = { lightning: DESTINATION, pay_first: 'LIGHTNING', password: PASSWORD }
  const saving = call('PUT', '/settings/crypto-account-details', { bearer, body })
  // The address is looked at by a job, and the demo's clock runs those that are due.
  await Promise.race([saving, working(program)])
  expect((await saving).status).toBe(200)
  const saved = (await call('GET', '/settings/crypto-account-details', { bearer })).body
  expect([saved.lightning?.value, saved.pay_first]).toEqual([DESTINATION, 'LIGHTNING'])
  const random = seededRandom('prizes over Lightning')
  const tickets = Array.from({ length: 300 }, () => {
    const numbers = luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes))
    return { isLuckyDip: true, numbers }
  })
  const order = { type: 'lotto', key: 'bitcoin-hero', days: [1, 2, 3, 4, 5, 6, 7], weeks: 1, tickets }
  const { transaction_id } = (await call('POST', '/payment', { bearer, body: order })).body
  const paid = await call('POST', '/dev/pay', { body: { transaction_id, method: 'lightning' } })
  expect(paid.body).toEqual({ status: 'PAID' })
  const draw = (await call('GET', '/games')).body.find(({ key }: { key: string }) => key === 'bitcoin-hero').next_draw
  return { email, draw }
}

/** Does what is due, again and again. */
async function working({ call }: TestApplication): Promise<void> {
  for (let times = 0; times < 20; times += 1) {
    await call('GET', '/dev/clock')
    await monotonicTime.sleep(50)
  }
}

const sats = (btc: string): bigint => BigInt(btc.replace('.', ''))

it('a prize arrives at a Lightning address of the demo, and the player and the demo see its preimage', async () => {
  const program = await testApplication({ config: { lightning: 'test' } })
  const { call } = program
  const { email, draw } = await playing(program)
  await call('POST', '/dev/lightning', { body: { mode: 'hold' } })
  await program.moveTo(draw.end_at + HOUR)
  expect((await call('GET', '/dev/wallet')).body.lightning.sent).toEqual([])
  await call('POST', '/dev/lightning', { body: { mode: 'ok' } })
  await program.moveTo(draw.end_at + 2 * HOUR)
  // The numbers differ from run to run, and one draw in fifty has no prize for these lines.
  let wallet = (await call('GET', '/dev/wallet')).body
  for (let day = 1; day < 7 && wallet.lightning.sent.length === 0; day += 1) {
    await program.moveTo(draw.end_at + day * DAY + HOUR)
    wallet = (await call('GET', '/dev/wallet')).body
  }

  const { lightning, sent: onChain } = wallet
  expect([lightning.sent.length, onChain]).toEqual([1, []])
  const [prize] = lightning.sent
  expect(prize.destination).toBe(DESTINATION)
  expect(createHash('sha256').update(Buffer.from(prize.preimage, 'hex')).digest('hex')).toBe(prize.payment_hash)
  const bearer = await program.logIn(email)
  const history = (await call('GET', '/settings/transactions', { bearer })).body.results
  const payout = history.find(({ type }: { type: string }) => type !== 'TICKETS_PURCHASE')
  expect(JSON.stringify(history)).toContain(prize.preimage)
  expect(payout.receipt).toMatchObject({ payment_hash: prize.payment_hash, preimage: prize.preimage })
  const solvency = (await call('GET', '/solvency')).body
  expect([solvency.difference, solvency.solvent]).toEqual(['0.00000000', true])
  expect(sats(prize.amount)).toBeGreaterThan(0n)
  expect(await findViolations(program.db)).toEqual([])
})
