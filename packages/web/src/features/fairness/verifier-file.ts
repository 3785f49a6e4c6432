import { queryOptions, useQuery } from '@tanstack/react-query'
import { runtime } from '../../shared/runtime.ts'

/** Path of the stand-alone verifier on this server, one HTML file that needs no connection. */
export const VERIFIER_ADDRESS = '/fairness/fairball-verify.html'
/** Path of its SHA-256 in hex, as `sha256sum` writes it. */
const VERIFIER_HASH_ADDRESS = `${VERIFIER_ADDRESS}.sha256`

/** @returns the query of the verifier's hash; null if the server has no such file */
export function useVerifierHash() {
  return useQuery(
    queryOptions({
      queryKey: ['verifier-hash'],
      queryFn: async () => {
        const answer = await runtime.fetch(VERIFIER_HASH_ADDRESS)
        if (!answer.ok) return null
        return /^[0-9a-f]{64}/u.exec(await answer.text())?.[0] ?? null
      },
      staleTime: Infinity,
    }),
  )
}
