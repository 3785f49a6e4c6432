// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { claimVisitorOrder } from '../session/kept-for-player.ts'
import { claimedLines, forgetClaimed, keepVisitorOrder, visitorLines } from './visitor-order.ts'

const GAME = { gameKey: 'treasure', pick: 3, pool: 9, nowAt: 1_000 }
const LINES = [
  { isLuckyDip: false, numbers: [1, 2, 3] },
  { isLuckyDip: true, numbers: [4, 5, 6] },
]
const DAY = 86_400

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
const keep = () => keepVisitorOrder(localStorage, 'treasure', LINES, 1_000)

it('the lines of a visitor are kept for 24 hours, for their game', () => {
  expect(keep()).toBe(true)
  expect(visitorLines(localStorage, { ...GAME, nowAt: 1_000 + DAY - 1 })).toEqual(LINES)
  expect(visitorLines(localStorage, { ...GAME, nowAt: 1_000 + DAY })).toEqual([])
  expect(visitorLines(localStorage, { ...GAME, gameKey: 'other' })).toEqual([])
  keepVisitorOrder(localStorage, 'treasure', [], 1_000)
  expect(localStorage).toHaveLength(0)
})

it('lines that the rules of the game do not allow are left out, and a text of another shape has none', () => {
  keep()
  expect(visitorLines(localStorage, { ...GAME, pool: 5 })).toEqual(LINES.slice(0, 1))
  for (const text of ['', 'null', '[]', '{"game":"treasure","saved_at":1000}', '{"game":"treasure","lines":[1]}']) {
    localStorage.setItem('fairball.visitor-order', text)
    expect(visitorLines(localStorage, GAME)).toEqual([])
  }
})

it('lines from before the login are those of the player who signed in, once', () => {
  keep()
  claimVisitorOrder(localStorage, sessionStorage, 'ann')
  expect(claimedLines(sessionStorage, 'bob', GAME)).toEqual([])
  expect(claimedLines(sessionStorage, 'ann', { ...GAME, gameKey: 'other' })).toEqual([])
  expect(claimedLines(sessionStorage, 'ann', GAME)).toEqual(LINES)
  forgetClaimed(sessionStorage)
  expect(claimedLines(sessionStorage, 'ann', GAME)).toEqual([])
})

it('a full storage keeps nothing, and says so', () => {
  const full = {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: () => {},
  }
  expect(keepVisitorOrder(full, 'treasure', LINES, 1_000)).toBe(false)
})
