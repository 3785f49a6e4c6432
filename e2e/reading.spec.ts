import { expect, test } from '@playwright/test'
import { forgetLimits, mailTo, pressByKey, tabTo, typeInto } from './account.ts'

/** The address set by e2e/start-server.mjs. */
const SUPPORT = 'help@example.org'
/** The pages to read, by address and heading, with a sentence that must be in the HTML itself. */
const PAGES = [
  ['/where-the-money-goes', 'Where the money goes', 'Everything you play with is divided by rules nobody can change'],
  ['/winners-and-good-causes', 'Winners & good causes', 'Clean Water Fund (example)'],
  ['/about-us', 'About us', 'Nobody picks the numbers'],
  ['/how-to-claim', 'How to claim', 'There is nothing to claim'],
  ['/help-and-contact-us', 'Help & contact us', 'Never send us a password'],
  ['/feedback', 'Feedback', 'What would you like to tell us?'],
  ['/terms', 'Terms & rules', '1 in 13,983,816'],
  ['/privacy-policy', 'Privacy policy', 'What is kept about you, why, for how long'],
  ['/cookies', 'Cookies', 'These pages set one cookie'],
] as const

test.beforeAll(forgetLimits)

test('the pages to read are in the HTML and need no scripts', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  for (const [path, heading, sentence] of PAGES) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByRole('main')).toContainText(sentence)
  }
  // Controls that need scripts are not offered, and there are no loading texts.
  await page.goto('/game/bitcoin-hero')
  // Found by their position: text and roles are not searched inside noscript.
  await expect(page.locator('header noscript p')).toBeVisible()
  await expect(page.getByRole('button', { name: 'How to play' })).toHaveCount(0)
  await page.goto('/game/bitcoin-hero/draw/1/proof')
  await expect(page.locator('noscript a[href="/fairness/fairball-verify.html"]')).toBeVisible()
  await expect(page.getByText(/^Checking/).filter({ visible: true })).toHaveCount(0)
  await context.close()
})

test('the contents of the terms lead to their sections with the keyboard, and a game links to its rules', async ({
  page,
}) => {
  await page.goto('/terms')
  await pressByKey(page, page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Refunds' }))
  await expect(page).toHaveURL(/#refunds$/)
  await expect(page.getByRole('heading', { name: 'Refunds' })).toBeInViewport()
  await page.getByRole('list', { name: 'Rules of each game' }).getByRole('link', { name: 'Mega Ball' }).click()
  const rules = page.getByRole('region', { name: 'Mega Ball' })
  await expect(rules.getByRole('heading')).toBeInViewport()
  await expect(rules).toContainText('Friday at 9:00 PM UTC')
  await expect(rules).toContainText('£1,000,000')
})

test('feedback reaches support, marked as such', { tag: '@variant' }, async ({ page }) => {
  await page.clock.install()
  await page.goto('/feedback')
  const words = `More balls! ${process.pid}`
  await typeInto(page, 'What would you like to tell us?', words)
  await typeInto(page, 'Name', 'Ada')
  await typeInto(page, 'Email', 'ada@example.org')
  await tabTo(page, page.getByLabel('Country'))
  await page.keyboard.type('Ire')
  await pressByKey(page, page.getByRole('button', { name: 'Send feedback' }))
  const thanks = page.getByText('Thank you. Your feedback has been sent.')
  await expect(thanks).toBeVisible()
  await page.clock.fastForward(5000)
  await expect(thanks).toHaveCount(0)
  expect((await mailTo(page, SUPPORT, words)).text).toContain('Feedback:')
})
