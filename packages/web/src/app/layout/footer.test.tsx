import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { Footer } from './footer.tsx'

let page: RenderedPage
beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const linkTo = (href: string) => document.querySelector(`a[href="${href}"]`)

it('the footer has its columns, the minimum age, and the link to limits', async () => {
  page = await renderPage(<Footer />, { profile: null, answers: { getGames: () => [] } })
  const columns = [...document.querySelectorAll('nav')].map((column) => column.getAttribute('aria-label'))
  expect(columns).toEqual(['Site', 'Games', 'Additional information', 'Legal'])
  expect(document.body.textContent).toContain('Games are promoted by a licensed company. Players must be 18 or over.')
  expect(document.body.textContent).toContain('Play for fun, never for income.')
  for (const href of ['/about-us', '/help-and-contact-us', '/terms', '/privacy-policy', '/cookies', '/feedback'])
    expect(linkTo(href), href).not.toBeNull()
  expect(linkTo('/settings/profile-and-settings/responsible-play')).not.toBeNull()
})

it('the footer leaves out facts that the operator has not given', async () => {
  page = await renderPage(<Footer />, { profile: null, answers: { getGames: () => [] }, config: { testMode: false } })
  expect(document.querySelector('[aria-label="Elsewhere"]')).toBeNull()
  expect(linkTo('/links')).toBeNull()
})

it('the footer names the operator’s licence and channels, and opens a third party’s feedback form in a new document', async () => {
  const operator = {
    name: 'A company',
    licence: 'Licence 7 of an office.',
    address: [],
    email: 'a@example.org',
    phone: null,
    source: null,
  }
  const social = [{ network: 'mastodon' as const, url: 'https://social.example/@fairball' }]
  page = await renderPage(<Footer />, {
    profile: null,
    answers: { getGames: () => [] },
    config: { content: { operator, social, feedbackFormUrl: 'https://forms.example/1' } },
  })
  expect(document.body.textContent).toContain('Licence 7 of an office.')
  const channel = linkTo('https://social.example/@fairball')
  expect([channel?.textContent, channel?.getAttribute('rel')]).toEqual(['Mastodon', 'me noopener noreferrer'])
  expect(linkTo('/feedback')?.getAttribute('target')).toBe('_self')
})

it('the footer shows the product’s sign beside the name of a site without a logo', async () => {
  page = await renderPage(<Footer />, { profile: null, answers: { getGames: () => [] } })
  const about = document.querySelector('[aria-label="Responsible play"]')
  expect(about?.querySelector('svg')).not.toBeNull()
  expect(about?.querySelector('img')).toBeNull()
  expect(about?.querySelector('[aria-hidden] ~ span')?.hasAttribute('aria-hidden')).toBe(false)
})

it('the footer shows the logo of both themes in place of the product’s sign, and reads the name once', async () => {
  const logo = { light: '/content/a.png', dark: '/content/b.png' }
  page = await renderPage(<Footer />, { profile: null, answers: { getGames: () => [] }, config: { logo } })
  const about = document.querySelector('[aria-label="Responsible play"]')
  expect(about?.querySelector('svg')).toBeNull()
  const images = [...(about?.querySelectorAll('img') ?? [])]
  expect(images.map((image) => [image.getAttribute('src'), image.dataset['scheme'], image.alt])).toEqual([
    ['/content/a.png', 'light', 'Fairball'],
    ['/content/b.png', 'dark', 'Fairball'],
  ])
  expect(about?.querySelector('img + span')?.getAttribute('aria-hidden')).toBe('true')
})
