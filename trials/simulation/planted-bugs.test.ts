import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { registeredStatements } from '@fairball/server/testing/database'
import type { SimulationServer } from './database.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { openServer } from './server.ts'
import { runSeed } from './simulation.ts'

/** Number of further seeds to try if the known seed no longer finds a bug, because the program's steps have changed. */
const OTHER_SEEDS = 12
const LIMIT_MS = 600_000

let server: SimulationServer
beforeAll(async () => {
  server = await openServer(inject('databaseServer'))
}, LIMIT_MS)
afterAll(() => server.close())

// Concurrent: one computes while another waits for the database.
it.concurrent.each(PLANTED_BUGS)(
  'finds the planted bug "$name"',
  async (bug) => {
    const others = Array.from({ length: OTHER_SEEDS }, (_, index) => index + 1)
    for (const seed of new Set([bug.foundBy, ...others])) {
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
