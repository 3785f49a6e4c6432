import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startServer } from './bitcoin/server.ts'
import { testLottery } from './lottery.ts'
import { databaseAddress } from './test-server.ts'

/** As in `testLottery`. */
const SECRET_KEY = '07'.repeat(32)

it.each<[string, { fault: string | null; secretKey: string; says: RegExp }]>([
  [
    'open draws that were announced with another price',
    {
      fault: `update draws set price_minor = 150 where game_key = 'bitcoin-hero' and number < 3`,
      secretKey: SECRET_KEY,
      says: /^bitcoin-hero, draw 1: its price is 150, announced was 100\nbitcoin-hero, draw 2: /m,
    },
  ],
  [
    'a database that was made with another SECRET_KEY',
    {
      fault: null,
      secretKey: '08'.repeat(32),
      says: /^SECRET_KEY is not the one this database was made with\.$/m,
    },
  ],
])('a start with %s ends with status 1 and says so without a stack', async (_what, { fault, secretKey, says }) => {
  const { rows } = await testLottery()
  if (fault !== null) await rows(fault)
  const [database] = await rows<{ name: string }>('select current_database() as name')
  const folder = await mkdtemp(join(tmpdir(), 'fairball-refused-'))
  const server = startServer(
    {
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: databaseAddress(inject('databaseServer'), database?.name ?? ''),
      SECRET_KEY: secretKey,
    },
    { isMain: true },
  )
  onTestFinished(async () => {
    await server.kill9()
    await rm(folder, { recursive: true, force: true })
  })
  expect(await server.end()).toBe(1)
  expect(server.said()).toMatch(says)
  expect(server.said()).not.toMatch(/^\s+at /m)
})
