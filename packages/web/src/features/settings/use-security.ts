import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@fairball/contract/client'
import type { AnswerOf } from '@fairball/contract/calls'
import type { SecurityQuestionSetting, Session } from '@fairball/contract/schemas/account'
import { useApi } from '../../shared/api.ts'
import { proofBody } from '../../shared/forms/proof.ts'
import { useSession } from '../../shared/session/use-session.ts'

export type { SecurityQuestionSetting, Session }

const QUESTION_KEY = ['security-question']
const SESSIONS_KEY = ['sessions']

/** @returns the mutation that checks the player's password before a guarded step */
export function useVerifyPassword() {
  const api = useApi()
  return useMutation({ mutationFn: (password: string) => api.call('verifyPassword', { body: { password } }) })
}

/** @returns the mutation that makes a new two-factor secret and gives the address of its QR code. Each call makes another one */
export function useTwofaQr() {
  const api = useApi()
  return useMutation({ mutationFn: async () => (await api.call('getTwofaQr')).qr_code_uri })
}

/** @returns the mutation that switches two-factor on with the first code, and gives the recovery codes, this once */
export function useVerifyTwofa() {
  const api = useApi()
  return useMutation({
    mutationFn: async (code: string) => (await api.call('verifyTwofa', { body: { code } })).recovery_codes,
  })
}

/** @returns the mutation that switches two-factor off, with the password or a code */
export function useDisableTwofa(isSocial: boolean) {
  const api = useApi()
  const { refreshProfile } = useSession()
  return useMutation({
    mutationFn: async (proof: string) => {
      await api.call('disableTwofa', { body: proofBody(proof, isSocial) })
      await refreshProfile()
    },
  })
}

/** @returns whether a call failed because of the server or the connection, rather than the input */
export function isServerFailure(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}

/** @returns the query of the player's security question */
export function useSecurityQuestion() {
  const api = useApi()
  return useQuery({
    queryKey: QUESTION_KEY,
    queryFn: ({ signal }) => api.call('getSecurityQuestionSetting', { signal }),
  })
}

/** @returns the query of the questions to choose from */
export function useSecurityQuestions() {
  const api = useApi()
  return useQuery({
    queryKey: ['security-questions'],
    queryFn: ({ signal }) => api.call('getSecurityQuestions', { signal }),
    staleTime: 'static',
  })
}

/** @returns whether a call failed because the login was more than half an hour ago */
export function isLoginLate(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'ACCESS_DENIED'
}

/** The security question as it is edited; a question of 0 is none. */
export interface SecurityQuestionValues {
  isActive: boolean
  questionId: number
  answer: string
  /** Empty unless it was asked for. */
  password: string
}

/**
 * @returns the mutation that saves the security question, after the password if one is given. An inactive one is sent
 *   without question and answer
 */
export function useSaveSecurityQuestion() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { refreshProfile } = useSession()
  return useMutation({
    mutationFn: async ({ isActive, questionId, answer, password }: SecurityQuestionValues) => {
      if (password !== '') await api.call('verifyPassword', { body: { password } })
      return await api.call('saveSecurityQuestionSetting', {
        body: { is_active: isActive, ...(isActive && { security_question_id: questionId, answer }) },
      })
    },
    onSuccess: async (saved) => {
      queryClient.setQueryData(QUESTION_KEY, saved)
      await refreshProfile()
    },
  })
}

/** @returns the query of the player's sessions */
export function useSessions() {
  const api = useApi()
  return useQuery({ queryKey: SESSIONS_KEY, queryFn: ({ signal }) => api.call('getSessions', { signal }) })
}

/** @returns the mutation that ends a session, named by its handle; it then leaves the list */
export function useRevokeSession() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { refreshProfile } = useSession()
  return useMutation({
    mutationFn: (handle: string) => api.call('revokeSessions', { body: { tokens: [handle] } }),
    onSuccess: (_answer, handle) => {
      queryClient.setQueryData<AnswerOf<'getSessions'>>(SESSIONS_KEY, (sessions) =>
        sessions?.filter((session) => session.access_token !== handle),
      )
      // The current user is read again after changes of two-factor and sessions (specification, section 7).
      void refreshProfile()
    },
  })
}
