import { describe, expect, it } from 'vitest'
import { forgetOrdered, keepOrder, keptOrder } from './kept-order.ts'
import { newOrder } from './order-draft.ts'
import type { OrderDraft } from './order-draft.ts'

const PLACE = { gameKey: 'treasure', dips: 0, player: 'player-abc123' }
const RULES = { pick: 3, pool: 9 }

/** The storage of a tab. */
function tab(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    key: (place: number) => [...values.keys()][place] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
  }
}

const NO_STORAGE = { removeItem: () => {}, clear: () => {} }

const name = { id: 'draft', drawTimes: '1 2 3' }
const withLine: OrderDraft = { ...newOrder([[1, 2, 3]], name), weeks: 2, days: [5] }
const keep = (storage: Storage, order = withLine, place = PLACE) => keepOrder(storage, place, { order, entry: 'here' })

describe('an order that a tab keeps', () => {
  it('a kept order is found again as it was, with the entry of the history where it was begun', () => {
    const storage = tab()
    expect(keptOrder(storage, PLACE, RULES)).toBeNull()
    keep(storage)
    expect(keptOrder(storage, PLACE, RULES)).toEqual({ order: withLine, entry: 'here' })
  })

  it('a kept order is found with its lines as they were confirmed', () => {
    const storage = tab()
    keep(storage, { ...withLine, lines: withLine.lines.map((line) => ({ ...line, numbers: [3] })) })
    expect(keptOrder(storage, PLACE, RULES)?.order).toEqual(withLine)
  })

  it('each game, each count of lucky dips and each player has a separate kept order', () => {
    const storage = tab()
    keep(storage)
    for (const other of [{ gameKey: 'mega-ball' }, { dips: 3 }, { player: 'player-xyz789' }])
      expect(keptOrder(storage, { ...PLACE, ...other }, RULES)).toBeNull()
  })

  it.each([
    ['no JSON', 'x'],
    ['a text', '"order"'],
    ['nothing in it', '{}'],
    ['lines without numbers', JSON.stringify({ player: PLACE.player, entry: '', order: { ...withLine, lines: [{}] } })],
    ['no whole week', JSON.stringify({ player: PLACE.player, entry: '', order: { ...withLine, weeks: 0 } })],
    ['a broken attempt', JSON.stringify({ player: PLACE.player, entry: '', order: { ...withLine, attempt: {} } })],
  ])('a kept order is forgotten if the storage holds %s', (_what, value) => {
    const storage = tab()
    storage.setItem('order:treasure:0', value)
    expect(keptOrder(storage, PLACE, RULES)).toBeNull()
  })

  it('a kept order is forgotten if a line no longer fits the game', () => {
    const storage = tab()
    keep(storage)
    expect(keptOrder(storage, PLACE, { pick: 3, pool: 2 })).toBeNull()
    expect(keptOrder(storage, PLACE, { pick: 4, pool: 9 })).toBeNull()
  })

  it('a kept order is dropped once it is bought, and no other is', () => {
    const storage = tab()
    const attempt = { id: 'first', of: '', at: 0, orderId: 'order-1' }
    keep(storage, { ...withLine, attempt })
    keep(storage, withLine, { ...PLACE, dips: 2 })
    storage.setItem('access_token', 'not JSON')
    forgetOrdered(storage, 'order-2')
    expect(keptOrder(storage, PLACE, RULES)).not.toBeNull()
    forgetOrdered(storage, 'order-1')
    expect(keptOrder(storage, PLACE, RULES)).toBeNull()
    expect(keptOrder(storage, { ...PLACE, dips: 2 }, RULES)).not.toBeNull()
  })

  it('a browser that stores nothing still lets a player order', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const storage: Storage = { ...NO_STORAGE, getItem: refuse, setItem: refuse, key: refuse, length: 1 }
    keep(storage)
    forgetOrdered(storage, 'order-1')
    expect(keptOrder(storage, PLACE, RULES)).toBeNull()
  })
})
