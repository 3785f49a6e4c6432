import { ApiError } from '@fairball/contract/client'
import type { CryptoAccountDetails } from '@fairball/contract/schemas/account'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { payoutDetails } from '../../testing/payout-details.ts'
import { control, fill, hasButton, pressButton, renderPage, submit, text, tick } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { CryptoAccountDetailsScreen } from './crypto-account-details-screen.tsx'

const PASSWORD = 'Correct-Horse-7'
const ANNA = 'anna@wallet.example'
const OFFER = 'lno1zcss9mk8y3wkklfvevcrszlmu23kfrxh49px20665dqwmn4p72pksese'
/** Nov 25, 2026, 8:00 PM. */
const NOW = Date.UTC(2026, 10, 25, 20) / 1000

let page: RenderedPage | null = null
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

const lightning = (changes: object = {}) => ({ kind: 'ADDRESS' as const, value: ANNA, usable_from: NOW, ...changes })

/** The page; what is saved is read again from `saved`, which a test changes. */
async function open(details: Partial<CryptoAccountDetails>, answers: Answers = {}) {
  const server = { saved: payoutDetails({ lightning_kinds: ['ADDRESS'], ...details }) }
  page = await renderPage(<CryptoAccountDetailsScreen />, {
    startedAt: NOW,
    answers: {
      getCryptoAccountDetails: () => server.saved,
      saveCryptoAccountDetails: () => ({ ok: true }),
      ...answers,
    },
  })
  return { server, calls: page.calls }
}

describe('the Lightning address', () => {
  it('the first one is saved with the password, and the page then shows it and the choice of the way', async () => {
    const { server, calls } = await open({})
    expect(text()).toContain('No Lightning address is saved.')
    expect(text()).not.toContain('Pay me first by')
    await pressButton('Add a Lightning address')
    expect(document.activeElement).toBe(control('Lightning address'))
    await fill('Lightning address', ` ${ANNA} `)
    await fill('Password', PASSWORD)
    server.saved = payoutDetails({ lightning_kinds: ['ADDRESS'], lightning: lightning() })
    await submit()
    expect(calls('saveCryptoAccountDetails')).toEqual([{ lightning: ANNA, password: PASSWORD }])
    expect(text()).toContain('Your Lightning address has been saved.')
    expect(text()).toContain(ANNA)
    expect(text()).toContain('Pay me first by')
    expect(text()).toContain('Anything too large for Lightning is held until you add one.')
  })

  it('a text that is no address is not sent', async () => {
    const { calls } = await open({})
    await pressButton('Add a Lightning address')
    await fill('Password', PASSWORD)
    for (const wrong of ['anna', 'anna@wallet', 'anna@10.0.0.1', 'anna@wallet.example:8443']) {
      await fill('Lightning address', wrong)
      await submit()
    }
    expect(calls('saveCryptoAccountDetails')).toEqual([])
  })

  it('the reason of a refusal is at the field', async () => {
    const message = 'The wallet’s server knows no such Lightning address.'
    await open(
      {},
      {
        saveCryptoAccountDetails: () => {
          throw new ApiError({ status: 400, code: 'INVALID_LIGHTNING_DESTINATION', message })
        },
      },
    )
    await pressButton('Add a Lightning address')
    await fill('Lightning address', ANNA)
    await fill('Password', PASSWORD)
    await submit()
    const field = control('Lightning address')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(text()).toContain(message)
  })

  it('a check that takes long is announced', async () => {
    await open({}, { saveCryptoAccountDetails: () => new Promise<never>(() => undefined) })
    await pressButton('Add a Lightning address')
    await fill('Lightning address', ANNA)
    await fill('Password', PASSWORD)
    await submit()
    expect([...document.querySelectorAll('[role="status"]')].map((one) => one.textContent)).toContain(
      'Asking your wallet. This can take 10 seconds.',
    )
  })

  it('a changed one says from when it is used', async () => {
    await open({ lightning: lightning({ usable_from: NOW + 86_400 }) })
    expect(text()).toContain(
      'The new Lightning address is used from Thu, Nov 26, 8:00 PM. Until then you’re paid as before.',
    )
  })

  it('an empty one removes what is saved', async () => {
    const { server, calls } = await open({ btc_address: 'bcrt1qexample', lightning: lightning() })
    expect(text()).not.toContain('is used from Thu')
    await pressButton('Change the Lightning address')
    await fill('Lightning address', '')
    await fill('Password', PASSWORD)
    expect(hasButton('Remove')).toBe(true)
    server.saved = payoutDetails({ btc_address: 'bcrt1qexample', lightning_kinds: ['ADDRESS'] })
    await submit()
    expect(calls('saveCryptoAccountDetails')).toEqual([{ lightning: null, password: PASSWORD }])
    expect(text()).toContain('Your Lightning address has been removed.')
    expect(text()).not.toContain('Pay me first by')
  })

  it('an offer is taken only where it can be paid', async () => {
    await open({ lightning_kinds: ['ADDRESS', 'OFFER'] })
    await pressButton('Add a Lightning address')
    expect(text()).toContain('An offer (starts with lno1) works too.')
    await fill('Lightning address', OFFER)
    await fill('Password', PASSWORD)
    await submit()
    expect(page?.calls('saveCryptoAccountDetails')).toEqual([{ lightning: OFFER, password: PASSWORD }])
  })

  it('nothing of Lightning is there if payouts leave on the chain alone', async () => {
    await open({ lightning_kinds: [] })
    expect(text()).not.toContain('Lightning')
  })
})

describe('the way that is paid first', () => {
  it('is changed with the password, and says from when it applies', async () => {
    const both = { btc_address: 'bcrt1qexample', lightning: lightning() }
    const { server, calls } = await open({ ...both, pay_first: 'ONCHAIN', pay_first_from: NOW })
    await pressButton('Change the way you’re paid first')
    const choice = control('Lightning') as HTMLInputElement
    expect([choice.type, choice.checked]).toEqual(['radio', false])
    await tick('Lightning')
    await fill('Password', PASSWORD)
    server.saved = payoutDetails({ ...both, pay_first: 'LIGHTNING', pay_first_from: NOW + 86_400 })
    await submit()
    expect(calls('saveCryptoAccountDetails')).toEqual([{ pay_first: 'LIGHTNING', password: PASSWORD }])
    expect(text()).toContain('This applies from Thu, Nov 26, 8:00 PM. Until then you’re paid as before.')
  })

  it.each([
    ['Bitcoin', { btc_address: 'bcrt1qexample' }],
    ['Lightning', { btc_address: null }],
  ])('without a choice it is %s', async (way, details) => {
    await open({ lightning: lightning(), ...details })
    expect(text()).toContain(`First choice${way}`)
  })
})
