import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@fairball/contract/client'
import { ERROR_TEXTS } from '@fairball/domain/errors'
import { useEffect, useRef, useState } from 'react'
import { errorText, useApi } from '../api.ts'
import { useConfig } from '../config.ts'
import { useFinishedLogin } from '../session/use-finished-login.ts'
import { SOCIAL_TEXTS } from './messages.ts'
import type { SocialProvider } from './social-answer.ts'
import { startSocialTry } from './social-try.ts'
import type { SocialParts } from './social-try.ts'

/** A login through a social network, as the buttons show it. */
interface SocialLogin {
  /** Opens the network's window. An earlier try ends. */
  start: (provider: SocialProvider) => void
  /** The error above the buttons; null without a failure. */
  failure: string | null
  /** The network whose window is open; null without one. */
  waitingFor: SocialProvider | null
  /** The network whose token is being checked; null without one. */
  checking: SocialProvider | null
}

/**
 * Logs in through a social network.
 *
 * @param path target of the login
 */
export function useSocialLogin(path: string, parts: SocialParts): SocialLogin {
  const api = useApi()
  const { socialLogins, publicUrl } = useConfig()
  const finish = useFinishedLogin(path)
  const [view, setView] = useState<Pick<SocialLogin, 'failure' | 'waitingFor'>>({ failure: null, waitingFor: null })
  const endTry = useRef<() => void>(null)
  useEffect(() => () => endTry.current?.(), [])

  const login = useMutation({
    mutationFn: async ({ provider, accessToken }: { provider: SocialProvider; accessToken: string }) => {
      await finish((await api.call(CALLS[provider], { body: { access_token: accessToken } })).data)
    },
    onError: (error, { provider }) => setView({ failure: failureText(error, provider), waitingFor: null }),
  })

  const start = (provider: SocialProvider) => {
    const app = socialLogins[provider]
    if (app === null || login.isPending) return
    endTry.current?.()
    setView({ failure: null, waitingFor: provider })
    endTry.current = startSocialTry(
      {
        provider,
        app,
        publicUrl,
        onToken: (accessToken) => {
          setView({ failure: null, waitingFor: null })
          login.mutate({ provider, accessToken })
        },
        onFailure: () => setView({ failure: SOCIAL_TEXTS[provider].failed, waitingFor: null }),
      },
      parts,
    )
  }
  return { start, ...view, checking: login.isPending ? login.variables.provider : null }
}

const CALLS = {
  google: 'loginWithGoogle',
  facebook: 'loginWithFacebook',
  twitter: 'loginWithTwitter',
} as const satisfies Record<SocialProvider, string>

/** The network's own sentence for a refusal, unless the server's message says more. */
function failureText(error: unknown, provider: SocialProvider): string {
  if (!(error instanceof ApiError) || error.code !== 'SOCIAL_LOGIN_FAILED') return errorText(error)
  const { serverMessage } = error
  const saysMore = serverMessage !== '' && serverMessage !== ERROR_TEXTS.SOCIAL_LOGIN_FAILED
  return saysMore ? serverMessage : SOCIAL_TEXTS[provider].failed
}
