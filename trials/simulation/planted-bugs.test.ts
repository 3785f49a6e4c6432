import { afterAll, beforeAll, expect, it } from 'vitest'
import { registeredStatements } from '@fairball/server/testing/database'
import type { SimulationServer } from './database.ts'
import { lightningFaultsOf } from './lightning.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { openTestServer } from './test-server.ts'
import { runSeed } from './simulation.ts'

/** Number of other seeds to try for the message if the known one no longer finds a bug: the program's steps changed. */
const OTHER_SEEDS = 12
const LIMIT_MS = 600_000

function otherSeeds(haveLightning: boolean): number[] {
  const seeds: number[] = []
  for (let seed = 1; seeds.length < OTHER_SEEDS; seed += 1)
    if (!haveLightning || lightningFaultsOf(seed) !== null) seeds.push(seed)
  return seeds
}

let server: SimulationServer
beforeAll(async () => {
  server = await openTestServer()
}, LIMIT_MS)
afterAll(() => server.close())

/** With `FULL_LENGTH=1` all of them; `npm run trials bugs` looks for every one, in any seed. */
const BUGS = PLANTED_BUGS.filter(({ isLong }) => isLong !== true || process.env['FULL_LENGTH'] === '1')

// Concurrent: one computes while another waits for the database.
it.concurrent.each(BUGS)(
  'finds the planted bug "$name"',
  async (bug) => {
    // A bug of payments over Lightning is in seeds with a node alone.
    const isOfLightning = lightningFaultsOf(bug.foundBy) !== null
    const isFoundBy = async (seed: number) => (await runSeed(server, seed, { bug })).failures.length > 0
    if (await isFoundBy(bug.foundBy)) return
    for (const seed of otherSeeds(isOfLightning))
      if (await isFoundBy(seed))
        expect.fail(`seed ${bug.foundBy} no longer finds it; found by ${seed} now: change foundBy`)
    expect.fail(`seed ${bug.foundBy} no longer finds it; npm run sim -- --bugs searches for one that does`)
  },
  LIMIT_MS,
)

it('plants at least ten distinct bugs, in existing texts of statements', () => {
  const names = PLANTED_BUGS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(10)
  const statements = new Map(registeredStatements().map((statement) => [statement.name, statement]))
  for (const bug of PLANTED_BUGS)
    for (const name of bug.statements) {
      const statement = statements.get(name) ?? expect.fail(`there is no statement ${name}`)
      expect(bug.rewrite(statement).text).not.toBe(statement.text) // it throws if the text has changed
    }
})
