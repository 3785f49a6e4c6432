import { expect, type Page } from '@playwright/test'
import { callAs, callWith } from './account.ts'
import { accessibilityFaults, moveClock, PICK, POOL, register, systemNow } from './player.ts'
import { expectReadableAtTwice } from './text-size.ts'

export const DAY_SECONDS = 86_400
export const WIDE = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
/** For journeys about movement: the others run with reduced motion. */
export const MOVING = { contextOptions: { reducedMotion: 'no-preference' } } as const
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** Moves the clock to the next Monday morning, when every day of the week can be chosen (1970-01-05 was a Monday). */
export async function goToMonday(page: Page): Promise<void> {
  const week = 7 * DAY_SECONDS
  const firstMonday = 4 * DAY_SECONDS
  await moveClock(page, { to: Math.ceil((await systemNow(page)) / week) * week + firstMonday + 60 })
}

/** A different line for each index: the first 32 are distinct. */
export function lineAt(place: number): number[] {
  return Array.from({ length: PICK }, (_, index) => ((place + index * 7) % POOL) + 1).toSorted((a, b) => a - b)
}

/** A number of random lines. */
export function randomLines(count: number): number[][] {
  const pool = Array.from({ length: POOL }, (_, index) => index + 1)
  return Array.from({ length: count }, () =>
    pool
      .map((number) => ({ number, place: Math.random() }))
      .toSorted((a, b) => a.place - b.place)
      .slice(0, PICK)
      .map(({ number }) => number),
  )
}

/** Lines of Bitcoin Hero to order. */
interface Wanted {
  lines: readonly number[][]
  days: readonly number[]
  weeks?: number
}

/** Orders lines through the API, as the player of an open page; returns the order's id. */
export async function order(page: Page, wanted: Wanted): Promise<string> {
  return idOf(await callAs(page, 'POST', '/payment', orderOf(wanted)))
}

/** The same as a new player without a page. */
export async function orderOfNewPlayer({ request }: Pick<Page, 'request'>, wanted: Wanted): Promise<string> {
  const { accessToken } = await register({ request })
  return idOf(await callWith(request, accessToken, 'POST', '/payment', orderOf(wanted)))
}

function orderOf({ lines, days, weeks = 1 }: Wanted): object {
  return {
    type: 'lotto',
    key: 'bitcoin-hero',
    days,
    weeks,
    tickets: lines.map((numbers) => ({ isLuckyDip: false, numbers })),
  }
}

function idOf(answer: unknown): string {
  return (answer as { transaction_id: string }).transaction_id
}

/** Waits until the whole page has loaded: no loading texts and no grey placeholders. */
export async function settled(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await expect(main.getByText('Loading', { exact: true })).toHaveCount(0)
  await expect(main.locator('[aria-busy="true"], [class*="_skeleton_"]')).toHaveCount(0)
}

/** The rules of axe that depend on the page's width or colours. */
const WIDTH_AND_COLOURS = ['color-contrast', 'scrollable-region-focusable']

/**
 * Checks the page in its current state: all of axe on a screen in light; on a phone in dark the rules that depend on
 * width or colours, no sideways scroll, and text at 200%.
 *
 * @param parts `whole page` in the crawl of each kind of page: with the bar and the foot, and all rules on a phone too
 */
export async function expectNoFaults(
  page: Page,
  state: string,
  parts: 'whole page' | 'without frame' = 'without frame',
): Promise<void> {
  const [phoneRules, looked] = parts === 'whole page' ? ([null, 'all'] as const) : ([WIDTH_AND_COLOURS, parts] as const)
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
  await settled(page)
  expect.soft(await accessibilityFaults(page, null, looked), state).toEqual([])
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await settled(page)
  expect.soft(await accessibilityFaults(page, phoneRules, looked), `${state}, phone, dark`).toEqual([])
  await expectNoSidewaysScroll(page, state)
  await expectReadableAtTwice(page, state)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(WIDE)
}

export async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect.soft(overflow, `${state} scrolls sideways`).toBeLessThanOrEqual(0)
}
