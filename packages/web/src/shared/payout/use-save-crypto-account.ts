import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../api.ts'
import { BALANCE_KEY } from '../data/balance.ts'
import { cryptoAccountQuery } from '../data/crypto-account.ts'
import { proofBody } from '../forms/proof.ts'

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
      return address
    },
    onSuccess: (address) => {
      const { queryKey } = cryptoAccountQuery(api)
      queryClient.setQueryData(queryKey, (before) => before && { ...before, btc_address: address })
      void queryClient.invalidateQueries({ queryKey: BALANCE_KEY })
    },
  })
}
