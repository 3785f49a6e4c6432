import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'

/** @returns the mutation that pays the Lightning invoice from the demo's wallet */
export function usePayOverLightning(orderId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call('payFromTestWallet', { body: { transaction_id: orderId, method: 'lightning' } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['checkout', orderId] }),
  })
}
