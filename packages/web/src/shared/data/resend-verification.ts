import { useMutation } from '@tanstack/react-query'
import { useApi } from '../api.ts'

/** @returns the mutation that sends a new verification link */
export function useResendVerification() {
  const api = useApi()
  return useMutation({ mutationFn: () => api.call('resendVerificationEmail') })
}
