import { expect, test, type Page } from '@playwright/test'
import { accessibilityFaults, accountMenu, arriveAsPlayer, GAME, moveClock, openDraw, systemNow } from './player.ts'

const PHONE = { width: 390, height: 844 }
const MENU_LINKS = [
  ['How to claim', '/how-to-claim'],
  ['Where the money goes', '/where-the-money-goes'],
  ['About Us', '/about-us'],
  ['Fairness (white paper)', '/fairness'],
  ['Help & Contact Us', '/help-and-contact-us'],
  ['Give Feedback', '/feedback'],
  ['Terms & Rules', '/terms'],
  ['Privacy Policy', '/privacy-policy'],
] as const

/** Collects the browser's warnings and errors. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

test(
  'the lists of the top bar open, move and close with the keyboard, and return the focus',
  { tag: '@variant' },
  async ({ page }) => {
    await page.goto('/')
    const bar = page.getByRole('navigation', { name: 'Main' })
    const games = bar.getByRole('button', { name: 'Games' })
    await expect(games).toHaveAttribute('aria-expanded', 'false')
    await games.focus()
    await page.keyboard.press('ArrowDown')
    await expect(games).toHaveAttribute('aria-expanded', 'true')
    await expect(bar.getByRole('link', { name: 'Bitcoin Lotto' })).toBeFocused()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await expect(bar.getByRole('link', { name: 'Bitcoin Hero' })).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect(games).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(games).toHaveAttribute('aria-expanded', 'false')
    await expect(games).toBeFocused()

    // Tab leaves the list, which closes when the focus moves on.
    await page.keyboard.press('Enter')
    for (let press = 0; press < 6; press++) await page.keyboard.press('Tab')
    await expect(bar.getByRole('link', { name: 'Super Game' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(bar.getByRole('button', { name: 'Results' })).toBeFocused()
    await expect(games).toHaveAttribute('aria-expanded', 'false')

    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/game\/bitcoin-lotto\/draws$/)
    await expect(page).toHaveTitle('Bitcoin Lotto results – Fairball')
    await bar.getByRole('button', { name: 'Results' }).click()
    await expect(bar.getByRole('link', { name: 'Bitcoin Lotto', exact: true })).toHaveAttribute('aria-current', 'page')
  },
)

test(
  'the results link leads a visitor to the draws, and a player to their own results',
  { tag: '@variant' },
  async ({ page }) => {
    await page.goto('/')
    const bar = page.getByRole('navigation', { name: 'Main' })
    await bar.getByRole('button', { name: 'Results' }).click()
    await expect(bar.getByRole('link', { name: 'Bitcoin Hero' })).toHaveAttribute('href', `${GAME}/draws`)
    await arriveAsPlayer(page, '/')
    await bar.getByRole('button', { name: 'Results' }).click()
    await expect(bar.getByRole('link', { name: 'Bitcoin Hero' })).toHaveAttribute('href', `${GAME}/results`)
    await bar.getByRole('link', { name: 'Bitcoin Hero' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin Hero Results' })).toBeVisible()
    await accountMenu(page).click()
    for (const entry of ['My tickets', 'Balance', 'My profile', 'My games', 'Crypto account details', 'Messages'])
      await expect(page.getByRole('banner').getByRole('link', { name: entry })).toBeVisible()
    await page.getByRole('banner').getByRole('button', { name: 'Log Out' }).click()
    await page.waitForURL(/\/login/)
  },
)

test('Watch The Draws appears within an hour of a draw, at every width', { tag: '@variant' }, async ({ page }) => {
  await page.goto('/')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Watch The Draws/ })
  const { start_at: startAt } = await openDraw(page)
  if ((await systemNow(page)) < startAt - 600) await moveClock(page, { to: startAt - 600 })
  await page.reload()
  await expect(link).toBeVisible()
  for (const width of [1280, 820, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, `sideways scroll at ${width} px`).toBeLessThanOrEqual(0)
    // No parts of the bar overlap.
    const ends = await page.getByRole('banner').evaluate((bar) =>
      [...bar.querySelectorAll('a, button')]
        .filter((one) => one.checkVisibility() && one.closest('ul') === null)
        .map((one) => one.getBoundingClientRect())
        .map(({ left, right }) => [left, right] as const),
    )
    for (const [index, [left]] of ends.slice(1).entries())
      expect(left, `bar at ${width} px`).toBeGreaterThanOrEqual(ends[index]?.[1] ?? 0)
  }
  await expect(link).toBeVisible()

  // From 641 px on the bar shows all pages with their full names, without its menu button.
  const names = ['Games', 'Results', 'Winners & Good Causes', 'Watch The Draws']
  for (const width of [641, 700, 768, 819]) {
    await page.setViewportSize({ width, height: 844 })
    const shown = await page.getByRole('navigation', { name: 'Main' }).evaluate((nav) =>
      [...nav.querySelectorAll('a, button')]
        .filter((one) => one.checkVisibility() && one.closest('ul') === null)
        .filter((one) => {
          const { left, right } = one.getBoundingClientRect()
          const isCut = [...one.querySelectorAll('span')].some((part) => getComputedStyle(part).clipPath !== 'none')
          return left >= 0 && right <= window.innerWidth && !isCut
        })
        .map((one) => one.textContent.trim()),
    )
    expect(shown, `bar at ${width} px`).toEqual(names)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, `sideways scroll at ${width} px`).toBeLessThanOrEqual(0)
  }
})

test('the menu of narrow screens leads to every page, and closes by Escape, a press beside it or going back', async ({
  page,
}) => {
  const complaints = complaintsOf(page)
  await page.setViewportSize(PHONE)
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Menu', exact: true })
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await button.click()
  await expect(menu).toBeVisible()
  for (const [name, href] of MENU_LINKS)
    await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  expect(await accessibilityFaults(page)).toEqual([])
  // The page behind stays where it is.
  await page.mouse.wheel(0, 2000)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  // The keyboard stays inside.
  for (let press = 0; press < 16; press++) {
    await page.keyboard.press('Tab')
    const isOutside = await page.evaluate(
      () => document.activeElement !== document.body && document.activeElement?.closest('dialog') === null,
    )
    expect(isOutside).toBe(false)
  }
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(button).toBeFocused()

  await page.keyboard.press('Enter')
  await menu.getByRole('link', { name: 'How to claim' }).click()
  await page.waitForURL(/\/how-to-claim$/)
  await expect(menu).toHaveCount(0)
  await button.click()
  await expect(menu.getByRole('link', { name: 'How to claim' })).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(menu).toHaveCount(0)
  // A window that is resized during a change of pages aborts it, which the browser reports.
  await expect(page.getByRole('heading', { level: 1, name: 'How to claim' })).toHaveCount(0)
  const isChanging = () => (document as { activeViewTransition?: object | null }).activeViewTransition != null
  await expect.poll(() => page.evaluate(isChanging)).toBe(false)

  await page.setViewportSize({ width: 820, height: 844 })
  await button.click()
  await expect(menu).toBeVisible()
  await page.mouse.click(40, 400)
  await expect(menu).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('an unknown address is a 404 with a link home, and a wrong page number redirects there', async ({ page }) => {
  const answer = await page.goto('/there/is/nothing')
  expect(answer?.status()).toBe(404)
  await expect(
    page.getByText("You didn't break the Internet, but we can't find what you are looking for."),
  ).toBeVisible()
  await expect(page).toHaveTitle('Page not found – Fairball')
  await page.getByRole('main').getByRole('link').click()
  await page.waitForURL((url) => url.pathname === '/')
  // The operator's console is elsewhere.
  const ofConsole = ['/console', '/console/inbox', '/console/api/v1/auth/me']
  for (const missing of ['/game/keno', `${GAME}/draw/999999/proof`, ...ofConsole])
    expect((await page.request.get(missing)).status(), missing).toBe(404)
  const wrong = await page.goto(`${GAME}/draws/0`)
  expect(wrong?.status()).toBe(404)
  await expect(page).toHaveURL(/\/page-not-found$/)
  for (const path of [
    '/settings/general/tickets',
    '/settings/general/messages',
    '/settings/profile-and-settings/security',
    '/settings/funds-and-payments/transaction-history',
    `${GAME}/results`,
  ]) {
    await page.goto(`${path}/0`)
    await expect(page, path).toHaveURL(/\/page-not-found$/)
  }
})

test('a tab from before an update reloads automatically, but not endlessly', async ({ page }) => {
  await page.goto('/')
  let isGone = true
  let documents = 0
  await page.route(/\/assets\/how-to-claim-screen[^/]*\.js$/u, (route) =>
    isGone ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
  )
  const onDocument = async (isLoaded: () => void) =>
    page.route('**/how-to-claim', async (route) => {
      isLoaded()
      await route.continue()
    })
  // The script of the page is missing while the document is the old one.
  await onDocument(() => {
    isGone = false
  })
  await page.getByRole('contentinfo').getByRole('link', { name: 'How to claim' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('How to claim')
  expect(isGone).toBe(false)
  await expect(page.getByText('Data cannot be loaded!')).toHaveCount(0)

  await page.unroute('**/how-to-claim')
  await page.goto('/')
  isGone = true
  await onDocument(() => {
    documents += 1
  })
  await page.getByRole('contentinfo').getByRole('link', { name: 'How to claim' }).click()
  await expect.poll(() => documents).toBeGreaterThan(0)
  await page.waitForTimeout(3_000)
  expect(documents).toBeLessThanOrEqual(2)
})

test('a press while the browser takes the picture of the old page reaches its target afterwards', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  // The picture takes until the test sends `taken`.
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (update) =>
      start(async () => {
        if (typeof update === 'function') await update()
        await new Promise((resolve) => addEventListener('taken', resolve, { once: true }))
      })
  })
  await page.goto('/')
  const root = page.locator('html')
  const taken = () => page.evaluate(() => dispatchEvent(new Event('taken')))
  const login = await page.getByRole('banner').getByRole('link', { name: 'LOG IN' }).boundingBox()
  if (login === null) throw new Error('the bar has no link to the login')
  await page.getByRole('banner').getByRole('link', { name: 'Winners' }).click()
  await expect(root).toHaveAttribute('data-page-fade', 'held')
  await page.mouse.click(login.x + login.width / 2, login.y + login.height / 2)
  await taken()
  await page.waitForURL(/\/login/)
  await expect(root).toHaveAttribute('data-page-fade', 'held')
  await taken()
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  await expect(root).not.toHaveAttribute('data-page-fade')
})

test('a visitor without scripts sees what needs them, and can read the rest', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of ['/login', '/settings/general/my-games']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page needs JavaScript')
    await expect(page.getByText('Loading').filter({ visible: true })).toHaveCount(0)
  }
  // Found by their position: text and roles are not searched inside noscript.
  for (const [path, place] of [
    ['/', 'footer noscript p'],
    ['/', 'main section noscript p'],
    ['/game/bitcoin-hero/watch', 'main section noscript p'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator(place).first()).toBeVisible()
  }
  await page.goto('/login')
  await page.getByRole('main').getByRole('link', { name: 'how a draw is proved' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('This page needs JavaScript')).toHaveCount(0)
  await context.close()
})

test('the menu of the settings is beside the page above 1023 px, and a bar of tabs below', async ({ page }) => {
  await arriveAsPlayer(page, '/settings/general/my-games')
  const side = page.getByRole('navigation', { name: 'Settings', exact: true })
  const tabs = page.getByRole('navigation', { name: 'Settings groups' })
  await page.setViewportSize({ width: 1024, height: 800 })
  await expect(side).toBeVisible()
  await expect(tabs).toBeHidden()
  await expect(side.getByRole('link', { name: 'My games' })).toHaveAttribute('aria-current', 'page')
  await page.setViewportSize({ width: 1023, height: 800 })
  await expect(side).toBeHidden()
  await expect(tabs).toBeVisible()
  await expect(tabs.getByRole('link', { name: 'General' })).toHaveAttribute('aria-current', 'page')
})
