import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import { paths } from '../../shared/paths.ts'
import {
  alerts,
  button,
  control,
  fill,
  hasButton,
  pass,
  pressButton,
  renderPage,
  submit,
  text,
} from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { Tab } from '../../testing/tab.tsx'
import { PersonalDataScreen } from './personal-data-screen.tsx'

const PASSWORD = 'Correct-horse7battery'

// Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
beforeAll(() => import('./goodbye.tsx'))

let page: RenderedPage | null = null
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') })
})
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

const open = async (answers: Answers, profile = {}) => {
  page = await renderPage(<PersonalDataScreen />, { answers, profile, tab: new Tab(paths.personalData()) })
  return page
}

it('everything about the player is downloaded as a file named after the day', async () => {
  const made: Blob[] = []
  const names: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    made.push(file as Blob)
    return 'blob:made'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download)
  })
  await open({ getPersonalData: () => ({ account: { username: 'ann' } }) })
  await pressButton('Download everything about me')
  expect(names).toEqual(['fairball-personal-data-2026-11-21.json'])
  expect(JSON.parse((await made[0]?.text()) ?? '')).toEqual({ account: { username: 'ann' } })
  expect(text()).toContain('fairball-personal-data-2026-11-21.json is in your downloads')
})

describe('closing the account', () => {
  it('the page says first what is paid out, erased and kept', async () => {
    await open({})
    for (const title of ['Paid out first', 'Erased', 'Kept, without your name']) expect(text()).toContain(title)
    expect(document.querySelector('form')).toBeNull()
  })

  it('closing takes the password and a typed word, then signs out and says goodbye on the home page', async () => {
    const { calls, session, tab } = await open({ closeAccount: () => ({ ok: true }) })
    await pressButton('Close my account …')
    expect(button('Close my account for good').disabled).toBe(true)
    await fill('Password', PASSWORD)
    await fill('Type CLOSE to confirm', 'close')
    await submit()
    expect(calls('closeAccount')).toEqual([])
    await fill('Type CLOSE to confirm', 'CLOSE')
    await submit()
    await pass(0)
    expect(calls('closeAccount')).toEqual([{ password: PASSWORD }])
    expect(session.state().status).toBe('anonymous')
    expect(tab.entries.at(-1)).toBe('/')
    expect(document.querySelector('dialog')?.textContent).toContain('Your account is closed')
    await pressButton('Close')
    await pass(500)
    expect(document.querySelector('dialog')).toBeNull()
  })

  it('a refusal of the server is shown with a link to resolve it', async () => {
    const sentence = 'Please save a bitcoin address first: you are owed money.'
    await open({
      closeAccount: () => {
        throw new ApiError({ status: 403, code: 'ACCESS_DENIED', message: sentence })
      },
    })
    await pressButton('Close my account …')
    await fill('Password', PASSWORD)
    await fill('Type CLOSE to confirm', 'CLOSE')
    await submit()
    expect(alerts()[0]).toContain(sentence)
    expect(document.querySelector('[role="alert"] a')?.getAttribute('href')).toBe(
      '/settings/funds-and-payments/crypto-account-details',
    )
  })

  it('a wrong password is shown at its field', async () => {
    await open({
      closeAccount: () => {
        throw new ApiError({ status: 400, code: 'INVALID_CREDENTIALS', message: '' })
      },
    })
    await pressButton('Close my account …')
    await fill('Password', PASSWORD)
    await fill('Type CLOSE to confirm', 'CLOSE')
    await submit()
    expect(control('Password').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(control('Password'))
  })

  it('closing a social account takes a code, which requires two-factor', async () => {
    const first = await open({}, { is_social_account: true })
    expect(hasButton('Close my account …')).toBe(false)
    first.unmount()
    const { calls } = await open(
      { closeAccount: () => ({ ok: true }) },
      { is_social_account: true, is_two_fa_enabled: true },
    )
    await pressButton('Close my account …')
    await fill('Authenticator code', '012345')
    await fill('Type CLOSE to confirm', 'CLOSE')
    await submit()
    expect(calls('closeAccount')).toEqual([{ twofa_code: '012345' }])
  })
})
