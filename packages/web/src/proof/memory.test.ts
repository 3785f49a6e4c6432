import { expect, it } from 'vitest'
import { CLOSES_KEPT, closesOf, FairnessMemory, NOTHING_SEEN } from './memory.ts'
import type { SeenClose } from './memory.ts'

/** A storage for the duration of the test. */
function storage(first: Record<string, string> = {}) {
  const values = new Map(Object.entries(first))
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

const aClose = (changes: Partial<SeenClose> = {}): SeenClose => ({
  game: 'bitcoin-hero',
  draw: 7,
  hash: 'aa',
  note: 'note',
  seenAt: 100,
  sealedAt: 99,
  startAt: 400,
  player: 'player-abc123',
  lines: 3,
  outcome: 'waiting',
  problem: null,
  evidence: null,
  ...changes,
})
const head = (seq: number) => ({ seq, hash: `hash ${seq}`, note: `note ${seq}` })

it('remembers nothing at first, and nothing of what another program wrote in its place', () => {
  expect(new FairnessMemory(storage()).read()).toEqual(NOTHING_SEEN)
  for (const text of ['', 'null', '[]', '{"closes":[{}]}', '{"closes":[],"operator":"x","key":null,"keySeenAt":null}'])
    expect(new FairnessMemory(storage({ 'fairball.fairness': text })).read()).toEqual(NOTHING_SEEN)
})

it('keeps the key that was seen first, with its time, and the newest head of that log', () => {
  const memory = new FairnessMemory(storage())
  memory.rememberLog({ operator: 'lottery.example', key: 'k1', head: head(5), at: 10 })
  memory.rememberLog({ operator: 'lottery.example', key: 'k1', head: head(9), at: 20 })
  memory.rememberLog({ operator: 'lottery.example', key: 'k1', head: head(7), at: 30 })
  expect(memory.read()).toMatchObject({ operator: 'lottery.example', key: 'k1', keySeenAt: 10, head: head(9) })
})

it('does not take over another key or another operator, whatever the log says later', () => {
  const memory = new FairnessMemory(storage())
  memory.rememberLog({ operator: 'lottery.example', key: 'k1', head: head(5), at: 10 })
  memory.rememberLog({ operator: 'lottery.example', key: 'k2', head: head(9), at: 20 })
  memory.rememberLog({ operator: 'other.example', key: 'k1', head: head(9), at: 20 })
  expect(memory.read()).toMatchObject({ operator: 'lottery.example', key: 'k1', head: head(5) })
})

it('keeps the first sight of a close when its check ends, and sees another close of the draw beside it', () => {
  const memory = new FairnessMemory(storage())
  memory.rememberClose(aClose())
  memory.rememberClose(aClose({ seenAt: 500, sealedAt: 1, note: 'another', outcome: 'sealed' }))
  memory.rememberClose(aClose({ hash: 'bb', seenAt: 200 }))
  expect(closesOf(memory.read(), { game: 'bitcoin-hero', draw: 7, player: 'player-abc123' })).toEqual([
    aClose({ outcome: 'sealed' }),
    aClose({ hash: 'bb', seenAt: 200 }),
  ])
})

it('tells the closes of one player from those of another, and of one draw from those of another', () => {
  const memory = new FairnessMemory(storage())
  memory.rememberClose(aClose())
  memory.rememberClose(aClose({ player: 'player-other1' }))
  memory.rememberClose(aClose({ draw: 8 }))
  expect(closesOf(memory.read(), { game: 'bitcoin-hero', draw: 7, player: 'player-other1' })).toHaveLength(1)
  expect(memory.read().closes).toHaveLength(3)
})

it('forgets the oldest of more than 200 closes', () => {
  const memory = new FairnessMemory(storage())
  for (let draw = 1; draw <= CLOSES_KEPT + 5; draw += 1) memory.rememberClose(aClose({ draw }))
  const { closes } = memory.read()
  expect(closes).toHaveLength(CLOSES_KEPT)
  expect(closes[0]?.draw).toBe(6)
})

it('goes on without a memory where the storage takes nothing', () => {
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const memory = new FairnessMemory({ ...storage(), setItem: full })
  memory.rememberClose(aClose())
  expect(memory.read()).toEqual(NOTHING_SEEN)
})

it('can be told to forget all of it', () => {
  const memory = new FairnessMemory(storage())
  memory.rememberLog({ operator: 'lottery.example', key: 'k1', head: head(5), at: 10 })
  memory.forget()
  expect(memory.read()).toEqual(NOTHING_SEEN)
})
