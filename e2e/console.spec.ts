import { type Browser, expect, type Page, test } from '@playwright/test'

/** The links over which the demo's people register. */
interface DemoConsole {
  readonly url: string
  readonly invites: readonly { readonly name: string; readonly url: string }[]
}

/** Gives the page a passkey of its device, as a security key that somebody touches at once. @returns what takes it away */
async function plugIn(page: Page): Promise<() => Promise<void>> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', { options })
  return async () => void (await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }))
}

/** Somebody opens their link, registers two passkeys on two devices, and signs in with the second. */
async function enrol(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(link)
  for (const heading of ['Passkey 1', 'Passkey 2']) {
    const unplug = await plugIn(page)
    await expect(page.locator('[aria-current="step"]')).toContainText(heading)
    await page.getByLabel('Make it').selectOption('device')
    await page.getByRole('button', { name: 'Register' }).click()
    if (heading === 'Passkey 1') {
      await expect(page.locator('[aria-current="step"]')).toContainText('Passkey 2')
      await unplug()
    }
  }
  await page.getByRole('button', { name: 'Go to the sign-in' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  return page
}

test('two people register passkeys, one proposes with a signature, the other approves, and it is done', async ({
  browser,
  request,
}) => {
  const { invites } = (await (await request.get('/api/v1/dev/console')).json()) as DemoConsole
  const [owner, approver] = await Promise.all(invites.map(({ url }) => enrol(browser, url)))
  if (owner === undefined || approver === undefined) throw new Error('the demo has two people')

  await owner.getByRole('link', { name: 'Staff' }).click()
  await owner.getByRole('button', { name: 'Invite a person' }).click()
  await owner.getByLabel('Name', { exact: true }).fill('Sam Support')
  await owner.getByLabel('Email').fill('sam@lottery.example')
  await owner.getByRole('checkbox', { name: 'Support' }).check({ force: true })
  await owner.getByRole('button', { name: 'Continue' }).click()
  await owner.getByLabel('Reason').fill('Answers players from Monday on.')
  await owner.getByRole('button', { name: 'Continue' }).click()
  await owner.getByRole('button', { name: 'Sign and propose' }).click()
  await expect(owner.getByText('Nothing has happened yet: another person has to approve it.')).toBeVisible()

  await approver.getByRole('link', { name: 'Inbox' }).click()
  await approver.getByRole('link', { name: 'Invite a person' }).first().click()
  await approver.getByRole('button', { name: 'Approve', exact: true }).click()
  await approver.getByRole('button', { name: 'Show the text to sign' }).click()
  await approver.getByRole('button', { name: 'Sign and approve' }).click()
  await expect(approver.getByRole('dialog').getByText('Done.')).toBeVisible()
  await owner.reload()
  await expect(owner.getByRole('row', { name: 'Sam Support' })).toBeVisible()
})
