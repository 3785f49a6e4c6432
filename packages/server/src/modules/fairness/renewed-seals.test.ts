import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { createSeal } from '../../runtime/seal.ts'

/** As `testLottery` has it. */
const SECRET_KEY = new Uint8Array(32).fill(7)

/** AES-256-GCM as it was done before each use had a key of its own: under the first 32 bytes of SECRET_KEY. */
function openedUnderSecretKey(sealed: Uint8Array, purpose: string): Uint8Array | null {
  const decipher = createDecipheriv('aes-256-gcm', SECRET_KEY, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(sealed.subarray(-16))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
  } catch {
    return null
  }
}

function closedUnderSecretKey(secret: Uint8Array, purpose: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', SECRET_KEY, nonce).setAAD(Buffer.from(purpose))
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
}

/** Everything that is sealed in a database and may still be opened. */
async function sealedSecrets({ rows }: TestLottery) {
  return await rows<{ key: string | null; draw_id: string | null; purpose: string; sealed: Buffer }>(
    `select key, null as draw_id, key as purpose, decode(value, 'base64') as sealed from system_state
       where key in ('fairness.operator-key', 'beacon.local-key', 'test-wallet.seed')
     union all select null, id::text, 'fairness.seed', seed_sealed from draws`,
  )
}

async function openUnderSecretKey(test: TestLottery): Promise<(Uint8Array | null)[]> {
  return (await sealedSecrets(test)).map(({ sealed, purpose }) => openedUnderSecretKey(sealed, purpose))
}

it('seals no secret under the bytes of SECRET_KEY themselves', async () => {
  const opened = await openUnderSecretKey(await testLottery())
  expect(opened.length).toBeGreaterThan(3)
  expect(opened.every((secret) => secret === null)).toBe(true)
})

it('opens what was sealed before each use had a key of its own, and seals it again at the start', async () => {
  const test = await testLottery()
  const seal = createSeal(SECRET_KEY, test.runtime.random)
  for (const { key, draw_id: drawId, sealed, purpose } of await sealedSecrets(test)) {
    const older = closedUnderSecretKey(seal.open(sealed, purpose), purpose)
    await test.rows(`update system_state set value = $2 where key = $1`, [key, older.toString('base64')])
    await test.rows(`update draws set seed_sealed = $2 where id = $1`, [drawId, older])
  }
  expect((await openUnderSecretKey(test)).every((secret) => secret !== null)).toBe(true)

  await test.restart()
  expect((await openUnderSecretKey(test)).every((secret) => secret === null)).toBe(true)
  const [first] = await test.rows<{ id: string; start_at: string }>(
    `select id, start_at from draws order by start_at, id`,
  )
  await test.moveTo(Number(first?.start_at) + 3600)
  const [drawn] = await test.rows(`select status from draws where id = $1`, [first?.id])
  expect(drawn).toEqual({ status: 'settled' })
  expect(await test.violations()).toEqual([])
})
