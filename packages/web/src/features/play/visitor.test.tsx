import { expect, it } from 'vitest'
import {
  choose,
  dialog,
  GAME,
  lines,
  linkTo,
  NOW,
  open,
  page,
  reload,
  setUpPlayPage,
} from '../../testing/play-page.tsx'
import { hasButton, pass, pressButton, text } from '../../testing/render-page.tsx'
import { Tab } from '../../testing/tab.tsx'

setUpPlayPage()

const VISITOR = { profile: null }
const kept = () => localStorage.getItem('fairball.visitor-order')

it('a visitor picks lines without days, weeks, a total or Play, and sees how long they are kept', async () => {
  await open(VISITOR)
  expect(text()).toContain('Pick your numbers')
  expect(text()).not.toContain('Kept in this browser')
  await choose('A', 1, 2, 3, 4, 5)
  await pressButton('Lucky dip for line B')
  expect(lines()).toHaveLength(3)
  expect(text()).toContain('Kept in this browser for 24 hours. Log in or open an account to play them.')
  for (const words of ['Draw days', 'Weeks', 'Total', 'Save numbers', 'Quick Lucky Dip'])
    expect(text()).not.toContain(words)
  expect(hasButton('Play')).toBe(false)
  expect(linkTo('Log in To Play')).toBe('/login?path=/game/bitcoin-hero')
  expect(page.calls('quotePayment')).toEqual([])
  expect(JSON.parse(kept() ?? '')).toMatchObject({
    game: 'bitcoin-hero',
    saved_at: NOW,
    lines: [{ isLuckyDip: false, numbers: [1, 2, 3, 4, 5] }, { isLuckyDip: true }],
  })
})

it('the lines are there again after a reload and in another tab, until the last one is deleted', async () => {
  await open(VISITOR)
  await choose('A', 1, 2, 3, 4, 5)
  await reload({ ...VISITOR, tab: new Tab(GAME) })
  expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
  await pressButton('Delete line A')
  expect(kept()).toBeNull()
})

it('lucky dips of the address are added to the card once, and the address becomes the game’s', async () => {
  await open({ ...VISITOR, props: { luckyDips: 3 }, tab: new Tab(`${GAME}/lucky-dips/3`) })
  expect(lines()).toHaveLength(4)
  expect(page.tab.entries).toEqual([GAME])
  await reload({ ...VISITOR, tab: new Tab(GAME) })
  expect(lines()).toHaveLength(4)
})

it('the first player who signs in has the lines once, after those of an order that was begun', async () => {
  await open()
  await choose('A', 6, 7, 8, 9, 10)
  page.unmount()
  localStorage.setItem(
    'fairball.visitor-order',
    JSON.stringify({
      game: 'bitcoin-hero',
      saved_at: NOW,
      lines: [
        { isLuckyDip: false, numbers: [1, 2, 3, 4, 5] },
        { isLuckyDip: true, numbers: [11, 12, 13, 14, 15] },
      ],
    }),
  )
  await open()
  expect(text()).toContain('Step 1 of 3')
  expect(text()).toContain('Your 2 lines are here.')
  expect(lines()).toEqual([[6, 7, 8, 9, 10], [1, 2, 3, 4, 5], [11, 12, 13, 14, 15], []])
  expect(document.querySelector('input[aria-label="Lucky dip lines"]')).toMatchObject({ value: '1' })
  expect(kept()).toBeNull()
  // Only once: a reload has them in the order that was begun.
  await reload()
  expect(lines()).toHaveLength(4)
  expect(text()).not.toContain('lines are here')
  // Another player has none of them.
  page.unmount()
  await open({ profile: { username: 'someone-else' } })
  expect(lines()).toEqual([[]])
})

it('while a game is not on sale, and for an order being paid, there is nothing to pick', async () => {
  await open({ ...VISITOR, game: { sales_note: 'Not yet.' } })
  expect(text()).not.toContain('Pick your numbers')
  page.unmount()
  await open({ ...VISITOR, props: { transactionId: 'order-1' } })
  await pass(10)
  expect(text()).not.toContain('Pick your numbers')
  expect(dialog()).toBeNull()
})
