import { ApiError } from '@fairball/contract/client'
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { alerts, button, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { runtime } from '../runtime.ts'
import SocialButtons from './social-buttons.tsx'
import type { SocialParts } from './social-try.ts'

const APP = { clientId: 'c', authUrl: 'https://social.example/auth' }
const TOKENS = { access_token: 'a', refresh_token: 'r' }

let page: RenderedPage | null = null
let send: (data: unknown) => void
let states: string[]
let addresses: URL[]
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

async function open(answers: Answers, socialLogins: object = { google: APP, facebook: APP }, isBlocking = false) {
  const listeners = new Set<(data: unknown) => void>()
  states = []
  addresses = []
  send = (data) => listeners.forEach((listener) => listener(data))
  const parts: SocialParts = {
    open: (address) => {
      addresses.push(new URL(address))
      states.push(new URL(address).searchParams.get('state') ?? '')
      return isBlocking ? null : { closed: false, close: () => {} }
    },
    listen: (_channel, onData) => {
      listeners.add(onData)
      return () => void listeners.delete(onData)
    },
    runtime,
  }
  page = await renderPage(<SocialButtons path="/game/treasure" parts={parts} />, {
    answers,
    profile: null,
    config: { socialLogins: { google: null, facebook: null, twitter: null, ...socialLogins } },
  })
}

async function answer(provider: string, change: object = { accessToken: 'token' }) {
  await act(async () => send({ provider, state: states.at(-1), ...change }))
  await pass(0)
}

it('a button logs in with the token and opens the path', async () => {
  await open({ loginWithGoogle: () => ({ ok: true, data: TOKENS }) })
  await pressButton('Continue with Google')
  expect(text()).toContain('Continue in the window of Google.')
  await answer('google')
  expect(page?.calls('loginWithGoogle')).toEqual([{ access_token: 'token' }])
  expect(page?.tab.entries).toEqual(['/game/treasure'])
})

it('a button leads to the second step if one is needed, and keeps the path', async () => {
  await open({ loginWithFacebook: () => ({ ok: true, data: { key: 'k' } }) })
  await pressButton('Continue with Facebook')
  await answer('facebook')
  expect(page?.tab.entries).toEqual(['/', '/login-secure/k?path=/game/treasure'])
})

it('a login by X sends the code and the verifier of its challenge', async () => {
  await open({ loginWithTwitter: () => ({ ok: true, data: TOKENS }) }, { twitter: APP })
  await pressButton('Continue with X')
  await answer('twitter', { code: 'code-of-x' })
  const [sent] = (page?.calls('loginWithTwitter') ?? []) as { access_token: string }[]
  const [verifier = '', code] = sent?.access_token.split('.') ?? []
  expect(code).toBe('code-of-x')
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  expect(addresses.at(-1)?.searchParams.get('code_challenge')).toBe(Buffer.from(hash).toString('base64url'))
  expect(Object.fromEntries(addresses.at(-1)?.searchParams ?? [])).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: 'http://localhost/social-login/twitter',
  })
  expect(page?.tab.entries).toEqual(['/game/treasure'])
})

it('only configured networks have buttons', async () => {
  await open({}, { facebook: APP })
  expect([hasButton('Continue with Google'), hasButton('Continue with Facebook')]).toEqual([false, true])
})

it.each([
  ['google', 'Continue with Google', 'Unable to log in via Google.'],
  ['facebook', 'Continue with Facebook', 'Unable to log in via Facebook.'],
])('a failure of %s is shown above the buttons until the next try', async (provider, name, message) => {
  await open({})
  await pressButton(name)
  await answer(provider, { error: 'access_denied' })
  expect(alerts()).toEqual([message])
  await pressButton(name)
  expect(alerts()).toEqual([])
})

it('a blocked window is reported', async () => {
  await open({}, undefined, true)
  await pressButton('Continue with Google')
  expect(alerts()).toEqual(['Unable to log in via Google.'])
  expect(text()).not.toContain('Continue in the window')
})

it('a second press ends the first try', async () => {
  await open({ loginWithGoogle: () => ({ ok: true, data: TOKENS }) })
  await pressButton('Continue with Google')
  await pressButton('Continue with Google')
  const [first] = states
  await answer('google', { state: first, accessToken: 'first' })
  expect(page?.calls('loginWithGoogle')).toEqual([])
  await answer('google', { accessToken: 'second' })
  expect(page?.calls('loginWithGoogle')).toEqual([{ access_token: 'second' }])
})

it.each([
  [
    400,
    'SOCIAL_LOGIN_FAILED',
    'Login via social network unsuccessful! Please try again.',
    'Unable to log in via Google.',
  ],
  [400, 'SOCIAL_LOGIN_FAILED', 'Log in with your password.', 'Log in with your password.'],
  [503, 'INTERNAL_SERVER_ERROR', 'Down.', 'Error. Please wait a few minutes before you try again.'],
])('a login that fails with %i %s "%s" shows: %s', async (status, code, message, shown) => {
  await open({
    loginWithGoogle: () => {
      throw new ApiError({ status, code, message })
    },
  })
  await pressButton('Continue with Google')
  await answer('google')
  expect(alerts()).toEqual([shown])
  expect(button('Continue with Google').disabled).toBe(false)
})
