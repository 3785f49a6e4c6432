import { expect, type Page, test } from '@playwright/test'
import { callAs, forgetLimits, pressByKey, SETTINGS } from './account.ts'
import { expectNoFaults, goToMonday, lineAt, order, randomLines } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, openDraw, payFromTestWallet, playButton } from './player.ts'

const PLAYS = '**/api/v1/games/bitcoin-hero/plays?**'

/** Checks for sentences of the specification on the page in its current state. */
async function expectTexts(page: Page, state: string, texts: readonly (string | RegExp)[]): Promise<void> {
  const main = page.getByRole('main')
  for (const text of texts) await expect.soft(main, `${state}: ${String(text)}`).toContainText(text)
}

// Texts checked elsewhere are not repeated here: the steps of how to play, and error messages.
test('the specification’s texts are on their pages, in their states', async ({ page }) => {
  test.setTimeout(180_000)
  await forgetLimits(page)
  await goToMonday(page)
  const draw = await openDraw(page)

  // A visitor.
  await moveClock(page, { to: draw.start_at - 3000 })
  for (const [path, texts] of [
    ['/', ['PLAY FOR £1', 'WATCH THE DRAWS', 'CHECK RESULTS', 'Days', 'Hours', 'Mins', 'Sec', 'Bitcoin Hero', '£20K']],
    // Hero is drawn at six, which is not after six; Ether Lotto on the evening of a Monday.
    ['/', ['Draw: Today at 6:00 PM', /Ether Lotto.*Tonight.*8:30 PM/, /Bitcoin Lotto.*Wednesday.*8:00 PM/]],
    ['/', ['80% prize pool', '50–60%', '15% of the collected funds', 'within an hour', 'Play from anywhere']],
    [GAME, ['Log in To Play', 'Jackpot', 'Free ticket', 'WATCH THE DRAWS', 'Days', 'Hours', 'Mins', 'Sec']],
    [`${GAME}/watch`, ['PLAY THE GAME', 'CHECK PREVIOUS RESULTS', 'Jackpot', 'Free ticket']],
    [`${GAME}/draws`, ['Bitcoin Hero Results', 'Draw History', 'How to claim your prize', 'CSV']],
    ['/game/mega-ball/draws', ['Mega Ball Results', 'No draw history yet.']],
    ['/how-to-claim', ['There is nothing to claim', 'within an hour', '180 days', 'Crypto account details']],
    ['/page-not-found', ["You didn't break the Internet, but we can't find what you are looking for."]],
  ] as const) {
    if (new URL(page.url()).pathname !== path) await page.goto(path)
    if (path === '/game/mega-ball/draws') {
      // The draw exists if an earlier journey passed a Friday.
      const { results } = (await (await page.request.get('/api/v1/games/mega-ball/draws')).json()) as { results: [] }
      if (results.length > 0) continue
    }
    await expectTexts(page, path, texts)
  }
  const bar = page.getByRole('banner')
  for (const name of ['Games', 'Results']) await expect(bar.getByRole('button', { name })).toBeVisible()
  for (const name of ['Watch The Draws', 'LOG IN']) await expect(bar.getByRole('link', { name })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Test mode' })).toContainText(
    'Test network: test bitcoin only, never real bitcoin.',
  )
  for (const text of ['Games are promoted by a licensed company. Players must be 18 or over.', 'spending limit'])
    await expect(page.getByRole('contentinfo')).toContainText(text)

  // A new player.
  await arriveAsPlayer(page, `${GAME}/results`)
  await expectTexts(page, 'results, empty', [
    'Wins',
    'No winning matches so far.',
    'Number Matches',
    'No played games.',
    'Check my Numbers',
    'Draw History',
  ])
  await expectNoFaults(page, 'results, empty')
  await page.goto('/settings/general/tickets')
  await expectTexts(page, 'my tickets, none', ['No tickets yet.', 'See all games'])
  await page.goto('/settings/general/my-games')
  await expectTexts(page, 'my games, none', ['No games played yet.'])
  await page.goto(SETTINGS.messages)
  await expectTexts(page, 'messages, none', ['No messages.'])
  await page.goto('/settings/funds-and-payments/balance')
  await expectTexts(page, 'balance, none', ['Nothing is waiting. You have been paid £0.00 so far.'])
  await page.goto('/settings/funds-and-payments/transaction-history')
  await expectTexts(page, 'transactions, none', ['There are no recent transactions to display.'])
  await bar.getByRole('button', { name: /signed in as/ }).click()
  for (const entry of [
    'My tickets',
    'Balance',
    'My profile',
    'My games',
    'Crypto account details',
    'Messages',
    'Log Out',
  ])
    await expect(bar.getByText(entry, { exact: true })).toBeVisible()

  // Choosing numbers.
  await page.goto(`${GAME}/lucky-dips/2`)
  await expectTexts(page, 'play', [
    'Your email is not verified! Please check you mail inbox or resend email',
    'Step 1 of 3',
    'Quick Lucky Dip',
    'Lucky dip',
  ])
  await page.getByRole('button', { name: 'Choose numbers of line C' }).click()
  const picker = page.getByRole('dialog')
  for (const text of ['SELECT NUMBERS', '0 of 5', 'Clear All', 'CONFIRM']) await expect.soft(picker).toContainText(text)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'How to play' }).click()
  for (const text of ['1 of 6', 'NEXT']) await expect.soft(picker).toContainText(text)
  await expectNoFaults(page, 'how to play')
  await page.keyboard.press('Escape')
  await moveClock(page, { to: draw.ticket_sell_closes_at + 10 })
  await page.reload()
  await expectTexts(page, 'play, sales closed', [
    'Tickets bought in the last 5 minutes before the draw count for the next draw.',
  ])
  await playButton(page).click()
  await expectTexts(page, 'payment method', ['Step 2 of 3', 'Bitcoin', 'How to pay with bitcoin'])

  // Paying: the answer is delayed, then the order is unpaid, then paid.
  const id = await order(page, { lines: [lineAt(0), ...randomLines(998)], days: [2] })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/v1/payment?**', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${GAME}?transaction_id=${id}`)
  await expectTexts(page, 'payment, asked', ['Step 3 of 3', 'Checking payment status'])
  release()
  await expectTexts(page, 'payment, waiting', ['Transaction still processing', '10-30 minutes to confirm'])
  await expectTexts(page, 'payment, waiting', ['Play More', 'Go to payment'])
  await expectNoFaults(page, 'payment, waiting')
  await payFromTestWallet(page, { transaction_id: id })
  await page.reload()
  await expectTexts(page, 'payment, confirmed', ['Payment confirmed!', 'Play More', 'Check Your Numbers'])

  // The draw of today, then that of tomorrow, which the player is in.
  await page.goto(`${GAME}/watch`)
  await expectTexts(page, 'watch, sales closed', ['STARTS SOON'])
  await moveClock(page, { to: draw.start_at + 5 })
  await page.reload()
  await expectTexts(page, 'watch, live', ['LIVE', 'being drawn'])
  await moveClock(page, { to: draw.end_at + 5 })
  await page.reload()
  await expectTexts(page, 'watch, ended', ['ENDED', 'CHECK RESULTS'])
  await page.goto(GAME)
  await expectTexts(page, 'play, draw ended', ['CHECK DRAW HISTORY', 'Drawn at', 'Next draw: '])
  await page.goto(`${GAME}/results`)
  await expectTexts(page, 'results, waiting', ['Bitcoin Hero Results', 'Upcoming draw', 'WATCH DRAW'])
  await page.goto(`${GAME}/draws`)
  await expectTexts(page, 'draw history', ['Jackpot', '- - - - -'])
  await moveClock(page, { to: draw.end_at + 86_400 + 605 })
  await page.goto(`${GAME}/results`)
  await expectTexts(page, 'results, won', ['You win a prize', 'CLAIM', 'More details', 'Prize', 'Free ticket'])
  await page.goto(GAME)
  await expectTexts(page, 'play, days passed', ['Some days cannot be chosen because they have passed.'])
  await expectTexts(page, 'play, played', ['Last played numbers', 'Free tickets won'])
  await page.goto('/settings/general/my-games')
  await expectTexts(page, 'my games', ['Bitcoin Hero', 'Play', 'Check Results'])
  await page.goto(SETTINGS.messages)
  const message = page.getByRole('main').getByRole('button', { name: /^You won .* in Bitcoin Hero/ })
  await pressByKey(page, message)
  await expectTexts(page, 'messages, read', ['Mark as Unread'])
  await expectNoFaults(page, 'messages, one open')
  await page.getByRole('button', { name: 'Mark as Unread' }).click()
  await expectTexts(page, 'messages', ['Mark as Read', 'Mark all as read'])

  // Outcomes that depend on luck: the real answer with changes.
  const { data } = (await callAs(page, 'GET', '/games/bitcoin-hero/plays')) as { data: { results: object[] } }
  const outcomes = [
    { is_win: true, win_type: 'JACKPOT', is_claimed: false, text: 'You win the jackpot!' },
    { is_win: true, win_type: 'JACKPOT', is_claimed: true, text: 'The jackpot is won and claimed' },
    { is_win: true, win_type: 'PRIZE', is_claimed: true, text: 'The prize is won and claimed' },
    { is_win: false, win_type: null, is_claimed: false, text: 'No match' },
  ]
  await page.route(PLAYS, (route) =>
    route.fulfill({
      json: {
        ok: true,
        data: {
          total_pages: 1,
          results: outcomes.map(({ is_win, win_type, is_claimed }, place) => ({
            ...data.results[0],
            is_win,
            win_type,
            is_claimed,
            id: `00000000-0000-4000-8000-00000000000${place}`,
          })),
        },
      },
    }),
  )
  await page.goto(`${GAME}/results`)
  await expectTexts(
    page,
    'results, changed answers',
    outcomes.map(({ text }) => text),
  )
})
