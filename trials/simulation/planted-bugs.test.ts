import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { registeredStatements } from '@fairball/server/testing/database'
import type { SimulationServer } from './database.ts'
import { lightningFaultsOf } from './lightning.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { openServer } from './server.ts'
import { runSeed } from './simulation.ts'

/** Number of further seeds to try if the known seed no longer finds a bug, because the program's steps have changed. */
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
  server = await openServer(inject('databaseServer'))
}, LIMIT_MS)
afterAll(() => server.close())

// Concurrent: one computes while another waits for the database.
it.concurrent.each(PLANTED_BUGS)(
  'finds the planted bug "$name"',
  async (bug) => {
    // A bug of payments over Lightning is in seeds with a node alone.
    const isOfLightning = lightningFaultsOf(bug.foundBy) !== null
    for (const seed of new Set([bug.foundBy, ...otherSeeds(isOfLightning)])) {
      const { failures } = await runSeed(server, seed, { bug })
      if (failures.length > 0) return
    }
    expect.fail('no seed finds it; npm run sim -- --bugs searches for one')
  },
  LIMIT_MS,
)

it('plants at least ten distinct bugs, in existing statements', () => {
  const names = PLANTED_BUGS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(10)
  const statements = new Set(registeredStatements().map(({ name }) => name))
  expect(PLANTED_BUGS.flatMap((bug) => bug.statements).filter((name) => !statements.has(name))).toEqual([])
})
