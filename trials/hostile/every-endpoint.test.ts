import { testDatabase } from '@fairball/server/testing/fixtures'
import { expect, it } from 'vitest'
import { attack } from './attack.ts'

/**
 * Hostile requests per endpoint in each run of the tests. `npm run trials hostile` sends 1,000, and reports when it
 * last did.
 */
const CASES = Number(process.env['HOSTILE_CASES'] ?? 10)
/** The seed of every run, so that only a change of the program changes an answer. */
const SEED = 1

// One attack of all endpoints: a world to attack, with its draws, costs twice as much as the requests.
it(`answers ${CASES} hostile requests to every endpoint as documented, with no internal error and every invariant intact`, async () => {
  const { url } = await testDatabase()
  const result = await attack({ databaseUrl: url, seed: SEED, cases: CASES })
  expect(result.failures.join('\n\n')).toBe('')
  expect(result.endpoints).toBeGreaterThan(90)
  expect(result.cases).toBe(result.endpoints * CASES)
  process.stdout.write(
    `${result.cases} hostile requests to ${result.endpoints} endpoints in ${result.seconds.toFixed(0)} s; the slowest answer took ${result.slowest.ms.toFixed(0)} ms (${result.slowest.what}).\n`,
  )
}, 600_000)
