import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PayFirst } from '@fairball/contract/schemas/account'
import { useApi } from '../../shared/api.ts'
import { BALANCE_KEY } from '../../shared/data/balance.ts'
import { cryptoAccountQuery } from '../../shared/data/crypto-account.ts'
import { proofBody } from '../../shared/forms/proof.ts'

/** What is changed about being paid, and its proof: a password, or a code for accounts without one. */
interface PayoutChange {
  /** null removes the destination */
  readonly lightning?: string | null
  readonly pay_first?: PayFirst
  readonly proof: string
}

/** @returns the query of where and how the player is paid */
export function usePayoutDetails() {
  const { select: _, ...query } = cryptoAccountQuery(useApi())
  return useQuery(query)
}

/**
 * @param changeOf the change in the values of a form
 * @returns the mutation that saves it; from when it applies is the server's to say, so it is read again
 */
export function useSavePayoutDetails<Values>(isSocial: boolean, changeOf: (values: Values) => PayoutChange) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (values: Values) => {
      const { proof, ...change } = changeOf(values)
      return await api.call('saveCryptoAccountDetails', { body: { ...change, ...proofBody(proof, isSocial) } })
    },
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: BALANCE_KEY })
      await queryClient.invalidateQueries({ queryKey: cryptoAccountQuery(api).queryKey })
    },
  })
}
