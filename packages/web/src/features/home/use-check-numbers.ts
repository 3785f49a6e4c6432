import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'

/** @returns the mutation that checks one line against a game's draws of the last 180 days */
export function useCheckNumbers(gameKey: string) {
  const api = useApi()
  return useMutation({
    mutationFn: async (line: number[]) => {
      const { results } = await api.call('checkNumbers', { params: { key: gameKey }, body: { lines: [line] } })
      return { line, draws: results.flatMap((result) => result.draws) }
    },
  })
}

/** The result of a check: the line, and the draws in which it would have won. */
export type CheckedNumbers = NonNullable<ReturnType<typeof useCheckNumbers>['data']>
