import { fixedPlay } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { expect, it, vi } from 'vitest'
import { heroGame } from '../testing/hero-game.ts'
import { closesOf, FairnessMemory } from './memory.ts'
import type { SealResult } from './seal-check.ts'
import { RETRY_MS, SealWatch } from './seal-watch.ts'
import type { SealWatchParts } from './seal-watch.ts'

const PLAYER = 'player-abc123'
const START = 1_800_086_400
const CLOSE = START - 300
const SEALED: SealResult = { lines: 2, outcome: 'sealed', problem: null, evidence: null }

/** A sealing to see, and a watch over it with the test's clock. */
function watched(changes: Partial<SealWatchParts> = {}) {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay(PLAYER, 2, { pick: 5, pool: 36 })], {
    game: 'bitcoin-hero',
    startAt: START,
  })
  const time = { at: CLOSE - 10, ms: 0 }
  const values = new Map<string, string>()
  const memory = new FairnessMemory({
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  })
  const parts = {
    now: () => time.at,
    sightAt: () => time.at,
    nowMs: () => time.ms,
    player: PLAYER,
    memory,
    linesIn: vi.fn(async () => 2),
    notesOf: vi.fn(async () => operator.notes.slice(2)),
    check: vi.fn(async () => SEALED),
    exclusively: async (_name: string, task: () => Promise<void>) => task(),
    ...changes,
  }
  const watch = new SealWatch(parts)
  const games = [heroGame(START)]
  const at = async (seconds: number, ms = time.ms + 60_000) => {
    time.at = seconds
    time.ms = ms
    await watch.tick(games)
  }
  const seen = () => closesOf(memory.read(), { game: 'bitcoin-hero', draw: 1, player: PLAYER })
  return { operator, draw, time, parts, watch, games, at, seen, memory }
}

it('asks for nothing before sales close', async () => {
  const { at, parts } = watched()
  await at(CLOSE - 1)
  expect(parts.linesIn).not.toHaveBeenCalled()
  expect(parts.notesOf).not.toHaveBeenCalled()
})

it('remembers the close with the time it saw it, then how the check ended, and looks no more', async () => {
  const { at, draw, operator, parts, seen } = watched()
  const hash = operator.close(draw)
  await at(CLOSE + 5)
  expect(seen()).toEqual([
    expect.objectContaining({
      hash,
      note: operator.noteOf(hash),
      seenAt: CLOSE + 5,
      sealedAt: operator.openOf(draw).close + 4,
      startAt: START,
      lines: 2,
      outcome: 'sealed',
    }),
  ])
  await at(CLOSE + 6)
  await at(CLOSE + 60)
  expect(parts.check).toHaveBeenCalledTimes(1)
})

it('has remembered the sight before the check is over', async () => {
  const gate = Promise.withResolvers<SealResult>()
  const { at, draw, operator, seen } = watched({ check: () => gate.promise })
  operator.close(draw)
  const ticked = at(CLOSE + 5)
  await vi.waitFor(() => expect(seen()).toHaveLength(1))
  expect(seen()[0]).toMatchObject({ outcome: 'waiting', seenAt: CLOSE + 5 })
  gate.resolve({ ...SEALED, outcome: 'broken', problem: 'why', evidence: '{}' })
  await ticked
  expect(seen()[0]).toMatchObject({ outcome: 'broken', problem: 'why', evidence: '{}', seenAt: CLOSE + 5 })
})

it('asks again while the close is not there yet, with growing pauses', async () => {
  const { at, draw, operator, parts, seen } = watched()
  await at(CLOSE, 0)
  await at(CLOSE, RETRY_MS[0] - 1)
  expect(parts.notesOf).toHaveBeenCalledTimes(1)
  await at(CLOSE + 1, RETRY_MS[0])
  expect(parts.notesOf).toHaveBeenCalledTimes(2)
  await at(CLOSE + 1, RETRY_MS[0] + RETRY_MS[1] - 1)
  expect(parts.notesOf).toHaveBeenCalledTimes(2)
  operator.close(draw)
  await at(CLOSE + 4, RETRY_MS[0] + RETRY_MS[1])
  expect(seen()).toHaveLength(1)
})

it('tries again when the server cannot be asked or the check cannot be run, and keeps the first sight', async () => {
  const check = vi.fn(async () => SEALED).mockRejectedValueOnce(new Error('no worker'))
  const linesIn = vi.fn(async () => 2).mockRejectedValueOnce(new Error('offline'))
  const { at, draw, operator, seen } = watched({ check, linesIn })
  operator.close(draw)
  await at(CLOSE + 1)
  expect(seen()).toEqual([])
  await at(CLOSE + 2)
  expect(seen()[0]).toMatchObject({ outcome: 'waiting', seenAt: CLOSE + 2 })
  await at(CLOSE + 9)
  expect(seen()[0]).toMatchObject({ outcome: 'sealed', seenAt: CLOSE + 2 })
})

it('leaves alone draws that the player is not in', async () => {
  const { at, draw, operator, parts, seen } = watched({ linesIn: vi.fn(async () => 0) })
  operator.close(draw)
  await at(CLOSE + 1)
  await at(CLOSE + 30)
  expect(parts.linesIn).toHaveBeenCalledTimes(1)
  expect(parts.notesOf).not.toHaveBeenCalled()
  expect(seen()).toEqual([])
})

it('remembers a sight with the time that counts for it, although the system’s clock says an earlier one', async () => {
  const { at, draw, operator, seen } = watched({ sightAt: () => START + 30 })
  operator.close(draw)
  await at(CLOSE + 5)
  expect(seen()).toEqual([expect.objectContaining({ seenAt: START + 30 })])
})

it('makes no claim once the draw has started', async () => {
  const { at, draw, operator, seen } = watched()
  operator.close(draw)
  await at(START)
  expect(seen()).toEqual([])
})

it('finds what another tab has remembered and does not check it again', async () => {
  const first = watched()
  const second = watched({ memory: first.memory })
  first.operator.close(first.draw)
  second.operator.close(second.draw)
  await first.at(CLOSE + 1)
  await second.at(CLOSE + 9)
  expect(second.parts.check).not.toHaveBeenCalled()
  expect(first.seen()).toEqual([expect.objectContaining({ seenAt: CLOSE + 1 })])
})

it('looks again when a draw is put off, and remembers its second close beside the first', async () => {
  const { at, draw, games, operator, parts, seen, watch, time } = watched()
  operator.close(draw)
  await at(CLOSE + 5)
  const round = operator.postpone(draw, 'witness', START - 60)
  operator.close(draw, { round, time: START - 50 })
  time.at = START - 40
  const [game] = games
  if (game === undefined) throw new Error('no game')
  await watch.tick([{ ...game, next_draw: { ...game.next_draw, start_at: START + 900 } }])
  expect(parts.check).toHaveBeenCalledTimes(2)
  expect(seen().map(({ seenAt }) => seenAt)).toEqual([CLOSE + 5, START - 40])
})
