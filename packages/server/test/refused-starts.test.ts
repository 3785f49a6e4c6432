import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gameByKey, type GameKey, GAMES } from '@fairball/domain/games'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startServer } from './bitcoin/server.ts'
import { testLottery, type TestLotteryOptions } from './lottery.ts'
import { databaseAddress } from './test-server.ts'

/** As in `testLottery`. */
const SECRET_KEY = '07'.repeat(32)

const hero = gameByKey('bitcoin-hero') ?? expect.fail('there is no such game')
/** A key that only an older program had. */
const OLD_KEY = 'of-old' as GameKey
const dearer = GAMES.map((game) => (game === hero ? { ...game, priceMinor: 150 } : game))

it.each<[string, { begun: TestLotteryOptions; secretKey: string; says: RegExp }]>([
  [
    'open draws that were announced with another price',
    {
      begun: { games: dearer },
      secretKey: SECRET_KEY,
      says: /Bitcoin Hero \(bitcoin-hero\), draws 1 to 15; .*\n {2}announced: {2}price GBP 150\n {2}now: {8}price GBP 100\n/,
    },
  ],
  [
    'unfinished draws of a game that the program does not have',
    {
      begun: { games: [...GAMES, { ...hero, key: OLD_KEY, name: 'Of Old' }] },
      secretKey: SECRET_KEY,
      says: /of-old: draws 1 to 15 are not finished\n/,
    },
  ],
  [
    'a database that was made with another SECRET_KEY',
    {
      begun: {},
      secretKey: '08'.repeat(32),
      says: /^SECRET_KEY is not the one this database was made with\.$/m,
    },
  ],
])('a start with %s ends with status 1 and says so without a stack', async (_what, { begun, secretKey, says }) => {
  const { rows } = await testLottery(begun)
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
