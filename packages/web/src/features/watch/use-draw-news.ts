import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DrawDetails } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'
import type { Game } from '../../shared/data/games.ts'

/** What a player has to be told of the draw before the one that is shown. */
export type DrawNews =
  /** It never took place. */
  | { kind: 'VOID'; number: number }
  /** This page was to show it, and slept through its end. */
  | { kind: 'MISSED'; number: number; numbers: readonly number[] }

/**
 * @param hasPrizes whether the prizes of the shown draw are there, which is when it has been watched to its end
 * @returns what there is to say of the draw before; null when it went as anybody would expect
 */
export function useDrawNews({ key, next_draw: draw }: Game, hasPrizes: boolean): DrawNews | null {
  const api = useApi()
  const missed = useMissed(draw.number, hasPrizes)
  const number = draw.number - 1
  const { data } = useQuery({
    queryKey: ['draw', key, number],
    queryFn: ({ signal }) => api.call('getDraw', { params: { key, number }, signal }),
    enabled: number > 0,
    // It is over in one way or the other, and stays as it is.
    staleTime: Infinity,
  })
  return data === undefined ? null : newsOf(data, missed)
}

function newsOf({ number, status, numbers }: DrawDetails, missed: number | null): DrawNews | null {
  if (status === 'VOID') return { kind: 'VOID', number }
  return status === 'DRAWN' && missed === number ? { kind: 'MISSED', number, numbers } : null
}

/** @returns the number of a draw that this page showed before the present one, but not to its end */
function useMissed(number: number, hasPrizes: boolean): number | null {
  const [shown, setShown] = useState<Shown>({ number, hasPrizes, missed: null })
  const next = nextShown(shown, number, hasPrizes)
  if (next !== shown) setShown(next)
  return next.missed
}

interface Shown {
  number: number
  hasPrizes: boolean
  missed: number | null
}

function nextShown(shown: Shown, number: number, hasPrizes: boolean): Shown {
  if (shown.number !== number) return { number, hasPrizes, missed: shown.hasPrizes ? null : shown.number }
  return hasPrizes && !shown.hasPrizes ? { ...shown, hasPrizes } : shown
}
