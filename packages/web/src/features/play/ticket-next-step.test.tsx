import { describe, expect, it, vi } from 'vitest'
import { drawAt } from '../../testing/hero-game.ts'
import { card, openPaid, ordered, shown } from '../../testing/paid-page.tsx'
import { linkTo, NOW, page, setUpPlayPage } from '../../testing/play-page.tsx'
import type { Setting } from '../../testing/play-page.tsx'
import { payoutDetails } from '../../testing/payout-details.ts'
import { fill, hasButton, pressButton, submit } from '../../testing/render-page.tsx'

setUpPlayPage()

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

const primary = () => [...document.querySelectorAll('[class*="primary"]')].map((one) => one.textContent)

describe('what a paid order still needs', () => {
  it.each<[string, Setting, string]>([
    [
      'an address',
      { answers: { getCryptoAccountDetails: () => payoutDetails() }, profile: { is_email_verified: false } },
      'Save payout address',
    ],
    [
      'two-factor, for an address of an account without a password',
      { answers: { getCryptoAccountDetails: () => payoutDetails() }, profile: { is_social_account: true } },
      'Set up two-factor',
    ],
    ['a verified email', { profile: { is_email_verified: false } }, 'Resend email'],
    ['a look at its draw', { game: { next_draw: { ...drawAt(NOW + 3_000), number: 12 } } }, 'Watch live'],
    ['nothing but a date', {}, 'Add to calendar'],
  ])('what a paid order still needs is its one primary button: %s', async (_what, setting, name) => {
    await openPaid(ordered(1, 1), setting)
    await shown(() => hasButton(name) || linkTo(name) !== undefined)
    expect(primary()).toEqual([name])
    expect(hasButton('Add to calendar')).toBe(true)
  })

  it('a payout address is saved in place, and the next thing that is missing follows', async () => {
    const answers = {
      getCryptoAccountDetails: () => payoutDetails(),
      saveCryptoAccountDetails: () => ({ ok: true }) as never,
    }
    await openPaid(ordered(1, 1), { answers, profile: { is_email_verified: false } })
    await shown(() => card('Where should prizes go?') !== undefined)
    expect(card('Where should prizes go?')?.textContent).toContain('You can do this later. Winnings never expire.')
    expect(document.activeElement?.tagName).toBe('BODY')
    expect(hasButton('Cancel')).toBe(false)
    // The one primary button is disabled from the start.
    expect(card('Where should prizes go?')?.textContent).toContain('Still needed: Bitcoin address, Password.')
    await fill('Bitcoin address', ADDRESS)
    await fill('Password', 'Correct-horse7battery')
    await submit()
    expect(page.calls('saveCryptoAccountDetails')).toEqual([
      { btc_address: ADDRESS, password: 'Correct-horse7battery' },
    ])
    expect(primary()).toEqual(['Resend email'])
    expect(document.activeElement?.textContent).toBe('Your payout address has been saved.')
  })

  it.each([
    [
      'is offered',
      'where prizes can be sent to one',
      ['ADDRESS'],
      '/settings/funds-and-payments/crypto-account-details',
    ],
    ['is not offered', 'otherwise', [], undefined],
  ] as const)('a Lightning address %s as payout address %s', async (_offered, _when, kinds, address) => {
    const details = payoutDetails({ lightning_kinds: [...kinds] })
    await openPaid(ordered(1, 1), { answers: { getCryptoAccountDetails: () => details } })
    await shown(() => hasButton('Save payout address'))
    expect(linkTo('Add a Lightning address instead')).toBe(address)
  })

  it('the draws of a paid order are saved as a calendar file made in the browser', async () => {
    const files: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => (files.push(file as Blob), 'blob:file'))
    await openPaid(ordered(3, 2))
    await pressButton('Add to calendar')
    const file = await files[0]?.text()
    expect(file?.match(/UID:\S+/gu)).toEqual(['UID:bitcoin-hero-12@localhost', 'UID:bitcoin-hero-13@localhost'])
    expect(file).toContain('DESCRIPTION:3 lines. Watch: http://localhost/game/bitcoin-hero/watch')
  })
})
