import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SimulationServer } from './database.ts'
import { inLanes } from './lanes.ts'
import { lightningFaultsOf } from './lightning.ts'
import { readRegressions } from './regressions.ts'
import { openTestServer } from './test-server.ts'
import { runSeed } from './simulation.ts'

/**
 * Number of seeds in a run of all tests, the same ones each time, split over two parallel files. A seed takes two
 * seconds of one core. `npm run trials seeds` plays 400, and `SIM_SEEDS` sets another number.
 */
const SEEDS = Number(process.env['SIM_SEEDS'] ?? 10)
/** One seed of each half in which the operator has a Lightning node; the seeds above have none. */
const WITH_LIGHTNING = [23, 12] as const
/** Seeds per test: enough to be worth a line, and few enough to show progress. */
const SEEDS_A_TEST = 8
/** One out of this many seeds in each half is played twice. */
const TWICE_EACH = 8
const TEST_LIMIT_MS = 600_000

/** Plays one half of the seeds, and of those that failed before. @param half 0 for odd ones, 1 for even ones */
export function playHalf(half: 0 | 1): void {
  let server: SimulationServer
  beforeAll(async () => {
    server = await openTestServer()
  }, TEST_LIMIT_MS)
  afterAll(() => server.close())

  const play = async (seed: number): Promise<void> => {
    const { failures, traceHash } = await runSeed(server, seed)
    expect(failures, `seed ${seed}`).toEqual([])
    // A different trace would mean that the run depends on more than the seed, so a failure could not be reproduced.
    if ((seed - 1) % (2 * TWICE_EACH) <= 1)
      expect((await runSeed(server, seed)).traceHash, `seed ${seed}`).toBe(traceHash)
  }

  const seeds = Array.from({ length: SEEDS / 2 }, (_, index) => 1 + half + 2 * index)
  for (let first = 0; first < seeds.length; first += SEEDS_A_TEST) {
    const some = seeds.slice(first, first + SEEDS_A_TEST)
    it(
      `keeps every promise whatever goes wrong, in seeds ${some[0]} to ${some.at(-1)}`,
      async () => {
        await inLanes(some, play)
      },
      TEST_LIMIT_MS,
    )
  }

  it(
    `keeps every promise with a Lightning node, in seed ${WITH_LIGHTNING[half]}`,
    async () => {
      expect(lightningFaultsOf(WITH_LIGHTNING[half])).not.toBeNull()
      await play(WITH_LIGHTNING[half])
    },
    TEST_LIMIT_MS,
  )

  it(
    'keeps every promise in seeds that failed before',
    async () => {
      for (const seed of readRegressions().filter((one) => one % 2 !== half)) await play(seed)
    },
    TEST_LIMIT_MS,
  )
}
