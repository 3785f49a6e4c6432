// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { forgetPlayer, ORDER_KEY } from './kept-for-player.ts'

it('a logout removes unfinished orders, and nothing that is not a player’s', () => {
  sessionStorage.setItem(`${ORDER_KEY}:bitcoin-hero:0`, '{}')
  sessionStorage.setItem(`${ORDER_KEY}:mega-ball:3`, '{}')
  sessionStorage.setItem('tsr-scroll-restoration-v1_3', '{}')
  forgetPlayer(sessionStorage)
  expect(Object.keys(sessionStorage)).toEqual(['tsr-scroll-restoration-v1_3'])
})
