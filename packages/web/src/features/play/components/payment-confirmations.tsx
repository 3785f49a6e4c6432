import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../shared/api.ts'
import { Confirmations } from '../../../shared/confirmations.tsx'

/** Delay between two answers, in ms. */
const LOOK_AGAIN_MS = 5_000

/** The confirmations of a seen payment; nothing if a payment provider's page counts them. */
export function PaymentConfirmations({ transactionId }: { transactionId: string }) {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['confirmations', transactionId],
    queryFn: ({ signal }) => api.call('getCheckout', { params: { transaction_id: transactionId }, signal }),
    refetchInterval: ({ state }) => (state.status === 'error' ? false : LOOK_AGAIN_MS),
    retry: false,
  })
  return data === undefined ? null : <Confirmations have={data.confirmations} need={data.confirmations_needed} />
}
