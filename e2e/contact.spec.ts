import { expect, test } from '@playwright/test'
import { forgetLimits, mailTo, pressByKey, tabTo, typeInto } from './account.ts'
import { register } from './player.ts'

const CONTACT = '/help-and-contact-us'
const SENT = "Message has been sent. We'll contact you within 24 hours!"
/** The address set by e2e/start-server.mjs. */
const SUPPORT = 'help@example.org'

test.beforeAll(forgetLimits)

test(
  'a visitor writes to support with the keyboard alone, and sees for five seconds that it was sent',
  { tag: '@variant' },
  async ({ page }) => {
    await page.clock.install()
    await page.goto(CONTACT)
    const main = page.getByRole('main')
    const send = main.getByRole('button', { name: 'Send message' })
    await typeInto(page, 'Name', 'Ada')
    await typeInto(page, 'Email', 'ada')
    await page.keyboard.press('Tab')
    await expect(main.getByText('Invalid email')).toBeVisible()
    await expect(send).toBeDisabled()
    await typeInto(page, 'Email', 'ada@example.org')
    await tabTo(page, main.getByLabel('Country'))
    await page.keyboard.type('Ire')
    await expect(main.getByLabel('Country').locator('option:checked')).toHaveText('Ireland')
    const words = `Where is my prize? ${process.pid}`
    await typeInto(page, 'Message', words)
    await pressByKey(page, send)
    await expect(main.getByText(SENT)).toBeVisible()
    for (const label of ['Name', 'Email', 'Message'])
      await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
    await page.clock.fastForward(5000)
    await expect(main.getByText(SENT)).toHaveCount(0)
    expect((await mailTo(page, SUPPORT, words)).text).toContain('ada@example.org')
  },
)

test('the outbox of the demo shows a preview of a mail, and its links work', async ({ page }) => {
  const { email } = await register(page)
  await page.route('**/api/v1/dev/mail', async (route) => {
    const response = await route.fetch()
    const html = '<p><img src="cid:balls-1" alt="Line A: 1, 2, 3"></p>'
    const paid = { to: 'paid@example.org', subject: 'You are in', text: '', html, links: [], sent_at: 1 }
    await route.fulfill({ response, json: [paid, ...((await response.json()) as object[])] })
  })
  await page.goto('/links')
  await page.getByRole('link', { name: 'See all mails' }).click()
  await page.waitForURL((url) => url.pathname === '/links/outbox')
  // Only the mail that was sent has its pictures.
  await expect(page.locator('iframe').contentFrame().getByText('Line A: 1, 2, 3')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Mails, newest first' })
    .getByRole('button')
    .filter({ hasText: email })
    .first()
    .click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Please verify your email address' })).toBeVisible()
  const frame = page.locator('iframe')
  expect(await frame.getAttribute('sandbox')).not.toContain('allow-scripts')
  const words = frame.contentFrame().getByRole('paragraph').filter({ hasText: 'Thank you for playing at Fairball' })
  await expect(words).toBeVisible()
  await main
    .getByRole('button', { name: 'Plain text' })
    .or(main.getByRole('radio', { name: 'Plain text' }))
    .click()
  await expect(main.getByText(/Thank you for playing at Fairball/)).toBeVisible()
  await main.getByRole('link', { name: /^\/verify-email\// }).click()
  await expect(main.getByText(/^Your email address is verified/)).toBeVisible()
})
