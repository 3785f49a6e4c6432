// Takes a picture of every page in its main states: at 1280 and 390 px in light, at 1280 px in dark. Run by `npm run
// screenshots`.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { callAs, mailedLink, SETTINGS } from './account.ts'
import { goToMonday, lineAt, order, PHONE, randomLines, settled, WEEKDAYS, WIDE } from './journeys.ts'
import {
  arriveAgain,
  arriveAsPlayer,
  GAME,
  moveClock,
  openDraw,
  PASSWORD,
  payFromTestWallet,
  playButton,
} from './player.ts'

const FOLDER = join(import.meta.dirname, '../screenshots')
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const TICKETS = '/settings/general/tickets'
const BALANCE = '/settings/funds-and-payments/balance'
const READY_MS = 120_000
const VIEWS = [
  { name: '1280', viewport: WIDE, colorScheme: 'light' },
  { name: '390', viewport: PHONE, colorScheme: 'light' },
  { name: '1280-dark', viewport: WIDE, colorScheme: 'dark' },
] as const

/** Takes a picture of the page in its current state, in every view. */
async function take(page: Page, name: string): Promise<void> {
  for (const view of VIEWS) {
    await page.setViewportSize(view.viewport)
    await page.emulateMedia({ colorScheme: view.colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    await page.evaluate(() => document.fonts.ready)
    const hasDialog = await page.getByRole('dialog').count()
    // A dialog covers the window. Without one, the whole page is taken in a window of its height, so that sticky parts
    // are at its end.
    if (hasDialog === 0)
      await page.setViewportSize({
        width: view.viewport.width,
        height: await page.evaluate(() => document.documentElement.scrollHeight),
      })
    await page.screenshot({ path: join(FOLDER, `${name}-${view.name}.png`) })
  }
  await page.setViewportSize(WIDE)
  process.stdout.write(`${name}\n`)
}

/** Wait for hydration, in ms: the server's HTML is complete, but the browser may still wait for a script. */
const HYDRATION_MS = 500

async function visit(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await wait(HYDRATION_MS)
  await take(page, name)
}

/** Takes the pages for visitors. */
async function visitor(page: Page): Promise<void> {
  await openDraw(page)
  for (const [path, name] of [
    ['/', 'home-sold'],
    [GAME, 'play-visitor'],
    [`${GAME}/watch`, 'watch-before'],
    ['/game/mega-ball/draws', 'draws-none'],
    ['/game/mega-ball/statistics', 'statistics-none'],
    ['/how-to-claim', 'how-to-claim'],
    ['/help-and-contact-us', 'contact'],
    ['/feedback', 'feedback'],
    ['/about-us', 'about-us'],
    ['/terms', 'terms'],
    ['/privacy-policy', 'privacy-policy'],
    ['/cookies', 'cookies'],
    ['/where-the-money-goes', 'money-none'],
    ['/winners-and-good-causes', 'winners-none'],
    ['/page-not-found', 'not-found'],
    ['/login', 'login'],
    ['/open-an-account', 'open-an-account'],
    ['/forgotten-password', 'forgotten-password'],
    ['/links', 'links'],
    ['/links/outbox', 'outbox'],
  ] as const)
    await visit(page, path, name)
  await page.goto('/')
  await page.getByRole('group', { name: 'Game whose draws are checked' }).getByText('Bitcoin Hero').click()
  await page.getByLabel('Your numbers').fill('1 2 3 4 5')
  await page.keyboard.press('Enter')
  await page.getByText(/^These numbers /).waitFor()
  await take(page, 'home-checked')
  await page.getByRole('button', { name: 'Pick numbers from a grid' }).click()
  await page.getByRole('dialog').waitFor()
  await take(page, 'home-picker')
  await page.goto(GAME)
  await page.getByRole('button', { name: 'How to play' }).click()
  await page.getByRole('dialog').waitFor()
  await take(page, 'play-how-to-play')
}

/** Takes the pages of a player, from a new account to a paid prize. */
async function player(browser: Browser, baseURL: string): Promise<void> {
  const page = await browser.newPage({ baseURL, ...CONTEXT })
  await goToMonday(page)
  const draw = await openDraw(page)
  const email = await arriveAsPlayer(page, `${GAME}/results`)
  await take(page, 'results-none')
  await visit(page, '/settings/general/my-games', 'my-games-none')
  await visit(page, TICKETS, 'my-tickets-none')
  await visit(page, BALANCE, 'balance-none')
  await visit(page, SETTINGS.messages, 'messages-none')
  await visit(page, '/settings/funds-and-payments/transaction-history', 'transactions-none')
  await visit(page, SETTINGS.cryptoAccount, 'crypto-account-none')
  await page.goto(`${GAME}/lucky-dips/3`)
  await playButton(page).waitFor()
  await take(page, 'play-numbers')
  await page.getByRole('button', { name: 'Choose numbers of line D' }).click()
  for (const number of [3, 8, 13])
    await page
      .getByRole('dialog')
      .getByRole('button', { name: String(number), exact: true })
      .click()
  await take(page, 'play-picker')
  await page.keyboard.press('Escape')
  await playButton(page).click()
  await page.getByText('Step 2 of 3').waitFor()
  await take(page, 'play-payment-method')
  await page.getByRole('button', { name: /^Pay £/ }).click()
  await page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor()
  await take(page, 'checkout-waiting')
  const first = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.goto(`${GAME}?transaction_id=${first}`)
  await page.getByText('Transaction still processing').waitFor()
  await take(page, 'play-processing')
  await payFromTestWallet(page, { transaction_id: first, amount: '0.00000100' })
  await visit(page, `/checkout/${first}`, 'checkout-underpaid')
  await payFromTestWallet(page, { transaction_id: first })
  await page.goto(`${GAME}?transaction_id=${first}`)
  await page.getByText('Payment confirmed!').waitFor()
  await take(page, 'play-confirmed')
  for (const wanted of [
    { lines: [lineAt(0)], days: WEEKDAYS, weeks: 2 },
    { lines: randomLines(900), days: [1] },
  ])
    await payFromTestWallet(page, { transaction_id: await order(page, wanted) })
  await visit(page, `${GAME}/results`, 'results-waiting')
  await visit(page, TICKETS, 'my-tickets-waiting')
  await page.goto(GAME)
  await page.getByText('Last played numbers').waitFor()
  await take(page, 'play-own-numbers')

  await moveClock(page, { to: draw.start_at - 3500 })
  await visit(page, '/', 'home-soon')
  await moveClock(page, { to: draw.ticket_sell_closes_at - 60 })
  await page.goto(GAME)
  await playButton(page).waitFor()
  const late = await order(page, { lines: [lineAt(9)], days: [1] })
  await moveClock(page, { to: draw.ticket_sell_closes_at + 30 })
  await payFromTestWallet(page, { transaction_id: late })
  await visit(page, `${GAME}/watch`, 'watch-soon')
  await visit(page, `${GAME}/lucky-dips/1`, 'play-closing')
  await page.goto(`${GAME}?transaction_id=${late}`)
  await page
    .getByText(/could not be joined|time to pay is over|refunded/i)
    .first()
    .waitFor()
  await take(page, 'play-late')
  await page.goto(`${GAME}/watch`)
  await moveClock(page, { to: draw.start_at + 45 })
  await page.goto(`${GAME}/watch`)
  await page.getByText('LIVE', { exact: true }).first().waitFor()
  await take(page, 'watch-live')
  await moveClock(page, { to: draw.end_at + 5 })
  await page.goto(`${GAME}/watch`)
  await page.getByText('ENDED', { exact: true }).first().waitFor()
  await take(page, 'watch-ended')
  await visit(page, GAME, 'play-ended')
  await moveClock(page, { to: draw.end_at + 605 })

  await page.goto(`${GAME}/results`)
  await page
    .getByRole('link', { name: /^More details/ })
    .first()
    .click()
  await page.getByRole('list', { name: 'Numbers drawn' }).waitFor()
  const drawn = await page.getByRole('link', { name: /^Draw \d+$/ }).getAttribute('href')
  await take(page, 'results-won')
  await visit(page, '/settings/general/my-games', 'my-games')
  await visit(page, TICKETS, 'my-tickets')
  await visit(page, BALANCE, 'balance')
  await visit(page, '/', 'home-results')
  await page.goto(SETTINGS.messages)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^You won/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Mark as Unread' }).waitFor()
  await take(page, 'messages')
  await page.goto(new URL(await mailedLink(page, email, '/verify-email/')).pathname)
  await page.getByText(/^Your email address is verified/).waitFor()
  await take(page, 'verified')
  await callAs(page, 'PUT', '/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD })
  await visit(page, SETTINGS.cryptoAccount, 'crypto-account')
  // The prize is paid, and two weeks of draws are over.
  await moveClock(page, { advance: 16 * 86_400 })
  await arriveAgain(page, `${GAME}/results/2`, email)
  await take(page, 'results-paid')
  for (const [path, name] of [
    ['/', 'home-player'],
    ['/where-the-money-goes', 'money'],
    [`${GAME}/draws`, 'draws-player'],
    [`${GAME}/statistics`, 'statistics'],
    ['/settings/funds-and-payments/transaction-history', 'transactions'],
    [BALANCE, 'balance-paid'],
    [SETTINGS.personalDetails, 'personal-details'],
    [SETTINGS.security, 'security'],
    [SETTINGS.passwordChange, 'password-change'],
    [SETTINGS.emailPreferences, 'email-preferences'],
    [SETTINGS.responsiblePlay, 'responsible-play'],
    [SETTINGS.personalData, 'personal-data'],
  ] as const)
    await visit(page, path, name)
  await visit(page, drawn ?? '', 'draw')
  await page.goto(`${drawn}/proof`)
  await page.getByText('It matches.', { exact: true }).waitFor()
  await take(page, 'proof')
  await page.getByRole('button', { name: /signed in as/ }).click()
  await take(page, 'account-menu')
  await page.close()
}

const CONTEXT = { viewport: WIDE, locale: 'en-GB', timezoneId: 'UTC' } as const

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
  })
  return await promise
}

/** Waits until the product answers. */
async function ready(url: string, product: ChildProcess): Promise<void> {
  for (const until = Date.now() + READY_MS; Date.now() < until; await wait(300)) {
    if (product.exitCode !== null) throw new Error('the product has stopped')
    const isReady = await fetch(`${url}/api/v1/games`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
  }
  throw new Error('the product did not start')
}

const port = await freePort()
const url = `http://localhost:${port}`
const product = spawn(process.execPath, [join(import.meta.dirname, 'start-server.mjs')], {
  env: { ...process.env, PORT: String(port) },
  stdio: 'inherit',
})
const stopped = new Promise((resolve) => product.once('exit', resolve))
try {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  await ready(url, product)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--font-render-hinting=none',
      '--disable-dev-shm-usage',
    ],
  })
  try {
    const page = await browser.newPage({ baseURL: url, ...CONTEXT })
    await visitor(page)
    await page.close()
    await player(browser, url)
  } finally {
    await browser.close()
  }
} finally {
  product.kill('SIGTERM')
  await stopped
}
