import { TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { expect, it, vi } from 'vitest'
import { BrowserDatabase } from '../testing/browser-database.ts'
import { heroGame } from '../testing/hero-game.ts'
import { KeptStore } from './kept-store.ts'
import type { SealResult } from './seal-check.ts'
import { RETRY_MS, SealWatch } from './seal-watch.ts'
import type { SealWatchParts } from './seal-watch.ts'

const PLAYER = 'player-abc123'
const SEALED: SealResult = { lines: 2, outcome: 'sealed', problem: null, evidence: null }
const { close: CLOSE, start: START } = new TestOperator().openDraw().open.statement

/** A seal, and a watch over it with a clock that the test moves. */
function watched(changes: Partial<SealWatchParts> = {}) {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const time = { at: CLOSE - 10, ms: 0 }
  const store = new KeptStore(new BrowserDatabase().factory, null)
  const parts = {
    now: () => time.at,
    sightAt: () => time.at,
    nowMs: () => time.ms,
    player: PLAYER,
    store,
    linesIn: vi.fn(async () => 2),
    sealOf: vi.fn(async () =>
      draw.seal === null || draw.close === null
        ? null
        : { open: draw.open.hash, close: draw.close.hash, text: JSON.stringify(draw.seal) },
    ),
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
  const seal = async () => {
    operator.closeDraw(draw)
    await operator.seal(draw)
  }
  return { operator, draw, time, parts, watch, games, at, seal, seen: () => store.all('seals'), store }
}

it('the watch fetches nothing before sales close', async () => {
  const { at, parts } = watched()
  await at(CLOSE - 1)
  expect(parts.linesIn).not.toHaveBeenCalled()
  expect(parts.sealOf).not.toHaveBeenCalled()
})

it('a seal is kept with the time of its sight, then with its outcome, and is not fetched again', async () => {
  const { at, draw, parts, seal, seen } = watched()
  await seal()
  await at(CLOSE + 5)
  expect(await seen()).toEqual([
    expect.objectContaining({
      close: draw.close?.hash,
      open: draw.open.hash,
      seal: JSON.stringify(draw.seal),
      seenAt: CLOSE + 5,
      closedAt: draw.close?.statement.time,
      startAt: START,
      lines: 2,
      outcome: 'sealed',
    }),
  ])
  await at(CLOSE + 6)
  await at(CLOSE + 60)
  expect(parts.check).toHaveBeenCalledTimes(1)
})

it('the sight is kept before the check is over', async () => {
  const gate = Promise.withResolvers<SealResult>()
  const { at, seal, seen } = watched({ check: () => gate.promise })
  await seal()
  const ticked = at(CLOSE + 5)
  await vi.waitFor(async () => expect(await seen()).toHaveLength(1))
  expect((await seen())[0]).toMatchObject({ outcome: 'waiting', seenAt: CLOSE + 5 })
  gate.resolve({ ...SEALED, outcome: 'broken', problem: 'why', evidence: '{}' })
  await ticked
  expect((await seen())[0]).toMatchObject({ outcome: 'broken', problem: 'why', evidence: '{}', seenAt: CLOSE + 5 })
})

it('a missing close is fetched again after growing pauses', async () => {
  const { at, parts, seal, seen } = watched()
  await at(CLOSE, 0)
  await at(CLOSE, RETRY_MS[0] - 1)
  expect(parts.sealOf).toHaveBeenCalledTimes(1)
  await at(CLOSE + 1, RETRY_MS[0])
  expect(parts.sealOf).toHaveBeenCalledTimes(2)
  await at(CLOSE + 1, RETRY_MS[0] + RETRY_MS[1] - 1)
  expect(parts.sealOf).toHaveBeenCalledTimes(2)
  await seal()
  await at(CLOSE + 4, RETRY_MS[0] + RETRY_MS[1])
  expect(await seen()).toHaveLength(1)
})

it('a failed fetch or check is retried, and the first sight is kept', async () => {
  const check = vi.fn(async () => SEALED).mockRejectedValueOnce(new Error('no worker'))
  const linesIn = vi.fn(async () => 2).mockRejectedValueOnce(new Error('offline'))
  const { at, seal, seen } = watched({ check, linesIn })
  await seal()
  await at(CLOSE + 1)
  expect(await seen()).toEqual([])
  await at(CLOSE + 2)
  expect((await seen())[0]).toMatchObject({ outcome: 'waiting', seenAt: CLOSE + 2 })
  await at(CLOSE + 9)
  expect((await seen())[0]).toMatchObject({ outcome: 'sealed', seenAt: CLOSE + 2 })
})

it('an incomplete check is repeated, such as with a served head older than the close', async () => {
  const check = vi.fn(async () => SEALED).mockResolvedValueOnce({ ...SEALED, outcome: 'unchecked', problem: 'why' })
  const { at, seal, seen } = watched({ check })
  await seal()
  await at(CLOSE + 1)
  expect((await seen())[0]).toMatchObject({ outcome: 'unchecked', problem: 'why', seenAt: CLOSE + 1 })
  await at(CLOSE + 2)
  expect((await seen())[0]).toMatchObject({ outcome: 'sealed', problem: null, seenAt: CLOSE + 1 })
  await at(CLOSE + 60)
  expect(check).toHaveBeenCalledTimes(2)
})

it('a seal that can never be checked completely is given up', async () => {
  const check = vi.fn(async (): Promise<SealResult> => ({ ...SEALED, outcome: 'unchecked', problem: 'why' }))
  const { at, seal } = watched({ check })
  await seal()
  for (let second = 1; second <= 60; second += 1) await at(CLOSE + second)
  expect(check).toHaveBeenCalledTimes(RETRY_MS.length)
})

it('draws without the player are not watched', async () => {
  const { at, parts, seal, seen } = watched({ linesIn: vi.fn(async () => 0) })
  await seal()
  await at(CLOSE + 1)
  await at(CLOSE + 30)
  expect(parts.linesIn).toHaveBeenCalledTimes(1)
  expect(parts.sealOf).not.toHaveBeenCalled()
  expect(await seen()).toEqual([])
})

it('a sight is kept with its own time, although the system’s clock is earlier', async () => {
  const { at, seal, seen } = watched({ sightAt: () => START + 30 })
  await seal()
  await at(CLOSE + 5)
  expect(await seen()).toEqual([expect.objectContaining({ seenAt: START + 30 })])
})

it('the watch makes no claim once the draw has started', async () => {
  const { at, seal, seen } = watched()
  await seal()
  await at(START)
  expect(await seen()).toEqual([])
})

it('a seal checked in another tab is not checked again', async () => {
  const first = watched()
  const second = watched({ store: first.store })
  await first.seal()
  await second.seal()
  await first.at(CLOSE + 1)
  await second.at(CLOSE + 9)
  expect(second.parts.check).not.toHaveBeenCalled()
  expect(await first.seen()).toEqual([expect.objectContaining({ seenAt: CLOSE + 1 })])
})

it('a delayed draw is watched again, and its second seal is kept beside the first', async () => {
  const { at, draw, games, operator, parts, seal, seen, watch, time } = watched()
  await seal()
  await at(CLOSE + 5)
  await operator.postpone(draw)
  await seal()
  time.at = START - 40
  const [game] = games
  if (game === undefined) throw new Error('no game')
  await watch.tick([{ ...game, next_draw: { ...game.next_draw, start_at: START + 900 } }])
  expect(parts.check).toHaveBeenCalledTimes(2)
  expect((await seen()).map(({ seenAt }) => seenAt)).toEqual([CLOSE + 5, START - 40])
})

it('a seal that does not contain its close is not kept', async () => {
  const { at, parts, seal, seen } = watched({
    sealOf: vi.fn(async () => ({
      open: 'ab'.repeat(32),
      close: 'cd'.repeat(32),
      text: '{"checkpoint":"","start":0,"left":[],"statements":[],"consistency":[]}',
    })),
  })
  await seal()
  await at(CLOSE + 5)
  expect(await seen()).toEqual([])
  expect(parts.check).not.toHaveBeenCalled()
})
