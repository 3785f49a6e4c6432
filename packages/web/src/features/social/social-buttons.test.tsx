import { ApiError } from '@fairball/contract/client'
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { alerts, button, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { runtime } from '../../app/runtime.ts'
import SocialButtons from './social-buttons.tsx'
import type { SocialParts } from './social-try.ts'

const navigate = vi.hoisted(() => vi.fn())
vi.mock('../../app/navigation.tsx', () => ({ useNavigate: () => navigate }))

const APP = { clientId: 'c', authUrl: 'https://social.example/auth' }
const TOKENS = { access_token: 'a', refresh_token: 'r' }

let page: RenderedPage | null = null
let send: (data: unknown) => void
let states: string[]
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
  navigate.mockReset()
})

async function open(answers: Answers, socialLogins: object = { google: APP, facebook: APP }, isBlocking = false) {
  const listeners = new Set<(data: unknown) => void>()
  states = []
  send = (data) => listeners.forEach((listener) => listener(data))
  const parts: SocialParts = {
    open: (address) => {
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
    config: { socialLogins: { google: null, facebook: null, ...socialLogins } },
  })
}

async function answer(provider: string, change: object = { accessToken: 'token' }) {
  await act(async () => send({ provider, state: states.at(-1), ...change }))
  await pass(0)
}

it('logs in with the token and goes on to the path', async () => {
  await open({ loginWithGoogle: () => ({ ok: true, data: TOKENS }) })
  await pressButton('Continue with Google')
  expect(text()).toContain('Continue in the window of Google.')
  await answer('google')
  expect(page?.calls('loginWithGoogle')).toEqual([{ access_token: 'token' }])
  expect(navigate).toHaveBeenCalledWith('/game/treasure', { replace: true })
})

it('goes to the second step where one is needed, and keeps the path', async () => {
  await open({ loginWithFacebook: () => ({ ok: true, data: { key: 'k' } }) })
  await pressButton('Continue with Facebook')
  await answer('facebook')
  expect(navigate).toHaveBeenCalledWith('/login-secure/k?path=/game/treasure')
})

it('has buttons only for what is configured', async () => {
  await open({}, { facebook: APP })
  expect([hasButton('Continue with Google'), hasButton('Continue with Facebook')]).toEqual([false, true])
})

it.each([
  ['google', 'Continue with Google', 'Unable to log in via Google.'],
  ['facebook', 'Continue with Facebook', 'Unable to log in via Facebook.'],
])('says above the buttons that %s failed, until the next try', async (provider, name, message) => {
  await open({})
  await pressButton(name)
  await answer(provider, { error: 'access_denied' })
  expect(alerts()).toEqual([message])
  await pressButton(name)
  expect(alerts()).toEqual([])
})

it('says so when the window is blocked', async () => {
  await open({}, undefined, true)
  await pressButton('Continue with Google')
  expect(alerts()).toEqual(['Unable to log in via Google.'])
  expect(text()).not.toContain('Continue in the window')
})

it('ends the first try with the second press', async () => {
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
])('shows for %i %s "%s": %s', async (status, code, message, shown) => {
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
