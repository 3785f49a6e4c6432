import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../shared/api.ts'
import { useOpenDraw } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { runtime } from '../../shared/runtime.ts'
import type { Order } from './use-order.ts'

/** How long an order stays unchanged before its draws are asked for, in ms. */
const SETTLED_MS = 250

/** @returns the query of what this order would be; after a change the earlier answer stays until the next */
export function useQuote(game: Game, wanted: Order['wanted']) {
  const api = useApi()
  // Once a draw has closed, the same order is for others.
  const { draw } = useOpenDraw(game)
  const [settled, setSettled] = useState<string>()
  const text = JSON.stringify(wanted)
  useEffect(() => runtime.after(SETTLED_MS, () => setSettled(text)), [text])
  return useQuery({
    queryKey: ['quote', draw.number, settled],
    queryFn:
      settled === undefined
        ? skipToken
        : ({ signal }) =>
            api.call('quotePayment', { body: { type: 'lotto', ...(JSON.parse(settled) as Order['wanted']) }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}
