import { useEffect, useEffectEvent, useReducer, useState } from 'react'
import { MAX_LINES } from '@fairball/domain/games'
import { addLines, completeLines } from '@fairball/domain/line-drafts'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { useClock } from '../../shared/use-clock.ts'
import type { Game } from '../../shared/data/games.ts'
import { useNavigate } from '../../shared/navigation.tsx'
import { newOrder, orderAfter } from '../../shared/order/order-draft.ts'
import { keepVisitorOrder, visitorLines } from '../../shared/order/visitor-order.ts'
import { paths } from '../../shared/paths.ts'
import { runtime } from '../../shared/runtime.ts'

/**
 * The lines that a visitor picks for a game. The browser keeps them, for every tab, until someone signs in.
 *
 * @param dips lucky dips that the address asks for: they are added once, and the address becomes the game's
 */
export function useVisitorOrder(game: Game, dips: number) {
  const { n: pick, N: pool } = game.sets[0] ?? { n: 1, N: 2 }
  const clock = useClock()
  const navigate = useNavigate()
  const randomBytes = (bytes: number) => runtime.randomBytes(bytes)
  const newDips = (count: number) => Array.from({ length: count }, () => luckyDip({ pick, pool }, randomBytes))
  const [begun] = useState(() => {
    const order = newOrder([], { id: '', drawTimes: '' })
    const kept = visitorLines(localStorage, { gameKey: game.key, pick, pool, nowAt: clock.now() })
    const added = newDips(Math.min(dips, MAX_LINES - kept.length)).map((numbers) => ({ isLuckyDip: true, numbers }))
    return { ...order, lines: addLines(order.lines, [...kept, ...added]) }
  })
  const [order, dispatch] = useReducer(orderAfter, begun)
  const complete = completeLines(order.lines, pick)
  const keep = useEffectEvent(() => {
    const lines = complete.map(({ isLuckyDip, confirmedNumbers: numbers }) => ({ isLuckyDip, numbers }))
    return keepVisitorOrder(localStorage, game.key, lines, clock.now())
  })
  useEffect(() => {
    // Lines of another game stay until some are picked here.
    if (order.lines !== begun.lines) keep()
  }, [order.lines, begun.lines])
  const arrive = useEffectEvent(() => {
    if (dips > 0 && keep()) navigate(paths.game(game.key), { replace: true })
  })
  useEffect(() => arrive(), [])
  return {
    order,
    dispatch,
    pick,
    pool,
    count: complete.length,
    room: MAX_LINES - complete.length,
    addDips: (count: number) => dispatch({ type: 'add-dips', dips: newDips(count) }),
  }
}
