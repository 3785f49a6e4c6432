import { fixedPlay } from '@fairball/domain/fairness/draw-fixture'
import type { DrawFixture } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { drawAt, heroGame } from '../testing/hero-game.ts'
import { pass, renderPage, text } from '../testing/render-page.tsx'
import type { RenderedPage } from '../testing/render-page.tsx'
import { standInForWorkers } from '../testing/worker-stand-in.ts'
import { fairnessMemory } from './memory.ts'
import { SealWatcher } from './seal-watcher.tsx'
import SealedNote from './sealed-note.tsx'

await standInForWorkers()

const ME = 'player-abc123'
const START = 1_800_086_400
const CLOSE = START - 600
const PLAY = 'play-1'

let page: RenderedPage
beforeEach(() => {
  vi.useFakeTimers({ now: (CLOSE - 5) * 1000 })
})
afterEach(() => {
  page.unmount()
  fairnessMemory().forget()
  vi.useRealTimers()
})

type ReceiptOf = (operator: OperatorFixture, draw: DrawFixture, closeHash: string, nextDraw: DrawFixture) => unknown

/** A page of a player with two lines in a draw that closes in five seconds by the server's clock, and in the one after it. */
const open = async (receiptOf: ReceiptOf) => {
  const operator = new OperatorFixture()
  const plays = [fixedPlay(ME, 2, { pick: 5, pool: 36 })]
  const draw = operator.open(1, plays, { game: 'bitcoin-hero', startAt: START })
  const nextDraw = operator.open(2, plays, { game: 'bitcoin-hero', startAt: START + 86_400 })
  let closeHash = ''
  page = await renderPage(
    <>
      <SealWatcher player={ME} />
      <SealedNote of={{ game: 'bitcoin-hero', startAt: START }} />
    </>,
    {
      answers: {
        getGames: () => [heroGame(START, { next_draw: { ...drawAt(START, 600), number: 1 } })],
        getPlays: () => ({
          ok: true,
          data: {
            results: [
              {
                id: PLAY,
                date: START,
                draw: null,
                tickets: draw.plays[0]?.lines.map((line) => [...line]) ?? [],
                is_win: false,
                win_type: null,
                is_claimed: false,
              },
            ],
            total_pages: 1,
          },
        }),
        getFairnessRecord: () => ({ notes: operator.notes.slice(2), witnesses: [], beacon: null }),
        getFairnessLog: ({ query }) => ({ notes: operator.notes.slice(Number(query?.from ?? 0)), next: null }),
        getRules: () => operator.textOfRules(draw),
        getReceipt: () => receiptOf(operator, draw, closeHash, nextDraw) as never,
      },
      startedAt: CLOSE - 5,
    },
  )
  return { close: () => (closeHash = operator.close(draw)) }
}

it('fetches the close when it is due, checks the player’s lines in it and says so, all before the draw', async () => {
  const { close } = await open((operator, draw, hash) => operator.receipt(draw, 0, hash))
  await pass(3000)
  expect(page.calls('getPlays')).toHaveLength(0)
  close()
  await pass(4000)
  await vi.waitFor(async () => {
    await pass(1000)
    expect(text()).toMatch(
      /^Your 2 lines were sealed on .*, before the draw’s randomness existed\. Checked in this browser\.$/u,
    )
  })
  expect(page.calls('getFairnessRecord').length).toBeGreaterThan(0)
  expect(fairnessMemory().read()).toMatchObject({
    operator: 'lottery.example',
    closes: [{ outcome: 'sealed', draw: 1 }],
  })
})

it('warns with evidence when a line is not in the sealing', async () => {
  const { close } = await open((operator, draw, hash) => {
    const receipt = operator.receipt(draw, 0, hash)
    return { ...receipt, entries: receipt.entries.map((entry) => ({ ...entry, path: ['ab'.repeat(32)] })) }
  })
  close()
  await vi.waitFor(async () => {
    await pass(5000)
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('does not hold')
  })
  expect(fairnessMemory().read().closes[0]?.evidence).toContain('fairball/evidence/v1')
})

it('does not say that a sealing was seen before the draw where this device’s clock is past it, whatever the server’s says', async () => {
  vi.setSystemTime((START + 30) * 1000)
  const { close } = await open((operator, draw, hash) => operator.receipt(draw, 0, hash))
  close()
  await vi.waitFor(async () => {
    await pass(5000)
    expect(text()).toContain('This browser could not check the sealing of your lines. It was seen before its round')
  })
  expect(fairnessMemory().read().closes[0]?.seenAt).toBeGreaterThan(START)
})

it('warns with evidence when the receipt of a play in this draw names another one, asked for it twice', async () => {
  const { close } = await open((operator, _draw, _hash, nextDraw) => operator.receipt(nextDraw, 0, null))
  close()
  await vi.waitFor(async () => {
    await pass(5000)
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('names another draw')
  })
  expect(page.calls('getReceipt')).toHaveLength(2)
  expect(fairnessMemory().read().closes[0]?.evidence).toContain('"receipts.plays"')
})

it('says that the check was left where a page was closed in the middle of it, once the draw has begun', async () => {
  await open((operator, draw, hash) => operator.receipt(draw, 0, hash))
  const seen = { game: 'bitcoin-hero', draw: 1, player: ME, hash: 'ab'.repeat(32), note: '', sealedAt: CLOSE + 1 }
  const left = {
    seenAt: CLOSE + 2,
    startAt: START,
    lines: 2,
    outcome: 'waiting',
    problem: null,
    evidence: null,
  } as const
  await act(async () => fairnessMemory().rememberClose({ ...seen, ...left }))
  expect(text()).toContain('is checking that your lines are sealed')
  await pass((START - CLOSE + 10) * 1000)
  expect(text()).toContain('was left before it had checked them')
})
