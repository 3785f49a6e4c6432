import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import {
  button,
  control,
  fill,
  hasButton,
  pass,
  pressButton,
  renderPage,
  submit,
  text,
  tick,
} from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { ActiveSessions } from './components/active-sessions.tsx'
import { SecurityQuestion } from './components/security-question.tsx'
import { TwoFactor } from './components/two-factor.tsx'

const PASSWORD = 'Correct-horse7battery'
const KEY = 'JBSWY3DPEHPK3PXP'
const CODES = ['aaaa-1111', 'bbbb-2222']
const error = (status: number, code: string) => new ApiError({ status, code, message: 'of the server' })
const fails = (status: number, code: string) => (): never => {
  throw error(status, code)
}

// Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
beforeAll(() => import('./components/list-pages.tsx'))

let page: RenderedPage | null = null
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

const step = () => document.querySelector('[aria-current="step"]')?.textContent ?? 'none'

describe('setting up two-factor', () => {
  const open = async (answers: Answers = {}, profile = {}) => {
    const all: Answers = {
      verifyPassword: () => ({ ok: true }),
      getTwofaQr: () => ({ qr_code_uri: `otpauth://totp/Fairball:player?secret=${KEY}&issuer=Fairball` }),
      verifyTwofa: () => ({ ok: true, recovery_codes: CODES }),
      ...answers,
    }
    page = await renderPage(<TwoFactor />, { answers: all, profile })
    return page
  }

  it('setting up two-factor takes five steps, each with an arrow back to the previous one', async () => {
    const { calls } = await open()
    await pressButton('Set up now')
    expect(step()).toContain('Password')
    expect(button('Verify').disabled).toBe(true)
    await fill('Password', PASSWORD)
    await submit()
    expect(calls('verifyPassword')).toEqual([{ password: PASSWORD }])
    expect(step()).toContain('App')
    await pressButton('NEXT')
    expect(step()).toContain('QR code')
    expect(text()).toContain('JBSW')
    await pressButton('NEXT')
    expect(step()).toContain('Code')

    for (const name of ['QR code', 'App', 'Password']) {
      await pressButton('One step back')
      expect(step()).toContain(name)
    }
    await pressButton('One step back')
    expect(hasButton('Set up now')).toBe(true)
  })

  it('social accounts skip the password, so their third step leads back to the first', async () => {
    const { calls } = await open({}, { is_social_account: true })
    await pressButton('Set up now')
    expect(step()).toContain('App')
    expect(text()).not.toContain('Password')
    await pressButton('One step back')
    expect(hasButton('Set up now')).toBe(true)
    expect(calls('verifyPassword')).toEqual([])
  })

  it.each([
    [500, 'INTERNAL_SERVER_ERROR', 'Unexpected error! Try again.'],
    [400, 'INVALID_CREDENTIALS', 'Invalid password! Try again.'],
    [429, 'TOO_MANY_REQUESTS', 'Too many requests. Please wait a while before you try again.'],
  ])('a password check that ended %i %s says: %s', async (status, code, sentence) => {
    await open({ verifyPassword: fails(status, code) })
    await pressButton('Set up now')
    await fill('Password', PASSWORD)
    await submit()
    expect(text()).toContain(sentence)
    expect(step()).toContain('Password')
  })

  it('the eye shows the password for 5 seconds', async () => {
    const { timers } = await open()
    await pressButton('Set up now')
    await pressButton('Show password')
    expect(control('Password').type).toBe('text')
    timers.pass(5_000)
    expect(control('Password').type).toBe('password')
  })

  it('a wrong code is cleared with an error', async () => {
    await open({ verifyTwofa: fails(400, 'INVALID_2FA_CODE') }, { is_social_account: true })
    for (const name of ['Set up now', 'NEXT', 'NEXT']) await pressButton(name)
    await fill('Authenticator code', '12345')
    expect(button('Verify').disabled).toBe(true)
    await fill('Authenticator code', '123456')
    await submit()
    expect(text()).toContain('Invalid 6-digits code! Try again.')
    expect(control('Authenticator code').value).toBe('')
  })

  it('the set-up ends with recovery codes, shown once, to copy, download and print', async () => {
    const { calls } = await open({}, { is_social_account: true })
    for (const name of ['Set up now', 'NEXT', 'NEXT']) await pressButton(name)
    await fill('Authenticator code', '012345')
    await submit()
    expect(calls('verifyTwofa')).toEqual([{ code: '012345' }])
    for (const code of CODES) expect(text()).toContain(code)
    for (const name of ['Copy recovery codes', 'Download', 'Print']) expect(hasButton(name)).toBe(true)
    await pressButton('Done')
    for (const code of CODES) expect(text()).not.toContain(code)
  })

  it('two-factor is disabled with the password', async () => {
    const { calls } = await open({ disableTwofa: () => ({ ok: true }) }, { is_two_fa_enabled: true })
    expect(text()).toContain('A stolen password isn’t enough.')
    await pressButton('Disable')
    await fill('Password', PASSWORD)
    await submit()
    expect(calls('disableTwofa')).toEqual([{ password: PASSWORD }])
  })
})

describe('the security question', () => {
  const open = async (isActive: boolean) => {
    const answers: Answers = {
      getSecurityQuestionSetting: () => ({
        is_active: isActive,
        security_question_id: isActive ? 1 : null,
        answer: '',
      }),
      getSecurityQuestions: () => [
        { id: 1, question: 'Your first pet?' },
        { id: 2, question: 'Your first school?' },
      ],
      saveSecurityQuestionSetting: ({ body }) => ({
        is_active: body.is_active,
        security_question_id: body.security_question_id ?? null,
        answer: '',
      }),
    }
    page = await renderPage(<SecurityQuestion />, { answers })
    await pressButton('Edit security question')
    return page
  }

  it('Save closes an unchanged security question without a call', async () => {
    const { calls } = await open(true)
    expect(button('Save').disabled).toBe(false)
    await submit()
    expect(calls('saveSecurityQuestionSetting')).toEqual([])
    expect(text()).toContain('Your first pet?')
    expect(hasButton('Edit security question')).toBe(true)
  })

  it.each(['', '   ', 'x'.repeat(251)])('another question with the answer "%s" makes no call', async (answer) => {
    const { calls } = await open(true)
    await fill('Question', '2')
    await fill('Answer', answer)
    expect(button('Save').disabled).toBe(true)
    await submit()
    expect(calls('saveSecurityQuestionSetting')).toEqual([])
  })

  it('a new question replaces the saved one and is read-only again', async () => {
    const { calls } = await open(true)
    await fill('Question', '2')
    await fill('Answer', 'Hill Road')
    await submit()
    expect(calls('saveSecurityQuestionSetting')).toEqual([
      { is_active: true, security_question_id: 2, answer: 'Hill Road' },
    ])
    expect(document.querySelector('form')).toBeNull()
    expect(text()).toContain('Your first school?')
  })
})

describe('the security question half an hour after the login', () => {
  const late = (message: string): never => {
    throw new ApiError({ status: 403, code: 'ACCESS_DENIED', message })
  }
  const open = async (profile: object, answers: Answers) => {
    page = await renderPage(<SecurityQuestion />, {
      answers: {
        getSecurityQuestionSetting: () => ({ is_active: false, security_question_id: null, answer: '' }),
        getSecurityQuestions: () => [{ id: 1, question: 'Your first pet?' }],
        ...answers,
      },
      profile,
    })
    await pressButton('Edit security question')
    await tick('Ask the security question at login')
    await fill('Question', '1')
    await fill('Answer', 'Rex')
    await submit()
    return page
  }

  it('an old login requires the password, keeps the typed values, and saves with the password', async () => {
    let isShown = false
    const { calls } = await open(
      {},
      {
        verifyPassword: () => {
          isShown = true
          return { ok: true }
        },
        saveSecurityQuestionSetting: () =>
          isShown
            ? { is_active: true, security_question_id: 1, answer: '' }
            : late('Please enter your password first.'),
      },
    )
    expect(text()).toContain('Please enter your password first.')
    expect(control('Answer').value).toBe('Rex')
    await fill('Password', PASSWORD)
    await submit()
    expect(calls('verifyPassword')).toEqual([{ password: PASSWORD }])
    expect(document.querySelector('form')).toBeNull()
    expect(text()).toContain('Your first pet?')
  })

  it('a social account, which has no password, has to log in again', async () => {
    await open({ is_social_account: true }, { saveSecurityQuestionSetting: () => late('of the server') })
    expect(text()).toContain('Please log out and log in again first.')
    expect(hasButton('Show password')).toBe(false)
  })
})

describe('the active sessions', () => {
  const session = (device: string, isCurrent = false) => ({
    created_at: 1_790_000_000,
    fingerprint: device,
    is_current_session: isCurrent,
    access_token: `handle of ${device}`,
  })
  const revokeName = () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === 'Revoke')?.getAttribute('aria-label') ??
    ''

  it('a revoked session leaves the list, and the profile is fetched again', async () => {
    const answers: Answers = {
      getSessions: () => [session('Firefox on Linux', true), session('Safari on iPhone')],
      revokeSessions: () => ({ ok: true }),
    }
    page = await renderPage(<ActiveSessions page={1} />, { answers })
    const reads = page.profileReads()
    await pressButton(revokeName())
    expect(page.calls('revokeSessions')).toEqual([{ tokens: ['handle of Safari on iPhone'] }])
    expect(text()).not.toContain('Safari on iPhone')
    expect(text()).toContain('Firefox on Linux')
    expect(page.profileReads()).toBe(reads + 1)
  })

  it('a session that could not be revoked stays, with an error', async () => {
    const answers: Answers = {
      getSessions: () => [session('Firefox on Linux', true), session('Safari on iPhone')],
      revokeSessions: fails(500, 'INTERNAL_SERVER_ERROR'),
    }
    page = await renderPage(<ActiveSessions page={1} />, { answers })
    await pressButton(revokeName())
    expect(text()).toContain('Unable to log out the session.')
    expect(text()).toContain('Safari on iPhone')
  })

  it('sessions are shown ten a page', async () => {
    const many = Array.from({ length: 12 }, (_, index) => session(`Device ${index + 1};`))
    page = await renderPage(<ActiveSessions page={2} />, { answers: { getSessions: () => many } })
    await pass(0)
    expect(text()).toContain('Device 12;')
    expect(text()).not.toContain('Device 10;')
    expect(document.querySelector('nav a')?.getAttribute('href')).toBe('/settings/profile-and-settings/security')
  })
})
