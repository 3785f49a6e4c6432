import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'
import { cryptoAccountQuery } from '../../shared/data/crypto-account.ts'
import { proofBody } from '../../shared/forms/proof.ts'

/** The query of the waiting money. */
export const WAITING_KEY = ['waiting-money']

/** Values to save an address: `proof` is a password, or a code for accounts without one. */
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
    onSuccess: (saved) => {
      queryClient.setQueryData(cryptoAccountQuery(api).queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: WAITING_KEY })
    },
  })
}
