import { expect, type Locator, test } from '@playwright/test'
import { MOVING } from './journeys.ts'
import {
  accessibilityFaults,
  accountMenu,
  arriveAsPlayer,
  GAME,
  moveClock,
  newEmail,
  nextDraw,
  numbersOn,
  openDraw,
  PASSWORD,
  PICK,
  playButton,
} from './player.ts'

test.use({ ...MOVING, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('on a phone a visitor navigates with the bar at the bottom', async ({ page }) => {
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Bottom' })
  await bar.getByRole('link', { name: 'Results' }).tap()
  await page.waitForURL(/\/game\/[^/]+\/draws$/)
  await expect(page.getByRole('heading', { level: 1, name: /results$/iu })).toBeVisible()
  await bar.getByRole('link', { name: 'Games' }).tap()
  await page.waitForURL((url) => url.pathname === '/')
  await expect(page.getByRole('region', { name: 'All games' })).toBeAttached()
  await bar.getByRole('link', { name: 'Log In' }).tap()
  await page.waitForURL(/\/login/)
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  // The bar covers nothing at the bottom.
  await page.goto(`${GAME}/draws`)
  await page.getByRole('contentinfo').getByRole('link').last().tap()
  await expect(page).not.toHaveURL(/\/draws$/)
})

test('a touch during the fade between pages reaches its target', async ({ page }) => {
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Bottom' })
  // The fade takes over a minute, and covers the page until the end of this test.
  const session = await page.context().newCDPSession(page)
  await session.send('Animation.enable')
  await session.send('Animation.setPlaybackRate', { playbackRate: 0.001 })
  await bar.getByRole('link', { name: 'Results' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin Lotto results' })).toBeAttached()
  await expect(page.locator('html')).toHaveAttribute('data-page-fade', 'running')
  await bar.getByRole('link', { name: 'Games' }).tap({ timeout: 5_000 })
  await page.waitForURL((url) => url.pathname === '/')
  await session.detach()
})

test('on a phone, eight taps and three typed fields lead from the home page to a first ticket, five to the next', async ({
  page,
}) => {
  let taps = 0
  const tap = async (control: Locator) => {
    taps += 1
    await control.tap()
  }
  const payAndPlay = async () => {
    await tap(playButton(page))
    await tap(page.getByRole('button', { name: /^Pay £1\.00/ }))
    await tap(page.getByRole('button', { name: /test bitcoin/i }))
    await expect(page.getByRole('region', { name: 'Your ticket' })).toBeVisible()
  }
  await openDraw(page)
  await page.goto('/')
  await tap(page.locator(`main a[href="${GAME}"]`).first())
  await tap(page.getByRole('button', { name: 'Lucky dip for line A' }))
  await expect(page.getByText('Kept in this browser for 24 hours.')).toBeVisible()
  const picked = await numbersOn(page.getByRole('list', { name: 'Line A', exact: true }))
  await tap(page.getByRole('main').getByRole('link', { name: 'Open an account' }))
  const email = newEmail()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Confirm email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await tap(page.getByText('I am 18 or over'))
  await tap(page.getByRole('button', { name: 'Open an Account' }))
  await expect(page.getByText('Your line is here.')).toBeVisible()
  expect(await numbersOn(page.getByRole('list', { name: 'Line A', exact: true }))).toEqual(picked)
  await payAndPlay()
  expect(taps).toBeLessThanOrEqual(8)

  taps = 0
  await page.goto('/')
  await tap(page.locator(`main a[href="${GAME}"]`).first())
  await tap(page.getByRole('button', { name: 'Lucky dip for line A' }))
  await payAndPlay()
  expect(taps).toBeLessThanOrEqual(5)
})

test('on a phone numbers are picked by touch in a sheet, and the order bar leads to the next step', async ({
  page,
}) => {
  await arriveAsPlayer(page, GAME)
  await expect(page.getByRole('navigation', { name: 'Bottom' }).getByRole('link', { name: 'Log In' })).toBeHidden()
  await page.getByRole('button', { name: 'Choose numbers of line A' }).tap()
  const sheet = page.getByRole('dialog', { name: 'SELECT NUMBERS' })
  for (const number of [1, 9, 18, 27, 36]) {
    const button = sheet.getByRole('button', { name: String(number), exact: true })
    await button.tap()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    const box = await button.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), 'large enough for a finger').toBeGreaterThanOrEqual(40)
  }
  // The sheet reaches the foot of the screen, and all of it is in view.
  await expect(sheet.getByRole('button', { name: 'CONFIRM' })).toBeInViewport({ ratio: 1 })
  expect(await accessibilityFaults(page)).toEqual([])
  await sheet.getByRole('button', { name: 'CONFIRM' }).tap()
  await expect(sheet).toHaveCount(0)
  await expect.poll(() => numbersOn(page.getByRole('list', { name: 'Line A', exact: true }))).toHaveLength(PICK)

  await expect(playButton(page)).toHaveCount(1)
  await expect(playButton(page)).toBeInViewport({ ratio: 1 })
  await playButton(page).tap()
  await page.getByRole('button', { name: /^Pay £1\.00/ }).tap()
  await page.waitForURL(/\/checkout\//)
  await page.getByRole('button', { name: /test bitcoin/i }).tap()
  await expect(page.getByText('Payment confirmed!').first()).toBeVisible()
})

test('on a phone the account menu and the settings work without faults or sideways scroll', async ({ page }) => {
  await arriveAsPlayer(page, '/')
  for (const [entry, heading] of [
    ['My tickets', 'My tickets'],
    ['Balance', 'Balance'],
    ['My games', 'My games'],
    ['Messages', 'Messages'],
    ['Crypto account details', 'Crypto account details'],
    ['My profile', 'Personal details'],
  ] as const) {
    await accountMenu(page).tap()
    await page.getByRole('banner').getByRole('link', { name: entry }).tap()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
    expect(await accessibilityFaults(page), entry).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, `${entry} scrolls sideways`).toBeLessThanOrEqual(0)
  }
  await page.getByRole('navigation', { name: 'Profile & Settings' }).getByRole('link', { name: 'Security' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible()
  await accountMenu(page).tap()
  await page.getByRole('button', { name: 'Log Out' }).tap()
  await page.waitForURL(/\/login\?path=/)
})

test('on a phone separate links are large enough for a thumb, and no word overflows its card', async ({ page }) => {
  if ((await (await page.request.get('/api/v1/games/bitcoin-hero/draws')).json()).results.length === 0)
    await moveClock(page, { to: (await nextDraw(page)).end_at + 120 })
  for (const [path, name] of [
    [`${GAME}/draws`, /^Draw \d+$/u],
    ['/where-the-money-goes', /^More about draw \d+$/u],
    [`${GAME}/draw/1/proof`, /^Draw 1$/u],
  ] as const) {
    await page.goto(path)
    const box = await page.getByRole('main').getByRole('link', { name }).first().boundingBox()
    expect(box?.height, path).toBeGreaterThanOrEqual(44)
  }
  await page.goto('/winners-and-good-causes')
  const words = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3 }) })
  const text = words.getByRole('paragraph').first()
  await text.evaluate((element) => {
    element.textContent = 'x'.repeat(990)
  })
  expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
})
