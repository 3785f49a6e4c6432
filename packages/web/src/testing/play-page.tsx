import { act } from 'react'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { ErrorCode } from '@fairball/domain/errors'
import { PlayScreen } from '../features/play/play-screen.tsx'
import type { PlayScreenProps } from '../features/play/play-screen.tsx'
import type { Game } from '../shared/data/games.ts'
import { heroGame } from './hero-game.ts'
import { hasButton, pass, pressButton, renderPage } from './render-page.tsx'
import type { Answers, RenderedPage } from './render-page.tsx'
import { Tab } from './tab.tsx'
import { payoutDetails } from './payout-details.ts'

/** The present, a Saturday in epoch seconds: the draws of Monday to Friday have passed. */
export const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
/** When the next draw starts. */
export const START = NOW + 6 * 3600
/** The page's address. */
export const GAME = '/game/bitcoin-hero'

/** The limits of a player who has set none. */
export const NOTHING_SET = {
  weekly_limit: null,
  weekly_left: null,
  weekly_limit_next: null,
  weekly_limit_next_at: null,
  time_out_until: null,
  excluded_until: null,
  reminder_minutes: null,
}

const QUOTE = {
  entries: 1,
  free_tickets_used: 0,
  price: {
    crypto: { value: '0.00001000', code: 'BTC' as const },
    fiat: { GBP: { value: 1, symbol: '£', position_of_symbol: 'LEFT' as const } },
  },
}

/** The state of the page; defaults are those of a player of Bitcoin Hero. */
export interface Setting {
  game?: Partial<Game>
  props?: Partial<PlayScreenProps>
  answers?: Answers
  profile?: Parameters<typeof renderPage>[1]['profile']
  /** A new one at {@link GAME} by default. */
  tab?: Tab
}

/** The page that was opened last. */
export let page: RenderedPage

/** Makes each test of a file begin at {@link NOW} with empty storage, and end with the page unmounted. */
export function setUpPlayPage(): void {
  // Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
  beforeAll(() =>
    Promise.all([
      import('../features/play/components/anonymous-view.tsx'),
      import('../features/play/components/player-steps.tsx'),
      import('../features/play/components/configuration.tsx'),
      import('../features/play/components/quoted-order.tsx'),
      import('../features/play/components/visitor-lines.tsx'),
      import('../features/play/components/line-picker.tsx'),
      import('../features/play/components/how-to-play.tsx'),
      import('../features/play/components/payment-step.tsx'),
      import('../features/play/components/ended-payment.tsx'),
      import('../proof/receipt-of-play.ts'),
      import('../proof/print-tickets.tsx'),
      import('@fairball/ui/qr-code.tsx'),
      import('../shared/coming-change-notice.tsx'),
      import('../shared/ended-game.tsx'),
      import('../shared/order/same-numbers.ts'),
      import('../proof/place-order.ts'),
      import('../proof/kept-store.ts'),
    ]),
  )
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW * 1000 })
    sessionStorage.clear()
    localStorage.clear()
  })
  afterEach(() => {
    page.unmount()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

/** Opens a game's page. */
export async function open({ game = {}, props = {}, answers = {}, profile = {}, tab }: Setting = {}): Promise<void> {
  const shown = { gameKey: 'bitcoin-hero', luckyDips: 0, transactionId: null, ...props }
  page = await renderPage(<PlayScreen {...shown} />, {
    answers: {
      getGames: () => [heroGame(START, game)],
      getSavedNumbers: () => ({ ok: true, data: [] }),
      getLastPlayedNumbers: () => [],
      getResponsiblePlay: () => NOTHING_SET,
      getCryptoAccountDetails: () => payoutDetails({ btc_address: 'bcrt1qexample' }),
      quotePayment: () => ({ ...QUOTE, draws: [heroGame(START, game).next_draw] }),
      ...answers,
    },
    profile,
    tab: tab ?? new Tab(GAME),
  })
  await pass(0)
  await pass(0)
}

/** Loads the page again, in the same tab. */
export async function reload(setting: Setting = {}): Promise<void> {
  page.unmount()
  await open({ tab: page.tab, ...setting })
}

/** A refusal of the server. */
export function refuse(status: number, code: ErrorCode): () => never {
  return () => {
    throw new ApiError({ status, code, message: 'of the server' })
  }
}

export function dialog(): HTMLDialogElement | null {
  return document.querySelector('dialog')
}

export async function pressEscape(): Promise<void> {
  // The browser makes a request to close of it.
  act(() => void dialog()?.dispatchEvent(new Event('cancel', { cancelable: true })))
  await pass(0)
}

/** The target of the link of this name. */
export function linkTo(name: string): string | null | undefined {
  return [...document.querySelectorAll('a')].find((link) => link.textContent === name)?.getAttribute('href')
}

/** The numbers of each line, as text. */
export function lines(): number[][] {
  return [...document.querySelectorAll('[aria-label^="Line "]')].map((line) =>
    [...line.querySelectorAll('li')].map((ball) => Number.parseInt(ball.textContent, 10)).filter(Number.isInteger),
  )
}

/** Presses numbers in the open picker. */
export async function pick(...numbers: number[]): Promise<void> {
  for (const number of numbers) await pressButton(String(number))
}

/** Puts these numbers on a line. */
export async function choose(letter: string, ...numbers: number[]): Promise<void> {
  await pressButton(hasButton(`Change line ${letter}`) ? `Change line ${letter}` : `Choose numbers of line ${letter}`)
  await pick(...numbers)
  await pressButton('CONFIRM')
}

/** The selectable days, each with its state. */
export function days(): string[] {
  return [...document.querySelectorAll('input[type="checkbox"]')].map((box) => {
    const { disabled, checked } = box as HTMLInputElement
    return `${box.getAttribute('aria-label')}${disabled ? ' passed' : ''}${checked ? ' chosen' : ''}`
  })
}

/** The factors of the sum, and the sum. */
export function receipt(): string[] {
  return [...document.querySelectorAll('dd, output')].map((value) => value.textContent)
}

export function pressPlay(): Promise<void> {
  return pressButton('Play')
}
