import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { changingGame } from '../../testing/changing-game.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import { days, dialog, linkTo, open, page, refuse, reload, setUpPlayPage, START } from '../../testing/play-page.tsx'
import { alerts, button, hasButton, pass, pressButton, text, tick } from '../../testing/render-page.tsx'

/** Why a game is not on sale. */
const NOTE = 'Back on Monday'

setUpPlayPage()

describe('a game’s page for visitors', () => {
  it('the page for visitors shows the game, its prizes and the login, without a form', async () => {
    await open({ profile: null })
    expect(text()).toContain('Numbers on a line5 from 36')
    expect(text()).toContain('Ticket price£1.00')
    expect(text()).toContain('DrawsEvery day at 6:00 PM')
    expect(text()).toContain('Sales close5 minutes before the draw')
    expect(text()).toContain('Match 51 in 376,992Jackpot')
    expect(text()).toContain('Match 4')
    expect(text()).toContain('£300.00')
    expect(text()).toContain('Free ticket')
    expect(linkTo('Log in To Play')).toBe('/login?path=/game/bitcoin-hero')
    expect(hasButton('Play')).toBe(false)
    expect(document.getElementById('game-settings-block')).not.toBeNull()
  })

  it.each([
    [1, '1 week'],
    [2, 'up to 2 weeks'],
  ])('a game that is sold for %d weeks ahead can be played for %s', async (weeks, words) => {
    const purchase = { days: heroGame(START).advanced_ticket_purchase.days, max_weeks_ahead: weeks }
    await open({ profile: null, game: { advanced_ticket_purchase: purchase } })
    expect(text()).toContain(`Can be played for${words}`)
  })

  it('the price of a game in another currency is shown in both', async () => {
    await open({ profile: null, game: { currency: 'JPY' } })
    expect(text()).toContain('Ticket price190.00\u00A0¥, now £1.00')
  })

  it('while the game is not on sale, the page says why and has no link to play', async () => {
    await open({ profile: null, game: { is_on_sale: false, sales_note: NOTE } })
    expect(text()).toContain(NOTE)
    expect(text()).not.toContain('Log in To Play')
    await reload({ game: { is_on_sale: false, sales_note: NOTE } })
    expect(text()).toContain(NOTE)
    expect(hasButton('Play')).toBe(false)
  })

  it('the login leads back to the lucky dips or the payment in the address', async () => {
    await open({ profile: null, props: { luckyDips: 3 } })
    expect(linkTo('Log in To Play')).toBe('/login?path=/game/bitcoin-hero/lucky-dips/3')
    page.unmount()
    await open({ profile: null, props: { transactionId: 'order-1' } })
    expect(text()).toContain('Log in to see this payment.')
    expect(linkTo('Log in To Play')).toBe('/login?path=/game/bitcoin-hero%3Ftransaction_id%3Dorder-1')
  })
})

describe('a game that changes', () => {
  it('the page says what changes, from which draw and date, and what announced it', async () => {
    const { change, versions, openDraws } = changingGame(START, 5)
    const answers = { getGameVersions: () => versions, getOpenDraws: () => openDraws }
    for (const profile of [null, {}]) {
      await open({ profile, game: { change }, answers })
      await pass(50)
      expect(text()).toContain('Bitcoin Hero changes from draw 5, Wed, Nov 25. Draws before it keep their price')
      expect(text()).toContain('A line costs £1.50 instead of £1.00.')
      expect(text()).toContain(change?.statement)
      expect(linkTo('All rules and their versions')).toBe('/fairness#games')
      page.unmount()
    }
    await open({ game: {} })
    expect(text()).not.toContain('All rules and their versions')
  })

  it('the page of a game that ends names its last draw', async () => {
    const { change, versions, openDraws } = changingGame(START, 5)
    const answers = { getGameVersions: () => versions, getOpenDraws: () => openDraws }
    await open({ profile: null, game: { change: change && { ...change, kinds: ['retire'] } }, answers })
    await pass(50)
    expect(text()).toContain(
      'Bitcoin Hero comes to an end. Draw 4 is its last: none starts after Nov 25, 2026 at 5:59 PM.',
    )
  })

  it('the page of a game that has ended leads to its draws', async () => {
    const ended = { key: 'old-game', name: 'Old Game', color: '#FF9A1F', retired_at: 1, into: 'bitcoin-hero' }
    await open({ props: { gameKey: 'old-game' }, answers: { getRetiredGames: () => [ended] } })
    await pass(50)
    expect(text()).toContain('Old Game has ended')
    expect(linkTo('Draw history')).toBe('/game/old-game/draws')
  })
})

describe('the head of a game’s page', () => {
  it.each([
    ['long before the draw', START - 3601, []],
    ['an hour before the start', START - 3600, ['WATCH THE DRAWS']],
    ['while it is drawn', START + 159, ['WATCH THE DRAWS']],
    ['after the end', START + 160, ['CHECK DRAW HISTORY']],
  ])('the head of a game’s page has the right buttons %s', async (_when, at, expected) => {
    vi.setSystemTime(at * 1000)
    await open({ profile: null })
    const shown = ['WATCH THE DRAWS', 'CHECK DRAW HISTORY'].filter((name) => linkTo(name) !== undefined)
    expect(shown).toEqual(expected)
    expect(document.querySelector('[role="timer"]')?.textContent).toMatch(/^\d\dDays\d\dHours\d\dMins\d\dSec$/)
  })

  it.each([
    [
      '3 minutes before the draw',
      START - 180,
      'This draw is closed. Your ticket counts for Sun, Nov 22, 6:00 PM.',
      '01Days00Hours03Mins00Sec',
    ],
    [
      'a second after its start',
      START + 1,
      'Being drawn now. Next draw: Sunday at 6:00 PM',
      '00Days23Hours59Mins59Sec',
    ],
    ['9 minutes after it', START + 540, 'Drawn at 6:00 PM. Next draw: Sunday at 6:00 PM', '00Days23Hours51Mins00Sec'],
  ])('the head of a game’s page names the draw that tickets count for %s', async (_when, at, sentence, left) => {
    vi.setSystemTime(at * 1000)
    const dayAfter = { ...drawAt(START + 2 * 86_400), number: 3 }
    const tomorrow = { ...drawAt(START + 86_400), number: 2 }
    await open({ game: { open_draws: [tomorrow, dayAfter] } })
    expect(document.querySelector('header')?.textContent).toContain(sentence)
    expect(document.querySelector('[role="timer"]')?.textContent).toBe(left)
    expect(days().slice(-2)).toEqual(['Saturday: counts for Mon, Nov 23', 'Sunday, Nov 22 chosen'])
    await tick('Sunday, Nov 22')
    await tick('Saturday: counts for Sun, Nov 22')
    expect(days().slice(-2)).toEqual(['Saturday: counts for Sun, Nov 22 chosen', 'Sunday, Nov 22'])
    expect(text()).not.toContain('Soon')
    // The only day left of this week is today, and it counts for tomorrow's draw.
    page.unmount()
    sessionStorage.clear()
    vi.setSystemTime((at + 86_400) * 1000)
    await open({ game: { next_draw: tomorrow, open_draws: [tomorrow, dayAfter] } })
    expect(days().slice(-1)).toEqual(['Sunday: counts for Mon, Nov 23 chosen'])
  })

  it('the page moves to the next draw at the close of sales without fetching the games', async () => {
    vi.setSystemTime((START - 301) * 1000)
    await open()
    expect(document.querySelector('header')?.textContent).toContain('draw: Today at 6:00 PM')
    await pass(1_000)
    expect(document.querySelector('header')?.textContent).toContain('Your ticket counts for Sun, Nov 22, 6:00 PM.')
  })

  it('the page explains the game in six steps with a counter and a bar', async () => {
    await open()
    await pressButton('How to play')
    const seen: string[] = []
    for (let step = 1; step <= 6; step += 1) {
      expect(dialog()?.textContent).toContain(`${step} of 6`)
      expect(dialog()?.querySelector('[role="progressbar"]')?.getAttribute('aria-valuenow')).toBe(String(step))
      expect(hasButton('Previous')).toBe(step > 1)
      expect(hasButton('GOT IT')).toBe(step === 6)
      seen.push(dialog()?.querySelector('h3 + p')?.textContent ?? '')
      if (step < 6) await pressButton('NEXT')
    }
    expect(seen[4]).toBe("Choose for how many weeks; 1 is this week's draw, up to 2.")
    expect(seen[5]).toContain('After pressing play you must sign in before confirming.')
    await pressButton('Previous')
    expect(dialog()?.textContent).toContain('5 of 6')
    await pressButton('NEXT')
    await pressButton('GOT IT')
    expect(dialog()).toBeNull()
  })

  it('the focus stays in the explanation when Previous disappears', async () => {
    await open()
    await pressButton('How to play')
    await pressButton('NEXT')
    act(() => button('Previous').focus())
    await pressButton('Previous')
    expect(document.activeElement).toBe(button('NEXT'))
  })
})

describe('the banner of an unverified email', () => {
  it('the banner has the specification’s words, and sends the email again', async () => {
    await open({ profile: { is_email_verified: false }, answers: { resendVerificationEmail: () => ({ ok: true }) } })
    expect(text()).toContain('Your email is not verified! Please check you mail inbox or resend email')
    await pressButton('resend email')
    expect(page.calls('resendVerificationEmail')).toHaveLength(1)
    expect(text()).toContain('The email is on its way.')
  })

  it('the banner stays, with the reason, if the email cannot be sent', async () => {
    const resendVerificationEmail = refuse(429, 'TOO_MANY_REQUESTS')
    await open({ profile: { is_email_verified: false }, answers: { resendVerificationEmail } })
    await pressButton('resend email')
    expect(alerts().join()).toContain('Your email is not verified! Please check you mail inbox or resend email')
  })

  it('the banner is hidden from players with a verified email, and from visitors', async () => {
    await open()
    expect(text()).not.toContain('Your email is not verified!')
    page.unmount()
    await open({ profile: null })
    expect(text()).not.toContain('Your email is not verified!')
  })
})
