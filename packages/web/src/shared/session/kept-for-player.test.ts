// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { forgetPlayer, ORDER_KEY } from './kept-for-player.ts'

it('removes the orders in the making, and nothing that is no player’s', () => {
  sessionStorage.setItem(`${ORDER_KEY}:bitcoin-hero:0`, '{}')
  sessionStorage.setItem(`${ORDER_KEY}:mega-ball:3`, '{}')
  sessionStorage.setItem('tsr-scroll-restoration-v1_3', '{}')
  forgetPlayer(sessionStorage)
  expect(Object.keys(sessionStorage)).toEqual(['tsr-scroll-restoration-v1_3'])
})
