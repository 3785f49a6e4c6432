import { ApiError } from '@fairball/contract/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { alerts, button, control, fill, pass, renderPage, submit, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { ContactScreen } from './contact-screen.tsx'

const SENT = "Message has been sent. We'll contact you within 24 hours!"

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const open = async (answers: Answers = {}, isPlayer = false) => {
  page = await renderPage(<ContactScreen />, {
    answers: { getCountries: () => [{ id: 3, name: 'Ireland' }], sendContactMessage: () => ({ ok: true }), ...answers },
    profile: isPlayer ? {} : null,
    config: { supportEmail: 'help@fairball.example' },
  })
}

async function fillIn() {
  await fill('Name', 'Ann')
  await fill('Email', 'ann@example.org')
  await fill('Country', '3')
  await fill('Message', 'Hello')
}

it('the form sends a message, says so for 5 seconds and resets its fields', async () => {
  await open()
  expect(button('Send message').disabled).toBe(true)
  await fillIn()
  expect(button('Send message').disabled).toBe(false)
  await submit()
  expect(page.calls('sendContactMessage')).toEqual([
    { name: 'Ann', email: 'ann@example.org', country_id: 3, message: 'Hello' },
  ])
  expect(text()).toContain(SENT)
  expect(['Name', 'Email', 'Country', 'Message'].map((label) => control(label).value)).toEqual(['', '', '0', ''])
  page.timers.pass(4900)
  expect(text()).toContain(SENT)
  page.timers.pass(200)
  await pass(0)
  expect(text()).not.toContain(SENT)
})

it('the form fills in the address of a player, who can change it', async () => {
  await open({}, true)
  expect(control('Email').value).toBe('player@example.org')
  await fillIn()
  expect(control('Email').value).toBe('ann@example.org')
})

it('the form keeps a message that cannot be sent', async () => {
  await open({
    sendContactMessage: () => {
      throw new ApiError({ status: 503, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
    },
  })
  await fillIn()
  await submit()
  expect(alerts()).toEqual(['Error. Please wait a few minutes before you try again.'])
  expect(control('Message').value).toBe('Hello')
})

it('the page says so if the form cannot be loaded', async () => {
  await open({
    getCountries: () => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
    },
  })
  expect(text()).toContain('Contact form cannot be loaded.')
  expect(text()).toContain('help@fairball.example')
})

it('the page shows the office, address, telephone and social links that the operator has configured', async () => {
  const operator = {
    name: 'Example Lotteries Ltd',
    licence: 'Licensed by the Example Authority',
    address: ['1 Example Street', 'Exampleton'],
    email: 'office@example.org',
    phone: '+44 20 0000 0000',
    source: null,
  }
  const social = [{ network: 'youtube' as const, url: 'https://video.example/fairball' }]
  page = await renderPage(<ContactScreen />, {
    answers: { getCountries: () => [] },
    profile: null,
    config: { supportEmail: 'help@fairball.example', content: { operator, social, feedbackFormUrl: null } },
  })
  const links = [...document.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual(
    expect.arrayContaining([
      ['office@example.org', 'mailto:office@example.org'],
      ['help@fairball.example', 'mailto:help@fairball.example'],
      ['+44 20 0000 0000', 'tel:+442000000000'],
      ['YouTube', 'https://video.example/fairball'],
    ]),
  )
  expect(text()).toContain('1 Example Street')
})

it('the page leaves out the parts that the operator has not configured', async () => {
  page = await renderPage(<ContactScreen />, { answers: { getCountries: () => [] }, profile: null })
  expect(text()).not.toContain('Reach us')
})
