// A phone of a player or a visitor, simulated: a processor slowed four times, a slow network, and the figures of its
// pages.
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'

/** The phone's window, in CSS px. */
export const PHONE = { width: 390, height: 844 }
export const WIDE = { width: 1280, height: 800 }
const SLOWED_BY = 4
const ROUND_TRIP_MS = 150
const BYTES_PER_SECOND = 1_600_000 / 8

/** What `observe.js` keeps in a page. */
interface PageFigures {
  /** durations of the events of presses, in ms; those under 16 ms are missing */
  readonly presses: readonly number[]
  readonly clicks: number
  /** the largest shift of the layout (CLS) */
  readonly shift: number
  readonly shifted: readonly string[]
  readonly largestMs: number
  /** what was painted then */
  readonly largest: string
  /** when elements with names were painted, in ms */
  readonly named: Readonly<Record<string, number>>
  readonly balls: readonly { readonly shown: number; readonly ms: number }[]
}

/** The storage of a signed-in browser; its tokens change with every use. */
export type Storage = Awaited<ReturnType<BrowserContext['storageState']>>

/** How slow the network is: not at all, late answers alone, or late and narrow. */
export type Network = 'fast' | 'late' | 'slow'

/** Starts the browser. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
  })
}

/** Opens a phone's browser with nothing in its cache. */
export async function newPhone(
  browser: Browser,
  { baseURL, storage, viewport = PHONE }: { baseURL: string; storage?: Storage | undefined; viewport?: typeof PHONE },
): Promise<BrowserContext> {
  const isPhone = viewport.width < 641
  const context = await browser.newContext({
    baseURL,
    viewport,
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: 'en-GB',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
    ...(storage === undefined ? {} : { storageState: storage }),
  })
  await context.addInitScript({ path: join(import.meta.dirname, 'observe.js') })
  return context
}

/** Opens a page on a slowed processor and, if asked for, a slow network. */
export async function slowPage(context: BrowserContext, network: Network = 'fast'): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_BY })
  if (network === 'fast') return page
  const bytes = network === 'late' ? -1 : BYTES_PER_SECOND
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: ROUND_TRIP_MS,
    downloadThroughput: bytes,
    uploadThroughput: bytes,
  })
  return page
}

/** What a page has kept so far. */
export async function figuresOf(page: Page): Promise<PageFigures> {
  return (await page.evaluate('window.benchFigures')) as PageFigures // of observe.js
}

/** The longest event of a press, to the next paint, in ms. The browser reports none under 16 ms. */
export async function msOfPress(page: Page, target: Locator): Promise<number> {
  // With its own tap, Playwright looks in the page, within the measured events, for what was hit: a finger does not.
  await target.tap({ trial: true })
  const box = await target.boundingBox()
  if (box === null) throw new Error(`${target} is not on the page`)
  await page.evaluate('window.benchFigures.presses.length = 0')
  const { clicks } = await figuresOf(page)
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  while ((await figuresOf(page)).clicks === clicks) await page.waitForTimeout(LOOK_MS)
  // The entries come after the paint.
  await page.waitForTimeout(REPORT_MS)
  return Math.max(LEAST_REPORTED_MS, ...(await figuresOf(page)).presses)
}

const LEAST_REPORTED_MS = 16
const REPORT_MS = 150
const LOOK_MS = 20

/** Time that scripts take on an open page without input, in ms per second. */
export async function idleScriptMs(page: Page, seconds: number): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const scriptSeconds = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN
  }
  const before = await scriptSeconds()
  await page.waitForTimeout(seconds * 1000)
  return (1000 * ((await scriptSeconds()) - before)) / seconds
}
