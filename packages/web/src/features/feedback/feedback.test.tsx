import { ApiError } from '@fairball/contract/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { alerts, button, control, fill, pass, renderPage, submit, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { FeedbackScreen } from './feedback-screen.tsx'
import { FormFrame } from './form-frame.tsx'

const SENT = 'Thank you. Your feedback has been sent.'

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const open = async (answers: Answers = {}) => {
  page = await renderPage(<FeedbackScreen />, {
    answers: { getCountries: () => [{ id: 3, name: 'Ireland' }], sendContactMessage: () => ({ ok: true }), ...answers },
    profile: null,
  })
}

/** The operator's form, in a document that was loaded at an address. */
const openFrame = async (arrivedAt: string) => {
  page = await renderPage(<FormFrame url="https://forms.example/f/1" arrivedAt={arrivedAt} />, { answers: {} })
}

async function fillIn() {
  await fill('What would you like to tell us?', 'More balls!')
  await fill('Name', 'Ann')
  await fill('Email', 'ann@example.org')
  await fill('Country', '3')
}

it('the form sends feedback as a marked contact message, and says so for 5 seconds', async () => {
  await open()
  expect(document.querySelector('iframe')).toBeNull()
  expect(button('Send feedback').disabled).toBe(true)
  await fillIn()
  await submit()
  expect(page.calls('sendContactMessage')).toEqual([
    { name: 'Ann', email: 'ann@example.org', country_id: 3, message: 'Feedback:\n\nMore balls!' },
  ])
  expect(text()).toContain(SENT)
  expect(control('What would you like to tell us?').value).toBe('')
  page.timers.pass(5100)
  await pass(0)
  expect(text()).not.toContain(SENT)
})

it('the form keeps feedback that cannot be sent', async () => {
  await open({
    sendContactMessage: () => {
      throw new ApiError({ status: 503, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
    },
  })
  await fillIn()
  await submit()
  expect(alerts()).toEqual(['Error. Please wait a few minutes before you try again.'])
  expect(control('What would you like to tell us?').value).toBe('More balls!')
})

it('the page says so if the form cannot be loaded', async () => {
  await open({
    getCountries: () => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
    },
  })
  expect(text()).toContain('Contact form cannot be loaded.')
})

it('the page shows a third party’s form in a frame that cannot lead this page elsewhere', async () => {
  const replace = vi.spyOn(location, 'replace').mockReturnValue()
  await openFrame('http://localhost/feedback')
  const frame = document.querySelector('iframe')
  expect(frame?.getAttribute('src')).toBe('https://forms.example/f/1')
  const allowed = frame?.getAttribute('sandbox')?.split(' ') ?? []
  expect(allowed).toContain('allow-forms')
  expect(allowed.filter((one) => /top-navigation|modals|downloads/u.test(one))).toEqual([])
  expect(frame?.getAttribute('referrerpolicy')).toBe('no-referrer')
  expect(frame?.title).toBe('Feedback form')
  expect(text()).toContain('This form is by forms.example')
  expect(replace).not.toHaveBeenCalled()
})

it('the page is loaded again after a link inside the site: only its own document may frame the form', async () => {
  const replace = vi.spyOn(location, 'replace').mockReturnValue()
  await openFrame('http://localhost/terms')
  expect(replace).toHaveBeenCalledWith('/feedback')
})

it('the page has the operator’s form if one is configured', async () => {
  vi.spyOn(location, 'replace').mockReturnValue()
  const feedbackFormUrl = 'https://forms.example/f/1'
  page = await renderPage(<FeedbackScreen />, {
    answers: {},
    config: { content: { operator: null, social: [], feedbackFormUrl } },
  })
  expect(document.querySelector('iframe')?.title).toBe('Feedback form')
})
