import { onTestFinished, vi } from 'vitest'
import { render } from '@fairball/ui/testing/render.tsx'
import { App } from '../app/app.tsx'
import { createApi } from '../shared/api.ts'
import type { Me } from '../shared/calls.ts'
import { createPasskeys } from '../shared/passkeys/passkeys.ts'
import type { TestKey, TestKeys } from '../shared/passkeys/test-keys.ts'

/** What a call sends. */
interface Asked {
  readonly body: Record<string, unknown>
  readonly query: URLSearchParams
}
/** The server's answers by method and path, `GET /payouts`: JSON, a refusal, or a function that gives one. */
type Answers = Readonly<Record<string, unknown>>

/** The person in front of the page. */
export const OWNER: Me = { id: '3', name: 'demo-owner', roles: ['owner', 'treasurer', 'approver', 'support', 'games'] }

const RATE = { currency: 'GBP', symbol: '£', position_of_symbol: 'LEFT', sats: '1333', at: 1_795_881_000 }
const SITE = { name: 'Fairball', url: 'https://lottery.example', is_demo: true, now: 1_795_881_600, rate: RATE }

class Refused {
  readonly status: number
  readonly error: unknown
  constructor(status: number, error: unknown) {
    this.status = status
    this.error = error
  }
}

/** A refusal with its code. */
export function refused(status: number, code: string, message = ''): unknown {
  return new Refused(status, { code, message })
}

/** A rendered console. */
interface RenderedConsole {
  /** The bodies that were sent to a call, in order. */
  sent: (call: string) => readonly unknown[]
  /** Changes what the server answers from now on. */
  answer: (answers: Answers) => void
}

/** Test keys that live as long as the test. */
export function memoryKeys(): TestKeys {
  const kept = new Map<string, TestKey>()
  return {
    list: async () => [...kept.values()],
    put: async (key) => void kept.set(key.id, key),
  }
}

/** Renders the console at an address, with a server that gives the test's answers. */
export function renderConsole(
  address: string,
  answers: Answers,
  { me = OWNER, keys = memoryKeys() }: { me?: Me | null; keys?: TestKeys } = {},
): RenderedConsole {
  const made: { call: string; body: unknown }[] = []
  let all: Answers = {
    'GET /site': SITE,
    'GET /auth/me': me === null ? refused(401, 'SIGN_IN_NEEDED') : { staff: me, expires_at: 1_795_900_000 },
    'GET /requests': { results: [], total_pages: 0 },
    ...answers,
  }
  const fetch: Parameters<typeof createApi>[0]['fetch'] = async (input, init = {}) => {
    const url = new URL(typeof input === 'string' ? input : '', 'http://localhost')
    const call = `${init.method} ${decodeURIComponent(url.pathname.replace('/console/api/v1', ''))}`
    const body = (typeof init.body === 'string' ? JSON.parse(init.body) : {}) as Record<string, unknown>
    made.push({ call, body })
    const answer = call in all ? all[call] : refused(404, 'NOT_FOUND')
    const asked: Asked = { body, query: url.searchParams }
    // The tests' answers are JSON, or functions that give it.
    const given: unknown = typeof answer === 'function' ? await (answer as (one: Asked) => unknown)(asked) : answer
    if (given instanceof Refused) return Response.json({ error: given.error }, { status: given.status })
    return Response.json(given)
  }
  history.replaceState(null, '', address)
  const { unmount } = render(
    <App api={createApi({ fetch })} passkeys={createPasskeys(keys)} timers={{ after: () => () => {} }} />,
  )
  // From here on React renders when it likes, as in a browser: tests wait for what they look for.
  setActing(false)
  onTestFinished(() => {
    setActing(true)
    unmount()
  })
  return {
    sent: (call) => made.filter((one) => one.call === call).map(({ body }) => body),
    answer: (changed) => {
      all = { ...all, ...changed }
    },
  }
}

function setActing(isActing: boolean): void {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: isActing })
}

const SELECTORS: Readonly<Record<string, string>> = {
  alert: '[role=alert]',
  button: 'button',
  dialog: 'dialog',
  heading: 'h1, h2, h3',
  link: 'a[href]',
  row: 'tbody tr',
}

/** Every element of a role whose name, or text, has these words in it. */
export function allOf(role: string, name: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(SELECTORS[role] ?? role)].filter((element) =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').includes(name),
  )
}

/** Waits for an element of a role with a name. */
export async function seen(role: string, name: string): Promise<HTMLElement> {
  await eventually(() => allOf(role, name).length > 0, `${role} “${name}”`)
  const [element] = allOf(role, name)
  if (element === undefined) throw new Error(`The ${role} “${name}” is gone.`)
  return element
}

/** Waits until the page has a text. */
export async function said(text: string): Promise<void> {
  await eventually(() => pageText().includes(text), `text “${text}”`)
}

async function eventually(isTrue: () => boolean, what: string): Promise<void> {
  await vi.waitFor(
    () => {
      if (!isTrue()) throw new Error(`There is no ${what} in: ${pageText()}`)
    },
    { timeout: 10_000, interval: 10 },
  )
}

function pageText(): string {
  return document.body.textContent ?? ''
}

/** Presses the first button or link of a name, once it can be; the last one, where a dialog lies over the page. */
export async function pressNamed(role: 'button' | 'link', name: string, which: 'first' | 'last' = 'first') {
  const named = () => allOf(role, name).at(which === 'first' ? 0 : -1)
  const canBe = () => named()?.matches(':not([disabled], [aria-disabled=true])') === true
  await eventually(canBe, `${role} “${name}” to press`)
  const element = named()
  element?.click()
}

/** Types into the field of a label. */
export async function typeInto(label: string, text: string): Promise<void> {
  await eventually(() => fieldOf(label) !== null, `field “${label}”`)
  const field = fieldOf(label)
  if (field === null) throw new Error(`The field “${label}” is gone.`)
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {}
  set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Presses a key while an element has the focus. */
export function pressKey(element: Element, key: string): void {
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

function fieldOf(label: string): HTMLInputElement | HTMLTextAreaElement | null {
  const named = [...document.querySelectorAll('label')].find((one) => one.textContent === label)
  const field = document.getElementById(named?.htmlFor ?? '')
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : null
}
