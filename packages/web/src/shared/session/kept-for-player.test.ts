// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import {
  CLAIMED_KEY,
  claimVisitorOrder,
  forgetPlayer,
  ORDER_KEY,
  SEEN_KEY,
  VISITOR_ORDER_KEY,
} from './kept-for-player.ts'

it('a logout removes unfinished orders and seen draws, and nothing that is not a player’s', () => {
  sessionStorage.setItem(`${ORDER_KEY}:bitcoin-hero:0`, '{}')
  sessionStorage.setItem(`${ORDER_KEY}:mega-ball:3`, '{}')
  sessionStorage.setItem(CLAIMED_KEY, '{}')
  sessionStorage.setItem('tsr-scroll-restoration-v1_3', '{}')
  localStorage.setItem(SEEN_KEY, '1 bitcoin-hero/2')
  localStorage.setItem('fairball.theme', 'dark')
  forgetPlayer(sessionStorage, localStorage)
  expect(Object.keys(sessionStorage)).toEqual(['tsr-scroll-restoration-v1_3'])
  expect(Object.keys(localStorage)).toEqual(['fairball.theme'])
})

it('the lines of a visitor become those of the first player who signs in, and of nobody after', () => {
  sessionStorage.clear()
  localStorage.setItem(VISITOR_ORDER_KEY, 'the lines')
  claimVisitorOrder(localStorage, sessionStorage, 'first')
  expect(localStorage.getItem(VISITOR_ORDER_KEY)).toBeNull()
  expect(sessionStorage.getItem(CLAIMED_KEY)).toBe('{"player":"first","kept":"the lines"}')
  forgetPlayer(sessionStorage, localStorage)
  claimVisitorOrder(localStorage, sessionStorage, 'second')
  expect(sessionStorage.getItem(CLAIMED_KEY)).toBeNull()
})
