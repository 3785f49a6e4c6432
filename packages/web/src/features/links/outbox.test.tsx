import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pass, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { OutboxScreen } from './outbox-screen.tsx'

const MAIL = { to: 'ann@example.org', subject: 'You won!', text: 'plain', html: 'preview', links: [], sent_at: 1 }

let page: RenderedPage | null = null
beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') }))
afterEach(() => {
  page?.unmount()
  vi.useRealTimers()
})

it('the code of the preview is fetched beside the mails', async () => {
  const mails = Promise.withResolvers<(typeof MAIL)[]>()
  page = await renderPage(<OutboxScreen />, { answers: { getMail: () => mails.promise } })
  await vi.dynamicImportSettled()
  mails.resolve([MAIL])
  await pass(0)
  expect(document.querySelector('iframe')?.title).toContain('You won!')
})

it('a link to this site is its path, and one to the console stays whole', async () => {
  const links = ['http://localhost/verify-email/1', 'http://localhost:8443/enter/1']
  page = await renderPage(<OutboxScreen />, { answers: { getMail: () => Promise.resolve([{ ...MAIL, links }]) } })
  await vi.dynamicImportSettled()
  await pass(0)
  const addresses = [...document.querySelectorAll('li a')].map((link) => link.getAttribute('href'))
  expect(addresses).toEqual(['/verify-email/1', links[1]])
})
