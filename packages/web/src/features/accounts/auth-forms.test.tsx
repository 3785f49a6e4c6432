import { act } from 'react'
import { ApiError } from '@fairball/contract/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
  tick,
} from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { Tab } from '../../testing/tab.tsx'
import { ForgottenPasswordScreen } from './forgotten-password-screen.tsx'
import { LoginScreen } from './login-screen.tsx'
import { LoginSecureScreen } from './login-secure-screen.tsx'
import { OpenAccountScreen } from './open-account-screen.tsx'
import { ResetPasswordScreen } from './reset-password-screen.tsx'
import { StopAddressChangeScreen } from './stop-address-change-screen.tsx'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { VerifyEmailScreen } from './verify-email-screen.tsx'

const PASSWORD = 'Correct-horse7battery'
const TOKENS = { access_token: 'a', refresh_token: 'r' }
const fails = (status: number, code: string) => (): never => {
  throw new ApiError({ status, code, message: 'of the server' })
}

let page: RenderedPage
const open = async (screen: React.ReactNode, answers: Answers = {}, isPlayer = false) => {
  page = await renderPage(screen, { answers, profile: isPlayer ? {} : null, tab: new Tab('/login') })
}
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

/** Leaves a field, so that it shows its error. */
async function leave(label: string) {
  control(label).focus()
  control(label).blur()
  await pass(0)
}

const linkTo = (name: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === name)?.getAttribute('href')

/** The description of a disabled button. */
const whyDisabled = (name: string) => {
  expect(button(name).disabled).toBe(true)
  return document.getElementById(button(name).getAttribute('aria-describedby') ?? '')?.textContent
}

describe('a disabled submit', () => {
  it('the button to open an account names what is missing, down to the 18 or over box', async () => {
    await open(<OpenAccountScreen path="/" />)
    const name = 'Open an Account'
    expect(whyDisabled(name)).toBe('Still needed: Email, Confirm email, Password, the 18 or over box.')
    const isSeen = () => document.querySelector('form p[class*="note"]') !== null
    expect(isSeen()).toBe(false)
    await act(async () => control('Email').dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
    expect(isSeen()).toBe(true)
    await fill('Email', 'ann@example.org')
    await fill('Password', PASSWORD)
    expect(whyDisabled(name)).toBe('Still needed: Confirm email, the 18 or over box.')
    await fill('Confirm email', 'ann@example.org')
    expect(whyDisabled(name)).toBe('Still needed: the 18 or over box.')
    await tick('I am 18 or over')
    expect(button(name).disabled).toBe(false)
    expect(text()).not.toContain('Still needed')
  })

  it('the button to log in names what is missing', async () => {
    await open(<LoginScreen path="/" />)
    expect(whyDisabled('LOG IN')).toBe('Still needed: Email or username, Password.')
    await fill('Email or username', 'player')
    expect(whyDisabled('LOG IN')).toBe('Still needed: Password.')
  })
})

describe('the login', () => {
  it('the login can be sent only with a name and a password that fits the rule', async () => {
    await open(<LoginScreen path="/" />, { login: () => TOKENS })
    expect(button('LOG IN').disabled).toBe(true)
    await fill('Email or username', 'player')
    await fill('Password', 'short')
    expect(button('LOG IN').disabled).toBe(true)
    await leave('Password')
    expect(text()).toContain(
      'Must be 8 characters or longer - at least one small and one capital letter, one digit and one symbol (i.e. #, $, @).',
    )
    await fill('Password', PASSWORD)
    expect(button('LOG IN').disabled).toBe(false)
    expect(text()).not.toContain('Must be 8 characters')
  })

  it('the login goes to the path, or to the second step, which keeps it', async () => {
    let answer: typeof TOKENS | { key: string } = { key: 'k' }
    await open(<LoginScreen path="/game/treasure" />, { login: () => answer })
    await fill('Email or username', ' player@example.org ')
    await fill('Password', PASSWORD)
    await submit()
    expect(page.calls('login')).toEqual([{ email_or_username: 'player@example.org', password: PASSWORD }])
    expect(page.tab.entries).toEqual(['/login', '/login-secure/k?path=/game/treasure'])
    answer = TOKENS
    await submit()
    expect(page.tab.entries).toEqual(['/login', '/game/treasure'])
  })

  it.each([
    [400, 'INVALID_CREDENTIALS', 'Invalid credentials. Check your email or username and your password.'],
    [500, 'INTERNAL_SERVER_ERROR', 'Error. Please wait a few minutes before you try again.'],
  ])('the login shows a failure (%i %s) in a banner', async (status, code, message) => {
    await open(<LoginScreen path="/" />, { login: fails(status, code) })
    await fill('Email or username', 'player')
    await fill('Password', PASSWORD)
    await submit()
    expect(alerts().map((alert) => alert.trim())).toEqual([message])
  })

  it('the login leads to the other pages, which keep the path', async () => {
    await open(<LoginScreen path="/game/treasure" />)
    expect(linkTo('Forgotten password?')).toBe('/forgotten-password?path=/game/treasure')
    expect(linkTo('Open an account')).toBe('/open-an-account?path=/game/treasure')
    expect(linkTo('Help & contact us')).toBe('/help-and-contact-us')
  })
})

describe('opening an account', () => {
  const fillIn = async () => {
    await fill('Email', 'ann@example.org')
    await fill('Confirm email', 'ann@example.org')
    await fill('Password', PASSWORD)
    await tick('I am 18 or over')
  }

  it('the form can be sent only once everything is filled in, repeated correctly and ticked', async () => {
    await open(<OpenAccountScreen path="/" />, { register: () => TOKENS })
    expect(button('Open an Account').disabled).toBe(true)
    await fillIn()
    expect(button('Open an Account').disabled).toBe(false)
    await tick('I am 18 or over')
    expect(button('Open an Account').disabled).toBe(true)
    await tick('I am 18 or over')
    await submit()
    expect(page.calls('register')).toEqual([
      { email: 'ann@example.org', email_confirm: 'ann@example.org', password: PASSWORD },
    ])
    expect(page.tab.entries).toEqual(['/'])
    // A new player has no tickets: the home page keeps no room for them.
    expect(document.documentElement.dataset['held']).toBe('0')
    expect(localStorage.getItem('fairball.seen-draws')).toBe('0')
  })

  it('the form checks the repeated address again when the first one changes', async () => {
    await open(<OpenAccountScreen path="/" />)
    await fillIn()
    await leave('Confirm email')
    await fill('Email', 'other@example.org')
    expect(text()).toContain('Email and confirm email do not match.')
    expect(button('Open an Account').disabled).toBe(true)
    await fill('Email', 'ann@example.org')
    expect(text()).not.toContain('do not match')
    expect(button('Open an Account').disabled).toBe(false)
  })

  it.each([
    ['short', null],
    ['secret12', 'Weak'],
    ['Se#1ab', 'Medium'],
    ['Secret##', 'Medium'],
    ['Rhubarb#1', 'Strong'],
  ])('the form says how strong %s is: %s', async (password, strength) => {
    await open(<OpenAccountScreen path="/" />)
    await fill('Password', password)
    const shown = document.querySelector('[data-strength] strong')?.textContent ?? null
    expect(shown).toBe(strength)
  })

  it.each(['Password1!', 'Secret#1', 'Ann.Lee2026!'])(
    'the form never calls %s strong, and says why',
    async (password) => {
      await open(<OpenAccountScreen path="/" />)
      await fill('Email', 'ann.lee@example.org')
      await fill('Password', password)
      expect(document.querySelector('[data-strength]')?.textContent).toBe(
        'Password strength: Weak This password is easy to guess. Please choose another one.',
      )
    },
  )

  it('a password that the server refuses shows the sentence of the server', async () => {
    const sentence = 'This password is easy to guess. Please choose another one.'
    const register = (): never => {
      throw new ApiError({ status: 400, code: 'INVALID_PASSWORD', message: sentence })
    }
    await open(<OpenAccountScreen path="/" />, { register })
    await fillIn()
    await submit()
    expect(alerts()).toEqual([sentence])
  })
})

describe('the second step of a login', () => {
  const state = (change: object = {}) => ({
    expires_in: 300,
    is_two_fa_enabled: true,
    is_security_question_enabled: true,
    ...change,
  })
  const QUESTIONS = [{ id: 2, question: 'First pet?' }]
  const openStep = (answers: Answers = {}, path: string | null = null) =>
    open(<LoginSecureScreen loginKey="k" path={path} />, {
      checkLoginSecureKey: () => state(),
      getSecurityQuestions: () => QUESTIONS,
      ...answers,
    })

  it('the second step can be sent with a code, or with a question and its answer', async () => {
    await openStep({ loginSecure: () => TOKENS })
    expect(button('Submit').disabled).toBe(true)
    await fill('Code of your authenticator app', '12')
    expect(button('Submit').disabled).toBe(true)
    await fill('Security question', '2')
    await fill('Answer', 'Rex')
    expect(button('Submit').disabled).toBe(false)
    await submit()
    expect(page.calls('loginSecure')).toEqual([{ key: 'k', security_question_id: 2, security_answer: 'Rex' }])
    expect(page.tab.entries).toEqual(['/settings/profile-and-settings/personal-details'])
  })

  it('the second step reports no error for an empty method', async () => {
    await openStep()
    await leave('Code of your authenticator app')
    await leave('Answer')
    expect(text()).not.toContain('Invalid 6-digits code!')
    expect(text()).not.toContain('This answer should not be empty')
  })

  it('the second step shows the server’s answer to a wrong code, and clears the code', async () => {
    await openStep({ loginSecure: fails(400, 'INVALID_2FA_CODE') }, '/game/treasure')
    await fill('Code of your authenticator app', '012345')
    await submit()
    expect(page.calls('loginSecure')).toEqual([{ key: 'k', twofa_code: '012345' }])
    expect(alerts()).toEqual(['Invalid 2FA authorization code. Enter the newest code of your app. Each works once.'])
    expect(control('Code of your authenticator app').value).toBe('')
    expect(button('Submit').disabled).toBe(true)
    expect(document.activeElement).toBe(control('Code of your authenticator app'))
  })

  it('the second step counts the time down, and expires at its end', async () => {
    await openStep({ checkLoginSecureKey: () => state({ expires_in: 62 }) }, '/game/treasure')
    expect(text()).toContain('01:0')
    await pass(30_000)
    expect(text()).toMatch(/00:3\d/u)
    expect(hasButton('Submit')).toBe(true)
    await pass(34_000)
    expect(alerts()).toEqual(['The time window of 5 min. to log in has expired!'])
    expect(hasButton('Submit')).toBe(false)
    expect(linkTo('Try again')).toBe('/login?path=/game/treasure')
  })

  it('the second step expires immediately if its key was used', async () => {
    await openStep({ checkLoginSecureKey: fails(400, 'INVALID_KEY') })
    expect(alerts()).toEqual(['The time window of 5 min. to log in has expired!'])
  })

  it('the second step offers a new login once wrong codes have used up its key', async () => {
    await openStep({ loginSecure: fails(400, 'INVALID_KEY') })
    await fill('Code of your authenticator app', '012345')
    await submit()
    expect(alerts()[0]).toContain('Invalid key.')
    expect(linkTo('Try again')).toBe('/login')
  })

  it('the second step links to support', async () => {
    await openStep()
    expect(linkTo('Security verification unavailable? Contact our support')).toBe('/help-and-contact-us')
  })
})

describe('a forgotten password', () => {
  it('the form for a forgotten password sends a link and clears the address', async () => {
    await open(<ForgottenPasswordScreen path="/" />, { requestPasswordReset: () => ({ ok: true }) })
    expect(button('Send Reset Link').disabled).toBe(true)
    await fill('Email', 'ann@example.org')
    await submit()
    expect(text()).toContain('Reset link sent successfully. Please check your email.')
    expect(control('Email').value).toBe('')
  })

  it('the form for a forgotten password shows why sending failed, and keeps the address', async () => {
    await open(<ForgottenPasswordScreen path="/" />, { requestPasswordReset: fails(400, 'INVALID_EMAIL') })
    await fill('Email', 'ann@example.org')
    await submit()
    expect(alerts()).toEqual(['Invalid email address.'])
    expect(control('Email').value).toBe('ann@example.org')
  })

  it('the form for a forgotten password leads to the login, to a new account, and to support', async () => {
    await open(<ForgottenPasswordScreen path="/game/treasure" />)
    expect(linkTo('Log In')).toBe('/login?path=/game/treasure')
    expect(linkTo('Open an Account')).toBe('/open-an-account?path=/game/treasure')
    expect(linkTo('Contact us')).toBe('/help-and-contact-us')
  })
})

describe('a new password', () => {
  const openReset = (answers: Answers = {}, needsCode = true) =>
    open(<ResetPasswordScreen resetKey="k" />, {
      checkResetPasswordKey: () => ({ ok: true, data: { is_two_fa_enabled: needsCode } }),
      ...answers,
    })
  const fillIn = async () => {
    await fill('Password', PASSWORD)
    await fill('Confirm password', PASSWORD)
    await fill('Authenticator code', '012345')
  }

  it('the form for a new password waits until its link is checked', async () => {
    await openReset({ checkResetPasswordKey: () => new Promise(() => {}) })
    expect(text()).toContain('The validation of the reset link is pending! Please wait.')
  })

  it('a bad link leads to support', async () => {
    await openReset({ checkResetPasswordKey: fails(400, 'INVALID_KEY') })
    expect(alerts()).toEqual(['Incorrect or already used link for password reset'])
    expect(linkTo('Contact support')).toBe('/help-and-contact-us')
  })

  it('a new password is set, and all three fields are cleared', async () => {
    await openReset({ resetPassword: () => ({ ok: true }) })
    await fill('Password', PASSWORD)
    await fill('Confirm password', `${PASSWORD}x`)
    await leave('Confirm password')
    expect(text()).toContain('Password and confirm password should match')
    await fillIn()
    await submit()
    expect(page.calls('resetPassword')).toEqual([
      { key: 'k', password: PASSWORD, password_confirm: PASSWORD, twofa_code: '012345' },
    ])
    expect(text()).toContain('Password has been reset successfully.')
    for (const label of ['Password', 'Confirm password', 'Authenticator code']) expect(control(label).value).toBe('')
    await fill('Password', 'x')
    expect(text()).not.toContain('Password has been reset successfully.')
  })

  it('a refusal clears only the code, and typing clears the message', async () => {
    await openReset({ resetPassword: fails(400, 'INVALID_2FA_CODE') })
    await fillIn()
    await submit()
    expect(alerts()).toEqual(['Invalid 2FA authorization code. Enter the newest code of your app. Each works once.'])
    expect([control('Password').value, control('Authenticator code').value]).toEqual([PASSWORD, ''])
    await fill('Authenticator code', '1')
    expect(alerts()).toEqual([])
  })

  it('a recovery code replaces the code of the app, and is sent alone', async () => {
    await openReset({ resetPassword: fails(400, 'INVALID_2FA_CODE') })
    await fillIn()
    await pressButton('Use a recovery code instead')
    expect(text()).not.toContain('Authenticator code')
    expect(button('Reset Password').disabled).toBe(true)
    await fill('Recovery code', ' abcd-efgh-jkmn-pqrs ')
    expect(button('Reset Password').disabled).toBe(false)
    await submit()
    expect(page.calls('resetPassword')).toEqual([
      { key: 'k', password: PASSWORD, password_confirm: PASSWORD, recovery_code: 'abcd-efgh-jkmn-pqrs' },
    ])
    expect([control('Password').value, control('Recovery code').value]).toEqual([PASSWORD, ''])
    await pressButton('Use the authenticator app instead')
    expect(alerts()).toEqual([])
    expect(control('Authenticator code').value).toBe('')
    expect(button('Reset Password').disabled).toBe(true)
  })

  it('a new password needs no code without two-factor', async () => {
    await openReset({ resetPassword: () => ({ ok: true }) }, false)
    expect(text()).not.toContain('Authenticator code')
    await fill('Password', PASSWORD)
    await fill('Confirm password', PASSWORD)
    expect(button('Reset Password').disabled).toBe(false)
  })
})

const TICKET: Ticket = {
  play_id: 'play-1',
  game_key: 'treasure',
  transaction_id: 'order-1',
  draw: { number: 1, start_at: 0, ticket_sell_closes_at: 0, end_at: 0, status: 'UPCOMING', numbers: [] },
  lines: [],
  moved_from: null,
  result: null,
  payout: null,
}

describe('the link that verifies the address', () => {
  it.each([
    [true, 'Go to personal details', '/settings/profile-and-settings/personal-details'],
    [false, 'Log In', '/login'],
  ])('the link that verifies the address works, and leads on (signed in: %s)', async (isPlayer, name, href) => {
    const getTickets = () => ({ results: [], total_pages: 0 })
    await open(<VerifyEmailScreen resetKey="k" />, { verifyEmail: () => ({ ok: true }), getTickets }, isPlayer)
    expect(page.calls('verifyEmail')).toEqual([{ key: 'k' }])
    expect(linkTo(name)).toBe(href)
    expect(linkTo('Back to your ticket')).toBeUndefined()
  })

  it('after a purchase, the link that verifies the address leads back to the ticket', async () => {
    const drawn = { ...TICKET, transaction_id: 'old', draw: { ...TICKET.draw, status: 'DRAWN' as const } }
    const getTickets = () => ({ results: [TICKET, drawn], total_pages: 1 })
    await open(<VerifyEmailScreen resetKey="k" />, { verifyEmail: () => ({ ok: true }), getTickets }, true)
    expect(linkTo('Back to your ticket')).toBe('/game/treasure?transaction_id=order-1')
    expect(linkTo('Go to personal details')).toBe('/settings/profile-and-settings/personal-details')
  })

  it('a link that cannot verify the address leads to support', async () => {
    await open(<VerifyEmailScreen resetKey="k" />, { verifyEmail: fails(400, 'INVALID_KEY') })
    expect(alerts()).toEqual(['Incorrect or already used link for email confirmation'])
    expect(linkTo('Contact support')).toBe('/help-and-contact-us')
  })
})

describe('the link that stops a change of the bitcoin address', () => {
  it('the link that stops a change does nothing until the button is pressed, because mail scanners open links', async () => {
    await open(<StopAddressChangeScreen resetKey="k" />, { stopAddressChange: () => ({ ok: true }) })
    await pass(60_000)
    expect(page.calls('stopAddressChange')).toEqual([])
    await pressButton('Stop the change')
    expect(page.calls('stopAddressChange')).toEqual([{ key: 'k' }])
    expect(text()).toContain('The change is stopped.')
    expect(linkTo('Choose a new password')).toBe('/forgotten-password')
  })

  it('a used or expired link to stop a change says so', async () => {
    await open(<StopAddressChangeScreen resetKey="k" />, { stopAddressChange: fails(400, 'INVALID_KEY') })
    await pressButton('Stop the change')
    expect(alerts()).toEqual(['Incorrect or already used link for stopping an address change'])
    expect(hasButton('Stop the change')).toBe(false)
  })

  it('a change can be stopped at a second try if the server did not answer the first', async () => {
    await open(<StopAddressChangeScreen resetKey="k" />, { stopAddressChange: fails(503, 'INTERNAL_SERVER_ERROR') })
    await pressButton('Stop the change')
    expect(alerts()).toEqual(['Error. Please wait a few minutes before you try again.'])
    expect(hasButton('Stop the change')).toBe(true)
  })
})
