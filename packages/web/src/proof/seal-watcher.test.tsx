import { readEvidence } from '@fairball/domain/protocol/bundle'
import { asciiBytes, toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { isProven } from '@fairball/domain/protocol/verify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PlayPapers } from '@fairball/contract/schemas/fairness'
import { runtime } from '../shared/runtime.ts'
import { PAID_FOR } from '../testing/checkout.ts'
import { drawAt, heroGame } from '../testing/hero-game.ts'
import { keptOrder } from '../testing/kept-order.ts'
import { listedTicket } from '../testing/listed-ticket.ts'
import { pass, renderPage, text } from '../testing/render-page.tsx'
import type { RenderedPage } from '../testing/render-page.tsx'
import { filesOf, fileServer, hintOf, PlayersOrder } from '../testing/served-operator.ts'
import { standInForWorkers } from '../testing/worker-stand-in.ts'
import { keptStore } from './kept-store.ts'
import { SealWatcher } from './seal-watcher.tsx'
import SealedNote from './sealed-note.tsx'

await standInForWorkers()

const ME = 'player-abc123'
const GAME = 'test-game'
const { close: CLOSE, start: START } = new TestOperator().openDraw().open.statement
const SECRET = nobleHash(asciiBytes('the order'))
const LINES = [
  [1, 2, 3],
  [4, 5, 6],
]
const OWN = { secret: SECRET, username: ME, lines: LINES, free: 0, rate: 3000 }
const OTHERS = { secret: nobleHash(asciiBytes('another')), username: 'other', lines: [[7, 8, 9]], free: 0, rate: 3000 }

let page: RenderedPage
beforeEach(() => {
  vi.useFakeTimers({ now: (CLOSE - 5) * 1000 })
})
afterEach(async () => {
  page.unmount()
  vi.useRealTimers()
  await keptStore().forget()
})

/** The player's play: whether it is sold or left out, its papers, and whether it is still listed. */
interface Changes {
  isSold?: boolean
  papers?: (order: PlayersOrder) => PlayPapers
  isListed?: boolean
}

/** A page of a player with two lines in a draw that closes in five seconds by the server's clock. */
async function open({ isSold = true, papers = (order) => order.papers(), isListed = true }: Changes = {}) {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const order = new PlayersOrder(draw, { secret: SECRET, username: ME, lines: LINES })
  operator.sell(draw, isSold ? [OTHERS, OWN] : [OTHERS])
  vi.spyOn(runtime, 'fetch').mockImplementation(fileServer(() => filesOf(operator)))
  page = await renderPage(
    <>
      <SealWatcher player={ME} />
      <SealedNote of={{ game: GAME, startAt: START }} />
    </>,
    {
      answers: {
        getGames: () => [heroGame(START, { key: GAME, next_draw: { ...drawAt(START), number: 1 } })],
        getTickets: () => ({ results: isListed ? [listedTicket(START, LINES)] : [], total_pages: 1 }),
        getFairnessDraw: ({ params }) => hintOf(operator, Number(params.number)),
        getPayment: () => ({ status: 'PAID', game_key: GAME, order: PAID_FOR }),
        getReceipt: () => papers(order),
      },
      startedAt: CLOSE - 5,
    },
  )
  const seal = async () => {
    operator.closeDraw(draw)
    await operator.seal(draw)
  }
  return { operator, draw, order, seal }
}

/** Lets time pass until the page shows a notice. */
async function until(words: RegExp): Promise<void> {
  const patience = { timeout: 15_000 } // of real time: the check is arithmetic
  await vi.waitFor(async () => {
    await pass(1000)
    expect(text()).toMatch(words)
  }, patience)
}

it('the seal is fetched when due, and the player’s lines are checked in it and reported, all before the draw', async () => {
  const { draw, seal } = await open()
  await pass(3000)
  expect(page.calls('getPlays')).toHaveLength(0)
  await seal()
  await until(
    /^Your 2 lines were in the list sealed on .*, before the random number existed\. Checked in this browser\.$/u,
  )
  const [kept] = await keptStore().all('seals')
  expect(kept).toMatchObject({ outcome: 'sealed', draw: 1, close: draw.close?.hash })
  expect(kept?.seenAt).toBeLessThan(START)
})

it('a receipt whose place has another play causes a warning with evidence', async () => {
  const { seal } = await open({ papers: (order) => order.papers({ index: 0 }) })
  await seal()
  await until(/is not what was promised\. .*the place 0 of a receipt holds another play\. Please keep the evidence/u)
  const [kept] = await keptStore().all('seals')
  expect(isProven(readEvidence(kept?.evidence ?? ''))).toBe(true)
})

it('a promised play that is not in the list causes a warning, with evidence if it was free', async () => {
  const { seal } = await open({ isSold: false })
  await seal()
  await until(/is not what was promised/u)
  expect((await keptStore().all('seals'))[0]?.evidence).toContain('"promise.kept"')
})

it('a paid play of an order made here is checked although the operator no longer lists it', async () => {
  const { order, draw, seal } = await open({ isSold: false, isListed: false })
  const promise = order.promise({}, [{ by: 'bitcoin', address: 'bcrt1qexample' }])
  const made = { player: ME, secret: toHex(SECRET), madeAt: draw.open.statement.time, lines: LINES }
  await keptStore().put('orders', keptOrder({ ...made, promise }))
  await seal()
  await until(/A play that you paid for is not in the sealed list, and no receipt says why/u)
})

it('a list seen past the draw by this device’s clock is not said to be in time, whatever the server’s clock says', async () => {
  vi.setSystemTime((START + 30) * 1000)
  const { seal } = await open()
  await seal()
  await until(/This browser could not check the sealed list\. .*nobody you trust saw it in time/u)
  expect((await keptStore().all('seals'))[0]?.seenAt).toBeGreaterThan(START)
})

it('a check interrupted by closing the page is reported as such once the draw has begun', async () => {
  const { draw } = await open()
  await keptStore().put('seals', {
    id: `cc ${ME}`,
    close: 'cc'.repeat(32),
    open: draw.open.hash,
    game: GAME,
    draw: 1,
    seal: '{}',
    seenAt: CLOSE + 2,
    closedAt: CLOSE + 1,
    startAt: START,
    player: ME,
    lines: 2,
    outcome: 'waiting',
    problem: null,
    evidence: null,
  })
  await pass(0)
  expect(text()).toContain('is checking that your lines are in the sealed list')
  await pass((START - CLOSE + 10) * 1000)
  expect(text()).toContain('was closed before your lines were checked')
  page.unmount()
  // Where the draw has just been checked there is nothing left to do.
  page = await renderPage(<SealedNote of={{ game: GAME, startAt: START }} isChecked />, {
    answers: {},
    startedAt: START + 10,
  })
  await pass(0)
  expect(text()).toBe('')
})
