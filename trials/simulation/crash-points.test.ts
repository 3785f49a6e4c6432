import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrashPoint, dieAt, dieAtEach, nameOf, OPERATIONS, type StoryOfSeed, storyOf } from './crash-points.ts'
import type { SimulationServer } from './database.ts'
import { CRASH_BUGS } from './planted-bugs.ts'
import { openTestServer } from './test-server.ts'
import type { Death } from './story.ts'

/** `npm run sim -- --crashes` crashes everywhere in the stories of twenty seeds; this is a part of one. */
const SEED = 1
/**
 * Sampling rate of the most telling calls: those whose effect is permanent while the caller does not know it, and those
 * to the outside world.
 */
const TELLING_ONE_IN = 10
/** Sampling rate of the other calls, most of which the database rolls back in the same way. */
const OTHERS_ONE_IN = 300
const LIMIT_MS = 600_000

let server: SimulationServer
let story: StoryOfSeed
beforeAll(async () => {
  server = await openTestServer()
  const told = await storyOf(server, SEED)
  if (told === null) throw new Error(`no line wins in the story of seed ${SEED}`)
  story = told
}, LIMIT_MS)
afterAll(() => server.close())

/** Statements that commit on their own. */
const KEPT_ALONE = ['payments.insert-receipt', 'fairness.insert-cosignature']
const isDone = ({ label, when }: CrashPoint): boolean =>
  (label.startsWith('commit ') || KEPT_ALONE.includes(label)) && when === 'after'
const isOutside = ({ label }: CrashPoint): boolean => /^(?:provider\.|wallet\.|witness |fetch$)/.test(label)
const isTelling = (point: CrashPoint): boolean => isDone(point) || isOutside(point)

function sampleOf(points: readonly CrashPoint[]): CrashPoint[] {
  const oneIn = (some: readonly CrashPoint[], count: number) => some.filter((_, index) => index % count === 0)
  return [
    ...oneIn(points.filter(isTelling), TELLING_ONE_IN),
    ...oneIn(
      points.filter((point) => !isTelling(point)),
      OTHERS_ONE_IN,
    ),
  ]
}

describe('A process that crashes at a call', () => {
  it('crashes in every operation, before and after each call, even if its effect is permanent', () => {
    expect(story.told.failures).toEqual([])
    for (const operation of OPERATIONS) {
      const points = story.points.filter((point) => point.operation === operation)
      expect(points.length, operation).toBeGreaterThan(20)
      expect(points.some(isDone), operation).toBe(true)
      const calls = points.filter(({ when }) => when === 'before').map(({ call }) => call)
      expect(points.filter(({ when }) => when === 'after').map(({ call }) => call)).toEqual(calls)
    }
    expect(new Set(story.points.map(({ call, when }) => `${call} ${when}`)).size).toBe(story.points.length)
  })

  it(
    'loses nothing and repeats nothing: every order, draw and payout completes',
    async () => {
      const sample = OPERATIONS.flatMap((operation) =>
        sampleOf(story.points.filter((point) => point.operation === operation)),
      )
      const died = new Set<Death>()
      await dieAtEach(server, SEED, sample, ({ failures, deaths, seen }, chain) => {
        expect(failures, chain.map(nameOf).join('; ')).toEqual([])
        expect(seen.get('crashes')).toBe(deaths.length)
        for (const death of deaths) died.add(death)
        return false
      })
      expect(died).toEqual(new Set(sample))
    },
    LIMIT_MS,
  )

  // Concurrent: one computes while another waits for the database.
  it.concurrent.each(CRASH_BUGS)(
    'exposes the planted bug "$bug.name"',
    async ({ bug, isIn }) => {
      const points = story.points.filter(isIn)
      expect(points.length).toBeGreaterThan(0)
      for (const point of points) if ((await dieAt(server, SEED, [point], bug)).failures.length > 0) return
      expect.fail('no crash exposes it')
    },
    LIMIT_MS,
  )
})
