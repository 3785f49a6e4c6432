import { type Bundle, readBundle } from '@fairball/domain/protocol/bundle'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { TEST_ORIGIN, TEST_POLICY, TEST_ROUNDS, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import type { PayBy } from '@fairball/domain/protocol/statements'
import type { VerifyStep } from '@fairball/domain/protocol/verify'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import { ProofScreen } from '../features/fairness/proof-screen.tsx'
import { keptStore } from '../proof/kept-store.ts'
import { prove } from '../proof/prove.ts'
import type { WorkerMessage, WorkerTask } from '../proof/verifier.ts'
import { runtime } from '../shared/runtime.ts'
import { heroGame } from './hero-game.ts'
import { NOON } from './pounds.ts'
import { pass, renderPage } from './render-page.tsx'
import type { Answers, RenderedPage } from './render-page.tsx'
import { listedTicket } from './listed-ticket.ts'
import { filesOf, fileServer, hintOf, PlayersOrder } from './served-operator.ts'

export const ME = 'player-abc123'
export const SECRET = nobleHash(new Uint8Array([1]))
const LINES = [
  [1, 2, 3],
  [4, 5, 6],
]

/** The state of the draw, and the operator's dishonest acts. */
export interface Setting {
  until?: 'open' | 'sealed' | 'settled' | 'void'
  /** Whether the player's play is in the sealed list. */
  isSold?: boolean
  /** Whether the player trusts the operator's witness. */
  isTrusting?: boolean
  pool?: bigint
  /** The way to pay the player's order. */
  pay?: readonly PayBy[]
  profile?: object | null
  answers?: Answers
  /** The part of the page, in place of the draw's proof. */
  part?: ReactNode
}

/** The workers of the browser, as a test sets them. */
export const workers: {
  /** Changes what is verified. */
  change: (bundle: Bundle) => Bundle
  /** Stops a verification before this step. */
  stopAt: VerifyStep | null
  /** Whether none can run. */
  areForbidden: boolean
} = { change: (bundle) => bundle, stopAt: null, areForbidden: false }

/** Stands in for the browser's workers: the verifier's own code in the page's thread, with made-up rounds. */
class WorkerStandIn {
  onmessage: ((event: { data: WorkerMessage }) => void) | null = null
  onerror: (() => void) | null = null

  postMessage(task: WorkerTask): void {
    if (workers.areForbidden) return this.onerror?.()
    const send = (data: WorkerMessage) => this.onmessage?.({ data: structuredClone(data) })
    let isStopped = false
    const onStep = (step: VerifyStep) => {
      isStopped ||= step === workers.stopAt
      if (!isStopped) send({ kind: 'step', step })
    }
    const bundle = workers.change('file' in task ? readBundle(task.file) : task.bundle)
    const proof = prove({ ...task, bundle }, { ...TEST_ROUNDS, onStep })
    if (!isStopped) queueMicrotask(() => send({ kind: 'proof', proof, bundle }))
  }

  terminate(): void {
    this.onmessage = null
  }
}

/** Prepares the browser of a test: its workers and its clock. */
export function prepareBrowser(): void {
  vi.useFakeTimers({ now: NOON * 1000 })
  workers.change = (bundle) => bundle
  workers.stopAt = null
  workers.areForbidden = false
  vi.stubGlobal('Worker', WorkerStandIn)
}

/** Ends the test of a page: what the browser kept is forgotten. */
export async function leaveBrowser(page: RenderedPage): Promise<void> {
  page.unmount()
  await keptStore().forget()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}

/** A draw with two lines of the player, and the page on which a browser checks it. */
export async function openProof({
  until = 'settled',
  isSold = true,
  isTrusting = true,
  pool,
  pay,
  profile = {},
  answers = {},
  part = null,
}: Setting = {}): Promise<{
  operator: TestOperator
  draw: ReturnType<TestOperator['openDraw']>
  order: PlayersOrder
  page: RenderedPage
}> {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const order = new PlayersOrder(draw, { secret: SECRET, username: ME, lines: LINES })
  const other = { secret: nobleHash(new Uint8Array([2])), username: 'other', lines: [[7, 8, 9]], free: 0, rate: 3000 }
  const own = { secret: SECRET, username: ME, lines: LINES, free: 0, rate: 3000 }
  operator.sell(draw, isSold ? [other, own] : [other])
  if (until !== 'open') {
    operator.closeDraw(draw, pool === undefined ? {} : { pool })
    await operator.seal(draw)
  }
  if (until === 'settled') operator.settle(draw)
  if (until === 'void') {
    operator.now = draw.start + 604_801
    operator.giveUp(draw, 'beacon')
  }
  vi.spyOn(runtime, 'fetch').mockImplementation(fileServer(() => filesOf(operator)))
  if (isTrusting) await keptStore().put('logs', { origin: TEST_ORIGIN, keys: [], seenAt: NOON, policy: TEST_POLICY })
  const page = await renderPage(part ?? <ProofScreen gameKey="bitcoin-hero" number={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getFairnessDraw: ({ params }) => hintOf(operator, Number(params.number)),
      getTickets: () => ({ results: [listedTicket(draw.start, LINES)], total_pages: 1 }),
      getReceipt: () => (pay === undefined ? order.papers() : { ...order.papers(), promise: order.promise({}, pay) }),
      ...answers,
    },
    profile,
  })
  if (workers.stopAt === null && part === null) await checked()
  return { operator, draw, order, page }
}

/** Waits until the check has ended. */
export async function checked(): Promise<void> {
  await vi.waitFor(async () => {
    await pass(10)
    expect(status()).not.toMatch(/Checking/u)
  })
}

/** The verdict, as it is announced. */
export function status(): string {
  return document.querySelector('[role="status"]')?.textContent ?? ''
}

/** The button of a question, by the name of its step. */
export function questionButton(step: string): HTMLButtonElement | undefined {
  return [...document.querySelectorAll<HTMLButtonElement>('h3 > button[aria-expanded]')].find((one) =>
    one.textContent.startsWith(step),
  )
}

/** What a question opens. */
export function panelOf(step: string): HTMLElement | null {
  return document.getElementById(questionButton(step)?.getAttribute('aria-controls') ?? '')
}
