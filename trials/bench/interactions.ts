// Drives the built product as a player with forty lines does, on a simulated phone: 390 × 844, its processor four times
// slower. Measures how long presses and balls take to the next paint (p75), when the largest part of a page is there on
// a slow network (150 ms round trip, 1.6 Mbit/s), how far pages shift, and what scripts take while nothing happens.
// Run: npm run bench interactions [-- --repetitions=40 --loads=5 --only=presses,balls]
import type { Browser, Locator, Page } from '@playwright/test'
import { type Call, type Client, createClient, quantile, register, startProduct } from '../product.ts'
import { type Figure, inMs, judged, report } from './load/figures.ts'
import { namesOf, wholeFlag } from './load/flags.ts'
import { PLAYERS_PAGES, VISITORS_PAGES } from './interactions/pages.ts'
import {
  figuresOf,
  idleScriptMs,
  msOfPress,
  type Network,
  newPhone,
  PHONE,
  slowPage,
  startBrowser,
  type Storage,
  WIDE,
} from './interactions/phone.ts'

const GOAL_REPETITIONS = 40
const REPETITIONS = wholeFlag('repetitions', GOAL_REPETITIONS)
/** Loads of each page whose largest paint is measured; a load takes some seconds. */
const LOADS = wholeFlag('loads', 5)
const MAX_PRESS_MS = 100
const MAX_PAINT_MS = { visitor: 1800, player: 2500 } as const
/** What has the goal of a proof beside its largest paint, by its name on the page. */
const FRAME = 'verdict frame'
const MAX_SHIFT = 0.02
const MAX_IDLE_MS = 10
const IDLE_SECONDS = 10

const GAME = '/game/bitcoin-hero'
const [PICK, POOL] = [5, 36]
const LINES = 40
const WEEKS = 2
const BALLS = PICK
const FROM = '10.1.2.3'
/** Time for late parts of a page to arrive, in ms. */
const LATE_MS = 2500
/** Time in which a slowed processor has done all that follows from opening a page, in ms. */
const SETTLED_MS = 10_000
const LOOK_MS = 100
const MAX_LOOKS = 300

const product = await startProduct()
const client = createClient(product.port, 1)
const browser = await startBrowser()
const baseURL = `http://localhost:${product.port}`
try {
  const player = await playerWithLines()
  const parts = { presses, balls, paints, shifts, idle }
  const only = namesOf('only')
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(parts))
    if (only === undefined || only.includes(name)) figures.push(...(await measure(browser, player)))
  report(figures)
} finally {
  await browser.close()
  client.close()
  await product.stop()
}

/** A signed-in browser's storage, which changes with each use, and the player's order. */
interface Player {
  storage: Storage
  readonly orderId: string
  /** a draw of the order that was held */
  readonly drawn: number
}

/** A player with forty lines in the draws of two weeks, the first of which was held. */
async function playerWithLines(): Promise<Player> {
  // The first draw of a new product is minutes away.
  await moveClock((await nextDraw()).end_at + 605)
  const { access, refresh } = await register(client, 'player@example.org', FROM)
  const tickets = Array.from({ length: LINES }, (_, line) => ({ isLuckyDip: false, numbers: lineAt(line) }))
  const body = { type: 'lotto', key: 'bitcoin-hero', days: [1, 2, 3, 4, 5, 6, 7], weeks: WEEKS, tickets }
  const order = await ask(client, { method: 'POST', path: '/api/v1/payment', body, bearer: access })
  const orderId = String(order['transaction_id'])
  await ask(client, { method: 'POST', path: '/api/v1/dev/pay', body: { transaction_id: orderId } })
  const drawn = await nextDraw()
  await moveClock(drawn.end_at + 605)
  const storage = {
    cookies: [],
    origins: [{ origin: baseURL, localStorage: [{ name: 'refresh_token', value: refresh }] }],
  }
  return { storage, orderId, drawn: drawn.number }
}

/** A different line for each place. */
function lineAt(place: number): number[] {
  return Array.from({ length: PICK }, (_, index) => ((place + index * 7) % POOL) + 1).toSorted((a, b) => a - b)
}

interface DrawTimes {
  readonly number: number
  readonly start_at: number
  readonly end_at: number
}

async function nextDraw(): Promise<DrawTimes> {
  const { text } = await client.call({ method: 'GET', path: '/api/v1/games', from: FROM })
  const games = JSON.parse(text) as readonly { key: string; next_draw: DrawTimes }[] // by contract
  const hero = games.find(({ key }) => GAME.endsWith(`/${key}`))
  if (hero === undefined) throw new Error('the game is not offered')
  return hero.next_draw
}

async function moveClock(to: number): Promise<void> {
  await ask(client, { method: 'POST', path: '/api/v1/dev/clock', body: { to } })
}

async function ask(by: Client, call: Call): Promise<Record<string, unknown>> {
  const { status, text } = await by.call({ ...call, from: FROM })
  if (status !== 200 && status !== 201) throw new Error(`${call.path} answered ${status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown> // an object by contract
}

/** Runs something in the player's browser, fresh but for its storage, and keeps the storage. */
async function asPlayer<Result>(
  by: Browser,
  player: Player,
  run: (page: Page) => Promise<Result>,
  options: { network?: Network; viewport?: typeof PHONE } = {},
): Promise<Result> {
  const { network, viewport } = options
  const context = await newPhone(by, { baseURL, storage: player.storage, ...(viewport ? { viewport } : {}) })
  try {
    return await run(await slowPage(context, network))
  } finally {
    player.storage = await context.storageState()
    await context.close()
  }
}

async function asVisitor<Result>(
  by: Browser,
  run: (page: Page) => Promise<Result>,
  options: { network?: Network; viewport?: typeof PHONE } = {},
): Promise<Result> {
  const { network, viewport } = options
  const context = await newPhone(by, { baseURL, ...(viewport ? { viewport } : {}) })
  try {
    return await run(await slowPage(context, network))
  } finally {
    await context.close()
  }
}

/** The presses of an order, and of a ticket with forty lines. */
async function presses(by: Browser, player: Player): Promise<Figure[]> {
  const ms = new Map<string, number[]>()
  const measure: Measure = async (what, page, target) => {
    ms.set(what, [...(ms.get(what) ?? []), await msOfPress(page, target)])
  }
  await asPlayer(by, player, async (page) => {
    await page.goto(`${GAME}/lucky-dips/${LINES}`)
    await page.getByRole('button', { name: 'Change line A', exact: true }).waitFor()
    for (let time = 0; time < REPETITIONS; time += 1) await pressOrder(page, measure)
  })
  await asPlayer(by, player, async (page) => {
    await page.goto('/settings/general/tickets')
    const card = page.getByRole('button', { name: /40 lines/ }).first()
    for (let time = 0; time < REPETITIONS; time += 1) {
      await measure('open a card with 40 lines', page, card)
      await card.tap()
    }
  })
  return [...ms].map(([what, all]) => pressFigure(what, all))
}

/** Presses a target and keeps how long that took to the next paint. */
type Measure = (what: string, page: Page, target: Locator) => Promise<void>

async function pressOrder(page: Page, measure: Measure): Promise<void> {
  const picker = page.getByRole('dialog')
  await measure('open the picker', page, page.getByRole('button', { name: 'Change line A', exact: true }))
  const number = picker.locator('button[aria-pressed="true"]').first()
  const name = (await number.textContent()) ?? ''
  await number.tap()
  await measure('pick a number', page, picker.getByRole('button', { name, exact: true }))
  await measure('confirm', page, picker.getByRole('button', { name: 'CONFIRM' }))
  await picker.waitFor({ state: 'detached' })
  await measure('add a lucky dip', page, page.getByRole('button', { name: 'More: Lucky dip lines' }))
  await page.getByRole('button', { name: 'Fewer: Lucky dip lines' }).tap()
  const play = page.getByRole('button', { name: 'Play', exact: true }).filter({ visible: true })
  await measure('from Play to step 2', page, play)
  await page.getByRole('button', { name: /^Pay £/ }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Change line A', exact: true }).waitFor()
}

function pressFigure(what: string, ms: readonly number[]): Figure {
  const p75 = quantile(ms, 0.75)
  return {
    id: 'press',
    what: `${what}, ${ms.length} times`,
    figure: inMs(p75),
    goal: `p75 ≤ ${MAX_PRESS_MS} ms`,
    isMet: judged(p75 <= MAX_PRESS_MS, ms.length, GOAL_REPETITIONS),
  }
}

/** Draws with forty lines of the player, ball by ball: from the event to the next paint. */
async function balls(by: Browser, player: Player): Promise<Figure[]> {
  const ms: number[] = []
  let shift = 0
  while (ms.length < REPETITIONS) {
    const draw = await nextDraw()
    await moveClock(draw.start_at - 5)
    await asPlayer(by, player, async (page) => {
      await page.goto(`${GAME}/watch`)
      await page.waitForTimeout(LATE_MS)
      for (let ball = 1; ball <= BALLS; ball += 1) {
        await moveClock(draw.start_at + Math.ceil((ball * (draw.end_at - draw.start_at - 60)) / BALLS))
        await ballShown(page, ball)
        await page.waitForTimeout(LATE_MS / 2)
      }
      const figures = await figuresOf(page)
      shift = Math.max(shift, figures.shift)
      for (let ball = 1; ball <= BALLS; ball += 1) ms.push(figures.balls.find(({ shown }) => shown === ball)?.ms ?? NaN)
    })
    await moveClock(draw.end_at + 605)
  }
  return [pressFigure('a ball lands, with 40 lines', ms), shiftFigure('a live draw with 40 lines', shift, [])]
}

/** Waits until the page has shown so many balls. The pages' security policy forbids a condition that they evaluate. */
async function ballShown(page: Page, ball: number): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { balls: shown } = await figuresOf(page)
    if (shown.some((one) => one.shown === ball)) return
    await page.waitForTimeout(LOOK_MS)
  }
  throw new Error(`ball ${ball} was not shown`)
}

/**
 * The largest paint of pages on a slow network, when the parts came that a player waits for and that are not the largest,
 * and how far the pages shift meanwhile.
 */
async function paints(by: Browser, player: Player): Promise<Figure[]> {
  const pages = [
    ['visitor', 'home', '/'],
    ['visitor', 'play', GAME],
    ['visitor', 'watch', `${GAME}/watch`],
    ['player', 'results', `${GAME}/results`],
    ['player', 'my tickets', '/settings/general/tickets'],
    ['player', 'the paid ticket', `${GAME}?transaction_id=${player.orderId}`, 'Your ticket'],
    ['player', 'a proof', `${GAME}/draw/${player.drawn}/proof`],
  ] as const
  const found: Figure[] = []
  const shifted: Figure[] = []
  for (const [who, name, path, awaited] of pages) {
    const ms: number[] = []
    const awaitedMs = new Map<string, number[]>()
    let largest = ''
    const load = async (page: Page): Promise<void> => {
      await page.goto(path)
      // Playwright looks for what it waits for in the page, with the page's slowed processor: a player's phone does not.
      await page.waitForTimeout(SETTLED_MS)
      if (awaited !== undefined) await page.getByRole('region', { name: awaited }).waitFor({ timeout: SETTLED_MS })
      const figures = await figuresOf(page)
      ms.push(figures.largestMs)
      largest = figures.largest
      for (const [part, partMs] of Object.entries(figures.named))
        awaitedMs.set(part, [...(awaitedMs.get(part) ?? []), partMs])
      shifted.push(shiftFigure(`${name}, ${who}, on the slow network`, figures.shift, figures.shifted))
    }
    for (let time = 0; time < LOADS; time += 1)
      await (who === 'visitor'
        ? asVisitor(by, load, { network: 'slow' })
        : asPlayer(by, player, load, { network: 'slow' }))
    const p75 = quantile(ms, 0.75)
    found.push({
      id: 'LCP',
      what: `${name}, ${who}, ${LOADS} times: ${largest}`,
      figure: inSeconds(p75),
      goal: `p75 ≤ ${MAX_PAINT_MS[who] / 1000} s`,
      isMet: p75 <= MAX_PAINT_MS[who],
    })
    for (const [part, partMs] of awaitedMs) {
      const partP75 = quantile(partMs, 0.75)
      const goal = part === FRAME ? { goal: `p75 ≤ ${MAX_PAINT_MS[who] / 1000} s` } : {}
      const isMet = part === FRAME ? partP75 <= MAX_PAINT_MS[who] : null
      found.push({ id: 'paint', what: `${name}: ${part}`, figure: inSeconds(partP75), ...goal, isMet })
    }
  }
  return [...found, ...missedOr(shifted, `${pages.length} pages on the slow network`)]
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

/** How far every page shifts after it is there, while answers are late. */
async function shifts(by: Browser, player: Player): Promise<Figure[]> {
  const found: Figure[] = []
  for (const viewport of [PHONE, WIDE]) {
    const options = { network: 'late', viewport } as const
    for (const path of VISITORS_PAGES.map((page) => filledIn(page, player)))
      found.push(await asVisitor(by, (page) => shiftOf(page, path, `visitor, ${viewport.width} px`), options))
    for (const path of PLAYERS_PAGES.map((page) => filledIn(page, player)))
      found.push(await asPlayer(by, player, (page) => shiftOf(page, path, `player, ${viewport.width} px`), options))
  }
  return missedOr(found, `${found.length} pages, signed in and out, 390 and 1280 px`)
}

/** The figures that miss their goal; one for all of them if none does. */
function missedOr(figures: readonly Figure[], all: string): Figure[] {
  const missed = figures.filter(({ isMet }) => isMet === false)
  return missed.length > 0 ? missed : [{ id: 'CLS', what: all, figure: '', goal: `≤ ${MAX_SHIFT}`, isMet: true }]
}

function filledIn(path: string, { orderId, drawn }: Player): string {
  return path.replace('{drawn}', String(drawn)).replace('{order}', orderId)
}

async function shiftOf(page: Page, path: string, who: string): Promise<Figure> {
  await page.goto(path)
  await page.waitForTimeout(LATE_MS)
  const { shift, shifted } = await figuresOf(page)
  return shiftFigure(`${path}, ${who}`, shift, shifted)
}

function shiftFigure(what: string, shift: number, shifted: readonly string[]): Figure {
  const isMet = shift <= MAX_SHIFT
  const where = isMet ? '' : ` (${[...new Set(shifted)].slice(0, 3).join(', ')})`
  return { id: 'CLS', what: `${what}${where}`, figure: shift.toFixed(3), goal: `≤ ${MAX_SHIFT}`, isMet }
}

/** What scripts take while a page is only read. */
async function idle(by: Browser, player: Player): Promise<Figure[]> {
  const found: Figure[] = []
  for (const [name, path] of [
    ['play', `${GAME}/lucky-dips/${LINES}`],
    ['live draw', `${GAME}/watch`],
  ] as const) {
    if (name === 'live draw') await moveClock((await nextDraw()).start_at + 1)
    const ms = await asPlayer(by, player, async (page) => {
      await page.goto(path)
      await page.waitForTimeout(SETTLED_MS)
      return await idleScriptMs(page, IDLE_SECONDS)
    })
    found.push({
      id: 'idle',
      what: `scripts on the page of a ${name}, per second`,
      figure: inMs(ms),
      goal: `≤ ${MAX_IDLE_MS} ms`,
      isMet: ms <= MAX_IDLE_MS,
    })
  }
  return found
}
