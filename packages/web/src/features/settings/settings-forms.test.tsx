import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
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
import { CryptoAccountDetailsScreen } from './crypto-account-details-screen.tsx'
import { EmailPreferencesScreen } from './email-preferences-screen.tsx'
import { PasswordChangeScreen } from './password-change-screen.tsx'
import { PersonalDetailsScreen } from './personal-details-screen.tsx'
import { payoutDetails } from '../../testing/payout-details.ts'

const SERVER_ERROR = 'Error. Please wait a few minutes before you try again.'
const CHECK_FIELDS = 'Please check the fields below and make sure all the required data are filled in.'
const PASSWORD = 'Correct-horse7battery'
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

const refusal = (status: number, code: string, fields?: Record<string, string>) =>
  new ApiError({ status, code, message: 'of the server', ...(fields !== undefined && { fields }) })

let page: RenderedPage | null = null
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

/** Leaves a field, which then shows its error. */
const leave = async (label: string) => {
  control(label).focus()
  control(label).blur()
  await pass(0)
}

describe('a settings form', () => {
  const PREFERENCES = { is_lottery_games_active: true, is_winners_and_good_causes_active: false }
  const open = async (saveEmailPreferences: () => { ok: true }) => {
    const answers: Answers = { getEmailPreferences: () => PREFERENCES, saveEmailPreferences }
    page = await renderPage(<EmailPreferencesScreen />, { answers })
    return page
  }

  it('a form is read-only until Edit is pressed, and Cancel restores the saved values', async () => {
    const { calls } = await open(() => ({ ok: true }))
    expect(document.querySelector('form')).toBeNull()
    expect(text()).toContain('Changes may take up to 48 hours.')
    await pressButton('Edit')
    await tick('Lottery games')
    await pressButton('Cancel')
    expect(document.querySelector('form')).toBeNull()
    await pressButton('Edit')
    expect(control('Lottery games')).toHaveProperty('checked', true)
    expect(calls('saveEmailPreferences')).toEqual([])
  })

  it('Save closes an unchanged form without a call', async () => {
    const { calls } = await open(() => ({ ok: true }))
    await pressButton('Edit')
    await tick('Lottery games')
    await tick('Lottery games')
    await submit()
    expect(hasButton('Edit')).toBe(true)
    expect(calls('saveEmailPreferences')).toEqual([])
    expect(text()).not.toContain('Your changes have been saved.')
  })

  it('Save sends the changes with a spinner meanwhile, and then the form is read-only with the new values', async () => {
    let answer: (value: { ok: true }) => void = () => {}
    const waits = new Promise<{ ok: true }>((resolve) => (answer = resolve))
    const answers: Answers = { getEmailPreferences: () => PREFERENCES, saveEmailPreferences: () => waits }
    page = await renderPage(<EmailPreferencesScreen />, { answers })
    await pressButton('Edit')
    await tick('Winners and good causes')
    await submit()
    expect(button('Save').getAttribute('aria-busy')).toBe('true')
    await submit()
    answer({ ok: true })
    await pass(0)
    expect(page.calls('saveEmailPreferences')).toEqual([
      { is_lottery_games_active: true, is_winners_and_good_causes_active: true },
    ])
    expect(text()).toContain('Your changes have been saved.')
    expect(hasButton('Edit')).toBe(true)
  })

  it.each([
    [500, 'INTERNAL_SERVER_ERROR', SERVER_ERROR],
    [503, 'RATE_UNAVAILABLE', SERVER_ERROR],
    [400, 'INVALID_PAYLOAD', CHECK_FIELDS],
    [403, 'ACCESS_DENIED', CHECK_FIELDS],
  ])('a form that fails with %i %s stays open and says: %s', async (status, code, banner) => {
    await open(() => {
      throw refusal(status, code)
    })
    await pressButton('Edit')
    await tick('Lottery games')
    await submit()
    expect(alerts()).toEqual([banner])
    expect(hasButton('Save')).toBe(true)
  })
})

describe('the password change', () => {
  const open = async (changePassword: () => { ok: true } = () => ({ ok: true })) => {
    page = await renderPage(<PasswordChangeScreen />, { answers: { changePassword } })
    await pressButton('Change password')
    return page
  }

  it('the password form disables Save while a field is empty or invalid, and Enter then sends nothing', async () => {
    const { calls } = await open()
    expect(button('Save').disabled).toBe(true)
    await fill('Current password', 'older1')
    await fill('New password', 'weak')
    await fill('Confirm password', 'weak')
    expect(button('Save').disabled).toBe(true)
    await submit()
    await fill('New password', PASSWORD)
    await fill('Confirm password', `${PASSWORD}!`)
    expect(button('Save').disabled).toBe(true)
    expect(calls('changePassword')).toEqual([])
    await fill('Confirm password', PASSWORD)
    expect(button('Save').disabled).toBe(false)
  })

  it('the password form clears its fields once saved', async () => {
    const { calls } = await open()
    await fill('Current password', 'older1')
    await fill('New password', PASSWORD)
    await fill('Confirm password', PASSWORD)
    await submit()
    expect(calls('changePassword')).toEqual([
      { current_password: 'older1', new_password: PASSWORD, confirm_password: PASSWORD },
    ])
    expect(text()).toContain('Your password has been changed.')
    await pressButton('Change password')
    expect(control('Current password').value).toBe('')
  })

  it('the new password is checked again when the current one changes, and is named if missing', async () => {
    await open()
    await fill('New password', PASSWORD)
    await leave('New password')
    await fill('Confirm password', PASSWORD)
    await leave('Confirm password')
    await fill('Current password', PASSWORD)
    expect(button('Save').disabled).toBe(true)
    expect(control('New password').getAttribute('aria-invalid')).toBe('true')
    expect(text()).toContain('The new password must differ from the current one.')
    expect(text()).toContain('Still needed: New password.')
    await fill('Current password', 'older1')
    expect(text()).not.toContain('must differ')
    expect(button('Save').disabled).toBe(false)
  })

  it('a refused new password shows the reason at its field, until it changes', async () => {
    const sentence = 'This password is easy to guess. Please choose another one.'
    await open(() => {
      throw new ApiError({ status: 400, code: 'INVALID_PASSWORD', message: sentence })
    })
    await fill('Current password', 'older1')
    await fill('New password', 'Password1!')
    await leave('New password')
    await fill('Confirm password', 'Password1!')
    await submit()
    expect(text()).toContain(sentence)
    await fill('Current password', 'older12')
    expect(text()).toContain(sentence)
    await fill('New password', PASSWORD)
    expect(text()).not.toContain(sentence)
  })

  it('a wrong current password is shown at its field', async () => {
    await open(() => {
      throw refusal(400, 'INVALID_CREDENTIALS')
    })
    await fill('Current password', 'wrong-one')
    await fill('New password', PASSWORD)
    await fill('Confirm password', PASSWORD)
    await submit()
    expect(alerts()).toEqual([CHECK_FIELDS])
    expect(control('Current password').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(control('Current password'))
  })

  it('a press of the eye shows a password for 5 seconds', async () => {
    const { timers } = await open()
    await pressButton('Show password')
    expect(control('Current password').type).toBe('text')
    timers.pass(4_999)
    expect(control('Current password').type).toBe('text')
    timers.pass(1)
    expect(control('Current password').type).toBe('password')
  })
})

describe('the personal details', () => {
  const SAVED = { username: 'player-abc123', email: 'player@example.org', timezone_id: 202, currency_id: 1 }
  const open = async (isFree = true, profile = {}) => {
    const answers: Answers = {
      getPersonalDetails: () => SAVED,
      getWinnerConsent: () => ({ is_shown: false }),
      getTimezones: () => [{ id: 202, label: '(UTC+00:00) London' }],
      getCurrencies: () => [
        { id: 1, code: 'GBP' },
        { id: 2, code: 'EUR' },
      ],
      getUsernameAvailability: () => [isFree],
      getEmailAvailability: () => [isFree],
      savePersonalDetails: ({ body }) => ({ ...SAVED, username: body.username }),
    }
    page = await renderPage(<PersonalDetailsScreen />, { answers, profile })
    await pressButton('Edit')
    return page
  }

  it('a typed name is checked every 400 ms, and only if it differs from the saved one', async () => {
    const { calls } = await open()
    await pass(2_000)
    expect(calls('getUsernameAvailability')).toEqual([])
    for (const typed of ['a', 'an', 'ann']) {
      await fill('Username', typed)
      await pass(50)
    }
    expect(calls('getUsernameAvailability')).toEqual([])
    await pass(400)
    expect(calls('getUsernameAvailability')).toEqual([{ value: 'ann' }])
    expect(text()).toContain('This username is available.')
    await pass(2_000)
    await fill('Username', 'not*allowed')
    await pass(800)
    await fill('Username', SAVED.username)
    await pass(800)
    expect(calls('getUsernameAvailability')).toHaveLength(1)
    expect(calls('getEmailAvailability')).toEqual([])
  })

  it('a taken name is not saved', async () => {
    const { calls } = await open(false)
    await fill('Username', 'ben')
    await pass(400)
    expect(text()).toContain('Username is already occupied.')
    expect(button('Save').disabled).toBe(true)
    await submit()
    expect(calls('savePersonalDetails')).toEqual([])
  })

  it('the password is requested only with a new email address', async () => {
    const { calls } = await open()
    expect(text()).not.toContain('Your account password')
    await fill('Email', 'new@example.org')
    await pass(400)
    expect(calls('getEmailAvailability')).toEqual([{ value: 'new@example.org' }])
    expect(button('Save').disabled).toBe(true)
    await fill('Password', PASSWORD)
    await submit()
    expect(calls('savePersonalDetails')).toEqual([{ ...SAVED, email: 'new@example.org', password: PASSWORD }])
  })

  it('a social account without two-factor keeps its email address, with a link to change that', async () => {
    await open(true, { is_social_account: true })
    expect(control('Email')).toHaveProperty('readOnly', true)
    expect(document.querySelector('a[href="/settings/profile-and-settings/security"]')).not.toBeNull()
  })
})

describe('the crypto account details', () => {
  const open = async (address: string | null, profile = {}) => {
    const answers: Answers = {
      getCryptoAccountDetails: () => payoutDetails({ btc_address: address }),
      saveCryptoAccountDetails: () => ({ ok: true }),
    }
    page = await renderPage(<CryptoAccountDetailsScreen />, { answers, profile })
    return page
  }

  it('the address is copied without the spaces of its display, with a note for 650 ms', async () => {
    const written = vi.fn(async () => {})
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written)
    const { timers } = await open(ADDRESS)
    await pressButton('Copy address')
    expect(written).toHaveBeenCalledWith(ADDRESS)
    timers.pass(649)
    expect(hasButton('Copied')).toBe(true)
    timers.pass(1)
    expect(hasButton('Copied')).toBe(false)
  })

  it('an address of the network is saved with the password', async () => {
    const { calls } = await open(null)
    await pressButton('Edit')
    expect(button('Save').disabled).toBe(true)
    await fill('Bitcoin address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
    await fill('Password', PASSWORD)
    expect(button('Save').disabled).toBe(true)
    await fill('Bitcoin address', ` ${ADDRESS} `)
    await submit()
    expect(calls('saveCryptoAccountDetails')).toEqual([{ btc_address: ADDRESS, password: PASSWORD }])
    expect(text()).toContain('Your bitcoin address has been saved.')
  })

  it('the form makes no call if only the password was filled in', async () => {
    const { calls } = await open(ADDRESS)
    await pressButton('Edit')
    await fill('Password', PASSWORD)
    await submit()
    expect(calls('saveCryptoAccountDetails')).toEqual([])
    expect(hasButton('Edit')).toBe(true)
  })

  it('a social account saves its bitcoin address with a code, and cannot edit it without two-factor', async () => {
    const social = await open(ADDRESS, { is_social_account: true })
    expect(hasButton('Edit')).toBe(false)
    expect(document.querySelector('a[href="/settings/profile-and-settings/security"]')).not.toBeNull()
    social.unmount()

    const { calls } = await open(null, { is_social_account: true, is_two_fa_enabled: true })
    await pressButton('Edit')
    await fill('Bitcoin address', ADDRESS)
    await fill('Authenticator code', '012345')
    await submit()
    expect(calls('saveCryptoAccountDetails')).toEqual([{ btc_address: ADDRESS, twofa_code: '012345' }])
  })
})
