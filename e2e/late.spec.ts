import { expect, test } from '@playwright/test'
import { callAs, forgetLimits, SETTINGS } from './account.ts'
import { expectNoFaults, lineAt, order } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, numbersOn, openDraw, payFromTestWallet, PICK, playButton } from './player.ts'

test(
  'two browsers watch a draw without the lines of a late payment, which play in the next draw',
  { tag: '@variant' },
  async ({ browser, page }) => {
    test.setTimeout(90_000)
    await forgetLimits(page)
    const draw = await openDraw(page)
    const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
    const early = await browser.newPage()
    const visitor = await browser.newPage()

    // One player is in the draw; another has an unpaid order for it.
    await arriveAsPlayer(early, GAME)
    await payFromTestWallet(early, { transaction_id: await order(early, { lines: [lineAt(0)], days: [weekday] }) })
    await moveClock(page, { to: draw.ticket_sell_closes_at - 120 })
    await arriveAsPlayer(page, GAME)
    const late = await order(page, { lines: [lineAt(1)], days: [weekday] })

    await moveClock(page, { to: draw.ticket_sell_closes_at + 30 })
    await Promise.all([early.goto(`${GAME}/watch`), visitor.goto(`${GAME}/watch`)])
    for (const watching of [early, visitor])
      await expect(watching.getByRole('status').getByText('STARTS SOON', { exact: true })).toBeVisible()

    await page.goto(`/checkout/${late}`)
    await page.getByRole('button', { name: /test bitcoin/i }).click()
    await page.waitForURL(/transaction_id=/)
    await expect(page.getByRole('heading', { name: 'Payment confirmed!' })).toBeVisible()
    const moved = page.getByText(/^Draw \d+ closed first\. Those lines are now in draw \d+: /)
    const [, from = '', to = ''] = /Draw (\d+) .* draw (\d+): /.exec((await moved.textContent()) ?? '') ?? []
    await expect(page.getByText('You pay nothing more. A message says the same.')).toBeVisible()
    await expectNoFaults(page, 'payment confirmed late')

    // A player who chooses numbers now sees a note.
    await page.goto(`${GAME}/lucky-dips/1`)
    await expect(
      page.getByText('Tickets bought in the last 5 minutes before the draw count for the next draw.'),
    ).toBeVisible()
    await expect(playButton(page)).toBeEnabled()
    await expectNoFaults(page, 'play, sales closed')

    await moveClock(page, { to: draw.start_at + 30 })
    for (const watching of [early, visitor])
      await expect(watching.getByRole('status').getByText('LIVE', { exact: true })).toBeVisible()
    await expect(early.getByRole('heading', { name: 'Your 1 line' })).toBeVisible()
    await expect(visitor.getByRole('heading', { name: /^Your /u })).toHaveCount(0)
    await moveClock(page, { to: draw.end_at + 5 })
    const seen: number[][] = []
    for (const watching of [early, visitor]) {
      await expect(watching.getByRole('status').getByText('ENDED', { exact: true })).toBeVisible()
      seen.push(await numbersOn(watching.getByRole('list', { name: 'Numbers of this draw' })))
    }
    expect(seen[0]).toHaveLength(PICK)
    expect(seen[1]).toEqual(seen[0])

    await page.goto(`${GAME}/results`)
    const plays = page.getByRole('region', { name: 'Number Matches' }).getByRole('article')
    await expect(plays).toHaveCount(1)
    await expect(plays.getByText('Upcoming draw', { exact: true })).toBeVisible()
    await early.goto(`${GAME}/results`)
    const early1 = early.getByRole('region', { name: 'Number Matches' }).getByRole('article')
    await expect(early1).toHaveCount(1)
    await expect(early1.getByText('Upcoming draw', { exact: true })).toHaveCount(0)
    const { results } = (await callAs(page, 'GET', '/games/bitcoin-hero/plays').then(
      (answer) => (answer as { data: unknown }).data,
    )) as { results: { date: number }[] }
    expect(results[0]?.date).toBeGreaterThan(draw.start_at)

    // Two messages: the order is paid, and its lines are in another draw.
    const startAt = new Date((results[0]?.date ?? 0) * 1000)
    const inLondon = (options: Intl.DateTimeFormatOptions): string =>
      startAt.toLocaleString('en-US', { ...options, timeZone: 'Europe/London' })
    const date = inLondon({ weekday: 'short', month: 'short', day: 'numeric' })
    const time = inLondon({ hour: 'numeric', minute: '2-digit' })
    const instead = `in draw ${to} on ${date}, ${time} (London) instead of draw ${from}.`
    await page.goto(SETTINGS.messages)
    const messages = page.getByRole('main')
    await messages.getByRole('button', { name: /^Your Bitcoin Hero lines moved to a later draw/ }).click()
    await expect(
      messages.getByText(
        `Your payment was confirmed after sales for draw ${from} of Bitcoin Hero had closed, so your lines play later: ${instead}`,
      ),
    ).toBeVisible()
    await expect(messages.getByText('You pay nothing more, and nothing is lost.')).toBeVisible()
    await messages.getByRole('button', { name: /^Your Bitcoin Hero numbers are in/ }).click()
    await expect(
      messages.getByText(
        `We received £1.00 (0.00001000 BTC) for your Bitcoin Hero order. It was confirmed after sales for draw ${from} had closed, so those lines play later: ${instead}`,
      ),
    ).toBeVisible()
    await Promise.all([early.close(), visitor.close()])
  },
)
