import { gameByKey, STARTER } from '@fairball/domain/seeds'
import { describe, expect, it } from 'vitest'
import { beginLottery } from '../../main/begin-lottery.ts'
import { START_AT, testLottery, type TestLottery, type TestLotteryOptions } from '../../../test/lottery.ts'
import { waysOf } from '../../../test/share.ts'
import { type Death, Died, mortalDb, rewindableRandom } from '../../../test/mortal-db.ts'
import { testRelay } from '../../../test/relays.ts'
import { testWitness, type TestWitness } from '../../../test/witness.ts'
import { findViolations } from '../invariants/service.ts'
import { announceVersion } from './service.ts'

const FIRST_START_AT = START_AT + 15 * 60
const DAY = 86_400
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
  [11, 12, 13, 14, 15],
]

/** What happens to a lottery, and the steps at which its process dies, one after the other. */
interface Life {
  readonly options?: () => TestLotteryOptions
  /** statements whose transactions are steps */
  readonly steps: readonly string[]
  /** what happens before the first step */
  readonly before: (test: TestLottery) => Promise<void>
  /** The rest. The process restarts after a death, so each of these may be run twice. */
  readonly rest: (test: TestLottery) => Promise<void>
  /** a death lets other work come first, so only the outcome of the draws is the same */
  readonly isReordered?: true
  /** least number of steps: fewer would prove nothing */
  readonly least: number
}

/**
 * The log of a life, whether its process died on the way or not.
 *
 * @param heir what continues: another worker that already runs, or a process that is then started
 */
async function logOf(
  life: Life,
  death: Death | null,
  heir: 'worker' | 'start' = 'worker',
): Promise<{ texts: string[]; steps: number; draws: unknown[] }> {
  const random = rewindableRandom('life')
  const wanted = new Set(life.steps)
  let mortal: ReturnType<typeof mortalDb> | undefined
  const test = await testLottery({
    ...life.options?.(),
    random,
    wrapDb: (db) => {
      mortal = mortalDb(db, { random, isStep: (names) => [...names].some((name) => wanted.has(name)) })
      return mortal.db
    },
  })
  if (mortal === undefined) throw new Error('the lottery was given its database')
  await life.before(test)
  mortal.arm(death)
  for (let deaths = 0; ; deaths += 1) {
    try {
      await life.rest(test)
      break
    } catch (error) {
      if (!(error instanceof Died) || deaths > 0) throw error
      mortal.revive()
      const mark = random.mark()
      if (heir === 'worker') await test.takeOver()
      else await test.restart()
      random.rewind(mark) // a start draws bytes that it then does not need
    }
  }
  const { steps } = mortal
  const log = await test.log()
  expect(await test.violations()).toEqual([])
  const draws = await test.rows(
    `select game_key, number, status, start_at, entries, stake_sats from draws order by 1, 2`,
  )
  return { texts: log.map(({ text }) => text), steps: steps(), draws }
}

/** A drawing's job is free again a minute after its worker died: from the result on, times may be later. */
function withoutTimes(texts: readonly string[]): string[] {
  const first = texts.findIndex((text) => text.startsWith('fairball/result/'))
  return texts.map((text, index) =>
    first < 0 || index < first ? text : text.replace(/\ntime \d+\n/, '\n').replace(/\nlast [0-9a-f]+\n/, '\n'),
  )
}

/** Games of one draw a week, on Wednesdays and on Fridays: the first retires into the second. */
const ENDING = {
  ...(gameByKey('bitcoin-hero') ?? expect.fail('there is no such game')),
  drawTimes: [{ day: 3 as const, minuteOfDay: 1080 }],
  weeksAhead: 1,
}
const HEIR = { ...STARTER, drawTimes: [{ day: 5 as const, minuteOfDay: 1080 }], weeksAhead: 1 }

/** A witness that never cosigns. */
function absentWitness(): TestWitness {
  const witness = testWitness(1, () => START_AT)
  witness.misbehaves = () => new Response('not now', { status: 503 })
  return witness
}

async function buy({ addPlayer, buy: order }: TestLottery, lines = LINES): Promise<void> {
  await order({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines, days: [3] })
}

/** Lines of which some win a free ticket. */
function wheel(): number[][] {
  return Array.from({ length: 40 }, (_, line) => [0, 1, 2, 3, 4].map((place) => ((line + place * 7) % 36) + 1))
}

async function moveTo(test: TestLottery, at: number): Promise<void> {
  if (test.runtime.clock.now() <= at) await test.moveTo(at)
}

/** How a process dies at a step, and what continues. */
const WAYS = [
  { when: 'before', heir: 'start' },
  { when: 'before', heir: 'worker' },
  { when: 'after', heir: 'worker' },
] as const

const LIVES: Record<string, Life> = {
  'open, close, draw, settle': {
    // The round is read first: a death there falls between claiming the work and drawing.
    steps: ['draws.insert', 'draws.close', 'draws.find-round', 'draws.draw-numbers', 'draws.settle'],
    before: async (test) => {
      await buy(test)
      await test.moveTo(FIRST_START_AT - 301)
    },
    rest: (test) => moveTo(test, FIRST_START_AT + 300),
    least: 4,
  },
  'the settlement of a draw in parts': {
    options: () => ({ linesAPart: 1 }),
    steps: ['draws.insert-parts', 'draws.count-part', 'draws.mark-part-written', 'draws.remove-parts'],
    before: async (test) => {
      for (let player = 0; player < 5; player += 1) await buy(test, wheel().slice(player, player + 8))
      await test.moveTo(FIRST_START_AT + 10)
    },
    rest: async (test) => {
      await moveTo(test, FIRST_START_AT + 300)

      expect(await test.rows('select from draw_parts')).toEqual([])
      expect(await findViolations(test.db)).toEqual([])
    },
    least: 12,
  },
  'batches of plays while they are sold': {
    steps: ['draws.insert-leaves', 'draws.keep-batch'],
    before: async (test) => {
      await buy(test)
      await buy(test, LINES.slice(0, 1))
    },
    rest: (test) => moveTo(test, FIRST_START_AT - 200),
    least: 1,
  },
  'the openings and postponements of a start after the server was down': {
    steps: ['draws.insert', 'draws.postpone', 'draws.void'],
    before: async (test) => {
      await buy(test)
      test.runtime.clock.set(FIRST_START_AT + 1000)
    },
    rest: async (test) => {
      await beginLottery(test.lottery)
      await test.lottery.queue.runDue()
      await moveTo(test, FIRST_START_AT + 4000)
    },
    least: 2,
  },
  'a void for want of a beacon': {
    options: () => {
      const relay = testRelay(START_AT - DAY)
      return { fetch: relay.fetch, beacon: { current: 'drand', relays: relay.relays, chain: relay.chain } }
    },
    // The rest of the drawing's job is free again after a minute, and other jobs run meanwhile.
    isReordered: true,
    steps: ['draws.find-round', 'orders.move-play'],
    before: async (test) => {
      await buy(test)
      await test.moveTo(FIRST_START_AT + 2)
      test.runtime.clock.set(FIRST_START_AT + 7 * DAY)
      await test.restart() // opens what is missing by now, as every start does
    },
    rest: async (test) => {
      await test.lottery.queue.runDue()
      test.runtime.clock.set(FIRST_START_AT + 7 * DAY + 61)
      await test.lottery.queue.runDue()
    },
    least: 2,
  },
  'the end of a game': {
    options: () => ({ games: [ENDING, HEIR] }),
    steps: ['draws.mark-retiring', 'draws.find-ended-into', 'draws.pay-free-tickets', 'draws.mark-retired'],
    isReordered: true,
    before: async (test) => {
      await buy(test, wheel())
      const about = { gameKey: ENDING.key, rules: ENDING, fromAt: null, reason: 'a test', actor: 'test' }
      await test.db.transaction((tx) =>
        announceVersion(test.lottery.draws, tx, { ...about, kinds: ['retire'], into: HEIR.key }),
      )
      await test.moveTo(START_AT + 7 * DAY - 60)
    },
    rest: async (test) => {
      await moveTo(test, START_AT + 11 * DAY)

      expect(await test.rows(`select state from games where key = $1`, [ENDING.key])).toEqual([{ state: 'retired' }])
      expect(await findViolations(test.db)).toEqual([])
    },
    least: 2,
  },
  'a draw put off for its witness, twice, and void': {
    options: () => ({ witnesses: [absentWitness()] }),
    steps: ['draws.reseal', 'orders.move-play'],
    before: (test) => buy(test),
    rest: (test) => moveTo(test, FIRST_START_AT + 3 * 3600),
    least: 3,
  },
}

describe.each(Object.entries(LIVES))('the death of a process at any step of %s', (_name, life) => {
  it('the log has no gaps and the same bytes, and the ledger balances, wherever the process dies', async () => {
    const whole = await logOf(life, null)
    expect(whole.steps).toBeGreaterThanOrEqual(life.least)
    for (let step = 1; step <= whole.steps; step += 1) {
      for (const { when, heir } of waysOf(WAYS, step)) {
        const { texts, draws } = await logOf(life, { step, when }, heir)
        expect(draws, `${when} step ${step}, then a ${heir}`).toEqual(whole.draws)
        // A process that starts opens what is missing first, so the order differs; the outcome of the draws does not.
        if (life.isReordered !== true && heir === 'worker')
          expect(withoutTimes(texts), `${when} step ${step}`).toEqual(withoutTimes(whole.texts))
      }
    }
  }, 240_000)
})
