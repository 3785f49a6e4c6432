import { expect, it } from 'vitest'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { sealUnder } from '../../runtime/seal.ts'
import { seededRandom } from '../../runtime/test-runtime.ts'

/** As in `testLottery`. */
const SECRET_KEY = new Uint8Array(32).fill(7)
/** Encrypts as it was done before each use had a key of its own: under the first 32 bytes of SECRET_KEY. */
const older = sealUnder(SECRET_KEY, seededRandom('older seals'))

/** Everything encrypted in a database that may still be needed. */
const secretsOf = ({ rows }: TestLottery) =>
  rows<{ key: string | null; draw_id: string | null; purpose: string; sealed: Buffer }>(
    `select key, null as draw_id, key as purpose, decode(value, 'base64') as sealed from system_state
       where key in ('fairness.log-key', 'fairness.next-key', 'beacon.local-key', 'test-wallet.seed')
     union all select null, id::text, 'fairness.seed', seed_sealed from draws where status in ('open', 'closed')`,
  )

async function openUnderSecretKey(test: TestLottery): Promise<number> {
  const opened = (await secretsOf(test)).filter(({ sealed, purpose }) => {
    try {
      return older.open(sealed, purpose).length > 0
    } catch {
      return false
    }
  })
  return opened.length
}

it('no secret is encrypted under SECRET_KEY itself; what once was still opens, and the start encrypts it again', async () => {
  const test = await testLottery()
  const { seal } = test.lottery
  const secrets = await secretsOf(test)
  expect(secrets.length).toBeGreaterThan(4)
  expect(await openUnderSecretKey(test)).toBe(0)
  for (const { key, draw_id: drawId, sealed, purpose } of secrets) {
    const before = Buffer.from(older.close(seal.open(sealed, purpose), purpose))
    await test.rows(`update system_state set value = $2 where key = $1`, [key, before.toString('base64')])
    await test.rows(`update draws set seed_sealed = $2 where id = $1`, [drawId, before])
  }
  await test.rows(`delete from system_state where key = 'installation.known-word'`) // it came with the keys
  expect(await openUnderSecretKey(test)).toBe(secrets.length)

  await test.restart()
  expect(await openUnderSecretKey(test)).toBe(0)
  const [first] = await test.rows<{ id: string; start_at: string }>(
    `select id, start_at from draws order by start_at, id limit 1`,
  )
  await test.moveTo(Number(first?.start_at) + 3600)
  expect(await test.rows(`select status from draws where id = $1`, [first?.id])).toEqual([{ status: 'settled' }])
  expect(await test.violations()).toEqual([])
})
