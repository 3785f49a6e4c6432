import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SentBodyOf } from '@fairball/contract/calls'
import { useApi } from '../../shared/api.ts'
import { RESPONSIBLE_PLAY_KEY } from '../../shared/data/responsible-play.ts'

/** Changes; absent fields stay as they are. */
type Limits = SentBodyOf<'saveResponsiblePlay'>

/**
 * @param limitsOf makes the request from the entered values
 * @returns the mutation that sets limits, a pause or reminders. The answer has the present and the pending ones
 */
export function useSaveLimits<Entered>(limitsOf: (entered: Entered) => Limits) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (entered: Entered) => api.call('saveResponsiblePlay', { body: limitsOf(entered) }),
    onSuccess: (saved) => queryClient.setQueryData(RESPONSIBLE_PLAY_KEY, saved),
  })
}
