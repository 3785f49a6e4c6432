import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type CrashPoint, dieAt, dieAtEach, nameOf, OPERATIONS, type StoryOfSeed, storyOf } from './crash-points.ts'
import type { SimulationServer } from './database.ts'
import { inLanes } from './lanes.ts'
import { CRASH_BUGS } from './planted-bugs.ts'
import { openServer } from './server.ts'
import type { Death } from './story.ts'

/** `npm run sim -- --crashes` dies everywhere in the stories of twenty seeds; this is a part of one. */
const SEED = 1
/** Of the calls that tell most, which are what is done and not known to be done and what is asked of the outside, one in so many. */
const TELLING_ONE_IN = 3
/** And of the others, most of which the database undoes alike. */
const OTHERS_ONE_IN = 80
const LIMIT_MS = 600_000

let server: SimulationServer
let story: StoryOfSeed
beforeAll(async () => {
  server = await openServer(inject('databaseServer'))
  const told = await storyOf(server, SEED)
  if (told === null) throw new Error(`nobody wins in the story of seed ${SEED}`)
  story = told
}, LIMIT_MS)
afterAll(() => server.close())

/** What is kept by a statement of its own. */
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

describe('A process that dies at a call', () => {
  it('dies in every operation: before and after each of its calls, of which some are done for good', () => {
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
    'loses nothing and does nothing twice: every order, draw and payout comes to its end',
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

  it.each(CRASH_BUGS)(
    'shows that $bug.name, where it is so',
    async ({ bug, isIn }) => {
      const points = story.points.filter(isIn)
      expect(points.length).toBeGreaterThan(0)
      let found = 0
      await inLanes(
        points,
        async (point) => {
          if ((await dieAt(server, SEED, [point], bug)).failures.length > 0) found += 1
        },
        () => found > 0,
      )
      expect(found).toBeGreaterThan(0)
    },
    LIMIT_MS,
  )
})
