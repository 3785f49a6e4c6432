import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DrawDetails } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'
import type { Game } from '../../shared/data/games.ts'

/** News about the draw before the shown one. */
export type DrawNews =
  /** It did not take place. */
  | { kind: 'VOID'; number: number }
  /** This page slept through its end. */
  | { kind: 'MISSED'; number: number; numbers: readonly number[] }

/**
 * @param hasPrizes whether the prizes of the shown draw are known: then it has been watched to its end
 * @returns the news about the previous draw; null when it went normally
 */
export function useDrawNews({ key, next_draw: draw }: Game, hasPrizes: boolean): DrawNews | null {
  const api = useApi()
  const missed = useMissed(draw.number, hasPrizes)
  const number = draw.number - 1
  const { data } = useQuery({
    queryKey: ['draw', key, number],
    queryFn: ({ signal }) => api.call('getDraw', { params: { key, number }, isPublic: true, signal }),
    enabled: number > 0,
    // It is final, settled or void.
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
