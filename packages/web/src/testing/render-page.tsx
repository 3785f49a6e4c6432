import { QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import type { AnswerOf } from '@fairball/contract/calls'
import type { CallInput } from '@fairball/contract/client'
import type { PageCallName } from '@fairball/contract/paths'
import { ApiContext } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { Clock } from '../shared/clock.ts'
import { ClockContext } from '../shared/use-clock.ts'
import { ConfigContext } from '../shared/config.ts'
import type { WebConfig } from '@fairball/contract/pages'
import { createQueryClient } from '../app/query-client.ts'
import { runtime } from '../shared/runtime.ts'
import { claimVisitorOrder } from '../shared/session/kept-for-player.ts'
import { Session } from '../shared/session/session.ts'
import type { Profile } from '../shared/session/session.ts'
import { TokenStore } from '../shared/session/token-store.ts'
import { SessionContext } from '../shared/session/use-session.ts'
import { QUIET_CONFIG } from './quiet-config.ts'
import { find, render } from '@fairball/ui/testing/render.tsx'
import type { Rendered } from '@fairball/ui/testing/render.tsx'
import { Tab } from './tab.tsx'

/** The server's answers, by the call's name. A call without an entry fails the test that makes it. */
export type Answers = { [Name in PageCallName]?: (input: CallInput<Name>) => AnswerOf<Name> | Promise<AnswerOf<Name>> }

/** A rendered part of a page, with its calls of the server. */
export interface RenderedPage extends Rendered {
  /** The calls so far, in order, without those a test did not name. */
  calls: (name: PageCallName) => readonly unknown[]
  session: Session
  clock: Clock
  tab: Tab
  /** Number of reads of the profile. */
  profileReads: () => number
}

const PLAYER: Profile = {
  username: 'player-abc123',
  email: 'player@example.org',
  currency_code: 'GBP',
  is_email_verified: true,
  is_social_account: false,
  is_two_fa_enabled: false,
  is_security_question_enabled: false,
  time_zone: 'UTC',
  timezone_utc_offset: 0,
  unread_messages: 0,
}

/**
 * Renders a screen for a signed-in player, or for a visitor if the profile is null, with a server that gives the test's
 * answers. Fake the browser's timers (`vi.useFakeTimers()`): only `pass` moves them.
 */
export async function renderPage(
  node: ReactNode,
  {
    answers,
    profile = {},
    config: set = {},
    startedAt,
    tab = new Tab(),
  }: {
    answers: Answers
    profile?: Partial<Profile> | null
    config?: Partial<WebConfig>
    /** The server's time in epoch seconds, if it differs from the device's. */
    startedAt?: number
    /** The address of the screen; `/` by default. */
    tab?: Tab
  },
): Promise<RenderedPage> {
  showPicturesAtOnce()
  const made: { name: PageCallName; body: unknown }[] = []
  const call = async (name: PageCallName, input: { body?: unknown; params?: unknown } = {}) => {
    made.push({ name, body: input.body ?? input.params })
    const answer = answers[name] as ((given: unknown) => unknown) | undefined
    if (answer === undefined) throw new Error(`The test has no answer to ${name}.`)
    return answer(input)
  }
  // A stand-in that answers by name; the contract's types are those of the table of answers.
  const api = { call, address: () => '' } as unknown as Api
  const getProfile = vi.fn(async () => ({ ...PLAYER, ...profile }))
  const session = await sessionOf(getProfile, profile !== null)
  const config: WebConfig = { ...QUIET_CONFIG, testMode: true, ...set }
  const clock = new Clock(startedAt ?? runtime.nowMs() / 1000, runtime)
  const rendered = render(
    <QueryClientProvider client={createQueryClient(false)}>
      <ConfigContext value={config}>
        <ClockContext value={clock}>
          <ApiContext value={api}>
            <SessionContext value={session}>{tab.show(node)}</SessionContext>
          </ApiContext>
        </ClockContext>
      </ConfigContext>
    </QueryClientProvider>,
  )
  await pass(0)
  const calls = (name: PageCallName) => made.filter((one) => one.name === name).map(({ body }) => body)
  return { ...rendered, calls, session, clock, tab, profileReads: () => getProfile.mock.calls.length }
}

async function sessionOf(getProfile: () => Promise<Profile>, isPlayer: boolean): Promise<Session> {
  const values = new Map<string, string>()
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
  const tokens = { access_token: 'access', refresh_token: 'refresh' }
  const session = new Session({
    tokens: new TokenStore(storage, storage),
    refreshTokens: async () => tokens,
    getProfile,
    logout: async () => ({ ok: true }),
    exclusively: (task) => task(),
    forgetPlayer: () => {},
    claimVisitorOrder: (player) => claimVisitorOrder(localStorage, sessionStorage, player),
    forgetVisitorOrder: () => {},
    announceEmailVerified: () => {},
    runtime,
  })
  await (isPlayer ? session.signIn(tokens) : session.ready())
  return session
}

/** Lets time pass for timers and for pending answers. */
export async function pass(ms: number): Promise<void> {
  await act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  // Newly rendered parts may ask the server, and a query passes on the answer a moment after it arrived.
  await act(async () => void (await vi.advanceTimersByTimeAsync(0)))
  await act(async () => void (await vi.advanceTimersByTimeAsync(1)))
}

/** The button of this name: its text, or its name for assistive technology. */
export function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === name,
  )
  if (found === undefined) throw new Error(`There is no button "${name}".`)
  return found
}

/** @returns whether there is a button of this name */
export function hasButton(name: string): boolean {
  return [...document.querySelectorAll('button')].some(
    (one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === name,
  )
}

/** Presses the button of this name and waits for the result. A disabled one does nothing, as in a browser. */
export async function pressButton(name: string): Promise<void> {
  await act(async () => button(name).click())
  await pass(0)
}

/** Shows a picture of the page as soon as it is asked for: some work begins only after one. */
function showPicturesAtOnce(): void {
  const asked = new Set<object>()
  Object.assign(globalThis, {
    requestAnimationFrame: (draw: (ms: number) => void) => {
      const picture = {}
      asked.add(picture)
      void Promise.resolve().then(() => asked.delete(picture) && draw(0))
      return picture
    },
    cancelAnimationFrame: (picture: object) => asked.delete(picture),
  })
}

const CONTROLS = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]

/** The control of this label. */
export function control(label: string): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const found = [...document.querySelectorAll('label')].find((one) => one.textContent.trim() === label)
  const input =
    found?.control ??
    document.getElementById(found?.htmlFor ?? '') ??
    found?.querySelector('input') ??
    document.querySelector(`input[aria-label="${label}"]`)
  for (const kind of CONTROLS) if (input instanceof kind) return input
  throw new Error(`There is no field "${label}".`)
}

/** Types into the field of this label, replacing its value. */
export async function fill(label: string, text: string): Promise<void> {
  const input = control(label)
  await act(async () => {
    // React listens to the native setter.
    const kind = CONTROLS.find((one) => input instanceof one)
    Object.getOwnPropertyDescriptor(kind?.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event(input instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  })
  await pass(0)
}

/** Ticks a box, or chooses a chip. */
export async function tick(label: string): Promise<void> {
  await act(async () => control(label).click())
  await pass(0)
}

/** Sends the form, as Enter does. */
export async function submit(): Promise<void> {
  await act(async () => {
    find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
  await pass(0)
}

/** The readable text. */
export function text(): string {
  return document.body.textContent
}

/** The words of the banners, those of errors first. */
export function alerts(): string[] {
  return [...document.querySelectorAll('[role="alert"]')].map((one) => one.textContent)
}
