import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../app/api.ts'
import { proofBody } from '../../app/forms/proof.ts'

const CRYPTO_KEY = ['crypto-account']

/** @returns the query of the saved bitcoin address, null before one is saved */
export function useCryptoAccount() {
  const api = useApi()
  return useQuery({
    queryKey: CRYPTO_KEY,
    queryFn: ({ signal }) => api.call('getCryptoAccountDetails', { signal }),
    select: (answer) => answer.btc_address,
  })
}

/** What saving an address takes: `proof` is a password, or a code for accounts without one. */
export interface NewAddress {
  btcAddress: string
  proof: string
}

/** @returns the mutation that saves the address */
export function useSaveCryptoAccount(isSocial: boolean) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ btcAddress, proof }: NewAddress) => {
      const address = btcAddress.trim()
      await api.call('saveCryptoAccountDetails', { body: { btc_address: address, ...proofBody(proof, isSocial) } })
      return { btc_address: address }
    },
    onSuccess: (saved) => queryClient.setQueryData(CRYPTO_KEY, saved),
  })
}

/** @returns the mutation that sends a new verification link */
export function useResendVerification() {
  const api = useApi()
  return useMutation({ mutationFn: () => api.call('resendVerificationEmail') })
}
