import { useMutation, useQuery } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'
import { useClock } from '../../shared/use-clock.ts'
import { paths } from '../../shared/paths.ts'
import { expectNoTicket } from '../../shared/seen-draws.ts'
import { useFinishedLogin } from '../../shared/session/use-finished-login.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { isAnswered, isCode } from './account-rules.ts'
import type { LoginSecureValues, LoginValues, OpenAccountValues, ResetPasswordValues } from './account-rules.ts'

/**
 * A key from a mail or a login is checked once: asking again could use it up, and every answer is final. `static`
 * excludes the queries from the refetch once a player turns out to be signed in.
 */
const ASKED_ONCE = {
  retry: false,
  staleTime: 'static',
  retryOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** @returns the mutation that opens an account and signs in */
export function useOpenAccount(path: string) {
  const api = useApi()
  const finish = useFinishedLogin(path)
  return useMutation({
    mutationFn: async ({ email, emailConfirm, password }: OpenAccountValues) => {
      const answer = await api.call('register', { body: { email, email_confirm: emailConfirm, password } })
      expectNoTicket()
      await finish(answer)
    },
  })
}

/** @returns the mutation that logs in, or leads to the second step */
export function useLogin(path: string) {
  const api = useApi()
  const finish = useFinishedLogin(path)
  return useMutation({
    mutationFn: async ({ emailOrUsername, password }: LoginValues) =>
      finish(await api.call('login', { body: { email_or_username: emailOrUsername.trim(), password } })),
  })
}

/** @returns the methods for the second step of a login, and its deadline (`expiresAt`, epoch seconds) */
export function useSecondStep(loginKey: string) {
  const api = useApi()
  const clock = useClock()
  return useQuery({
    queryKey: ['login-secure', loginKey],
    queryFn: async () => {
      const answer = await api.call('checkLoginSecureKey', { query: { key: loginKey } })
      return { ...answer, expiresAt: clock.now() + answer.expires_in }
    },
    ...ASKED_ONCE,
  })
}

/** @returns the security questions to choose from */
export function useSecurityQuestions({ enabled }: { enabled: boolean }) {
  const api = useApi()
  return useQuery({
    queryKey: ['security-questions'],
    queryFn: ({ signal }) => api.call('getSecurityQuestions', { signal }),
    staleTime: 'static',
    enabled,
  })
}

/** @returns the mutation that makes the second step of a login */
export function useLoginSecure(loginKey: string, path: string | null) {
  const api = useApi()
  const finish = useFinishedLogin(path ?? paths.personalDetails())
  return useMutation({
    mutationFn: async (values: LoginSecureValues) =>
      finish(await api.call('loginSecure', { body: { key: loginKey, ...secondStepOf(values) } })),
  })
}

/** Sends one method that is filled in and valid: a code rather than an answer. */
function secondStepOf({ code, recoveryCode, questionId, answer }: LoginSecureValues) {
  if (isCode(code)) return { twofa_code: code }
  if (isAnswered(questionId, answer)) return { security_question_id: questionId, security_answer: answer }
  return { recovery_code: recoveryCode.trim() }
}

/** @returns the mutation that asks for a reset link */
export function useResetRequest() {
  const api = useApi()
  return useMutation({ mutationFn: (email: string) => api.call('requestPasswordReset', { query: { email } }) })
}

/** @returns whether a reset link is valid, and whether it needs an authenticator code */
export function useResetLink(resetKey: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['reset-password', resetKey],
    queryFn: async () => (await api.call('checkResetPasswordKey', { query: { key: resetKey } })).data,
    ...ASKED_ONCE,
  })
}

/** @returns the mutation that sets the new password */
export function useResetPassword(resetKey: string) {
  const api = useApi()
  return useMutation({
    mutationFn: ({ password, passwordConfirm, ...codes }: ResetPasswordValues) =>
      api.call('resetPassword', {
        body: { key: resetKey, password, password_confirm: passwordConfirm, ...resetCodeOf(codes) },
      }),
  })
}

/** Sends the code that is filled in; nothing if two-factor is off. */
function resetCodeOf({ code, recoveryCode }: Pick<ResetPasswordValues, 'code' | 'recoveryCode'>) {
  if (code !== '') return { twofa_code: code }
  return recoveryCode === '' ? {} : { recovery_code: recoveryCode.trim() }
}

/**
 * Verifies the email address with the key of the mail, and marks it verified here and in the other tabs. It waits until
 * the session is known: a profile read earlier would hide the mark.
 */
export function useEmailVerification(resetKey: string) {
  const api = useApi()
  const { status, emailVerified } = useSession()
  return useQuery({
    queryKey: ['verify-email', resetKey],
    queryFn: async () => {
      const answer = await api.call('verifyEmail', { body: { key: resetKey } })
      emailVerified()
      return answer
    },
    enabled: status !== 'unknown',
    ...ASKED_ONCE,
  })
}

/** @returns the mutation that reverts a changed bitcoin address, with the key of the mail about it */
export function useStopAddressChange(key: string) {
  const api = useApi()
  return useMutation({ mutationFn: () => api.call('stopAddressChange', { body: { key } }) })
}

/** @returns the player's ticket whose draw comes next; undefined without one, and until it is asked for */
export function useTicketToCome(isAsked: boolean) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['tickets', 1],
    queryFn: ({ signal }) => api.call('getTickets', { query: { _page: 1 }, signal }),
    enabled: isAsked,
  })
  return isAsked ? query.data?.results.find(({ draw }) => draw.status !== 'DRAWN' && draw.status !== 'VOID') : undefined
}
