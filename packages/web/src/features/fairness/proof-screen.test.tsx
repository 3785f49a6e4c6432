import { ApiError } from '@fairball/contract/client'
import { type Bundle, readBundle, readEvidence } from '@fairball/domain/protocol/bundle'
import { toHex } from '@fairball/domain/protocol/bytes'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { nobleHash } from '@fairball/domain/protocol/hash'
import {
  TEST_LOG_SEED,
  TEST_ORIGIN,
  TEST_POLICY,
  TEST_ROUNDS,
  TestOperator,
} from '@fairball/domain/protocol/operator-fixture'
import type { PayBy } from '@fairball/domain/protocol/statements'
import { isProven } from '@fairball/domain/protocol/verify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { KeptSeal } from '../../proof/kept-records.ts'
import { keptStore } from '../../proof/kept-store.ts'
import { prove } from '../../proof/prove.ts'
import { proveInWorker } from '../../proof/verifier.ts'
import { runtime } from '../../shared/runtime.ts'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { alerts, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { filesOf, fileServer, hintOf, PlayersOrder } from '../../testing/served-operator.ts'
import { saveFile } from '../../ui/save-file.ts'
import { load, ProofScreen } from './proof-screen.tsx'
import { createQueryClient } from '../../app/query-client.ts'
import type { Api } from '../../shared/api.ts'

vi.mock('../../proof/verifier.ts', async (original) => ({ ...(await original()), proveInWorker: vi.fn() }))
vi.mock('../../ui/save-file.ts', () => ({ saveFile: vi.fn() }))

const ME = 'player-abc123'
const KEY = toHex(publicKeyOf(TEST_LOG_SEED))
const SECRET = nobleHash(new Uint8Array([1]))
const LINES = [
  [1, 2, 3],
  [4, 5, 6],
]

let page: RenderedPage
beforeEach(() => {
  vi.useFakeTimers({ now: NOON * 1000 })
  // The verifier's own code, in the page's thread, with the operator's made-up rounds.
  vi.mocked(proveInWorker).mockImplementation(async (task) => {
    const bundle = 'file' in task ? readBundle(task.file) : task.bundle
    return { proof: prove({ ...task, bundle }, TEST_ROUNDS), bundle }
  })
})
afterEach(async () => {
  page.unmount()
  await keptStore().forget()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The state of the draw, and the operator's dishonest acts. */
interface Setting {
  until?: 'open' | 'sealed' | 'settled' | 'void'
  /** Whether the player's play is in the sealed list. */
  isSold?: boolean
  /** Whether the player trusts the operator's witness. */
  isTrusting?: boolean
  pool?: bigint
  /** The way to pay the player's order. */
  pay?: readonly PayBy[]
  profile?: object | null
  answers?: Answers
}

/** A draw with two lines of the player, and the page on which a browser checks it. */
async function open({
  until = 'settled',
  isSold = true,
  isTrusting = true,
  pool,
  pay,
  profile = {},
  answers = {},
}: Setting = {}) {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const order = new PlayersOrder(draw, { secret: SECRET, username: ME, lines: LINES })
  const other = { secret: nobleHash(new Uint8Array([2])), username: 'other', lines: [[7, 8, 9]], free: 0, rate: 3000 }
  const own = { secret: SECRET, username: ME, lines: LINES, free: 0, rate: 3000 }
  operator.sell(draw, isSold ? [other, own] : [other])
  if (until !== 'open') {
    operator.closeDraw(draw, pool === undefined ? {} : { pool })
    await operator.seal(draw)
  }
  if (until === 'settled') operator.settle(draw)
  if (until === 'void') {
    operator.now = draw.start + 604_801
    operator.giveUp(draw, 'beacon')
  }
  vi.spyOn(runtime, 'fetch').mockImplementation(fileServer(() => filesOf(operator)))
  if (isTrusting) await keptStore().put('logs', { origin: TEST_ORIGIN, keys: [], seenAt: NOON, policy: TEST_POLICY })
  const play = {
    id: 'play-1',
    date: draw.start,
    draw: null,
    tickets: LINES,
    is_win: false,
    win_type: null,
    is_claimed: false,
  }
  page = await renderPage(<ProofScreen gameKey="bitcoin-hero" number={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getFairnessDraw: ({ params }) => hintOf(operator, Number(params.number)),
      getDraw: () => ({ datetime: draw.start }) as never,
      getPlays: () => ({ ok: true, data: { results: [{ ...play, draw: DRAWN }], total_pages: 1 } }),
      getReceipt: () => (pay === undefined ? order.papers() : { ...order.papers(), promise: order.promise({}, pay) }),
      ...answers,
    },
    profile,
  })
  await done()
  return { operator, draw, order }
}
const DRAWN = { id: 1, number: 1, numbers: [1, 2, 3] }

/** Waits until the check has ended. */
const done = async () =>
  vi.waitFor(async () => {
    await pass(10)
    expect(status()).not.toMatch(/Checking|Fetching|Getting ready/u)
  })
const status = () => document.querySelector('[role="status"]')?.textContent ?? ''
const groupButton = (name: string) =>
  [...document.querySelectorAll('button[aria-expanded]')].find((one) => one.textContent.includes(name))
const ownPlays = () =>
  [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === 'Your plays')
    ?.textContent

it('only a proved draw is said to have numbers that nobody chose, with a word for each group of checks', async () => {
  await open()
  expect(document.querySelector('h1')?.textContent).toBe('Check draw 1 of Bitcoin Hero')
  expect(status()).toContain('ProvedIt matches.Your browser recalculated this draw. Nobody chose these numbers.')
  const heads = [...document.querySelectorAll('h3 > button[aria-expanded]')].map((one) => one.textContent)
  expect(heads).toEqual([
    '1. The public logPassed',
    '2. The announcement before the first salePassed',
    '3. The sealed listPassed',
    '4. The random numberPassed',
    '5. The numbersPassed',
    '6. Money and prizesPassed',
    '7. Your promises and receiptsPassed',
  ])
  expect(hasButton('Download evidence')).toBe(false)
})

it('a draw that holds is shown with its missing proofs, and is not said to have numbers that nobody chose', async () => {
  await open({ isTrusting: false })
  expect(status()).toContain('Holds, not proved')
  expect(status()).toContain('that the list was sealed before the random number existed')
  expect(text()).not.toContain('Nobody chose these numbers')
  expect(groupButton('3. The sealed list')?.textContent).toContain('Not shown here')
})

it('a group opens to its checks, each with the reason for its outcome', async () => {
  await open({ isTrusting: false })
  const button = groupButton('3. The sealed list')
  expect(button?.getAttribute('aria-expanded')).toBe('false')
  await pressButton(button?.textContent ?? '')
  expect(button?.getAttribute('aria-expanded')).toBe('true')
  const panel = document.getElementById(button?.getAttribute('aria-controls') ?? '')
  expect(panel?.hidden).toBe(false)
  expect(panel?.textContent).toContain('Someone this verifier trusts saw the sealed list in time')
  expect(panel?.textContent).toContain('seal.seen')
})

it('a draw that breaks the rules is said to, with the failed group open and evidence that proves it', async () => {
  await open({ pool: 1n })
  expect(status()).toContain('It does not match.')
  expect(groupButton('6. Money and prizes')?.getAttribute('aria-expanded')).toBe('true')
  expect(groupButton('6. Money and prizes')?.textContent).toContain('Failed')
  expect(groupButton('1. The public log')?.getAttribute('aria-expanded')).toBe('false')
  await pressButton('Download evidence')
  await pass(100)
  const [saved] = vi.mocked(saveFile).mock.lastCall ?? []
  expect(saved?.name).toBe('fairball-test-game-1.evidence.json')
  expect(isProven(readEvidence(saved?.content as string), TEST_ROUNDS)).toBe(true)
})

it('a damaged record accuses nobody', async () => {
  await open()
  vi.mocked(proveInWorker).mockImplementation(async (task) => {
    const bundle: Bundle = { ...('file' in task ? readBundle(task.file) : task.bundle), texts: [] }
    return { proof: prove({ ...task, bundle }, TEST_ROUNDS), bundle }
  })
  await pressButton('Check again')
  await done()
  expect(status()).toContain('This record is incomplete or damaged.That accuses no one.')
  expect(hasButton('Download evidence')).toBe(false)
})

it.each(['open', 'sealed'] as const)('a draw that is %s is said to be not drawn yet', async (until) => {
  await open({ until })
  expect(status()).toContain('Not drawn yet.What has been published so far is in order.')
  expect(groupButton('5. The numbers')?.textContent).toMatch(/Not yet|Not judged/u)
  expect(text()).not.toContain('Ball by ball')
})

it('a void draw is said not to have taken place', async () => {
  await open({ until: 'void' })
  expect(status()).toContain('This draw did not take place.')
  expect(text()).not.toContain('Nobody chose these numbers')
})

it('a draw that cannot be fetched gets no verdict, and can be checked again', async () => {
  await open()
  const fetched = vi.mocked(runtime.fetch).getMockImplementation()
  vi.mocked(runtime.fetch).mockRejectedValue(new Error('offline'))
  await pressButton('Check again')
  await done()
  expect(text()).toContain('Couldn’t load the records. That says nothing about the draw.')
  if (fetched !== undefined) vi.mocked(runtime.fetch).mockImplementation(fetched)
  await pressButton('Try again')
  await done()
  expect(status()).toContain('It matches.')
})

it('a draw that the browser cannot compute gets no verdict', async () => {
  vi.mocked(proveInWorker).mockRejectedValueOnce(new Error('no worker'))
  await open()
  expect(text()).toContain('This browser could not run the check. That says nothing about the draw.')
  await pressButton('Try again')
  await done()
  expect(status()).toContain('It matches.')
})

describe('the player’s own plays', () => {
  it('own plays are shown in their place with their lines, and not to a visitor', async () => {
    const { order } = await open()
    expect(ownPlays()).toContain('In the sealed list, place 2')
    expect(ownPlays()).toContain('2 lines: 1, 2, 3 · 4, 5, 6')
    expect(ownPlays()).toContain(order.id)
    page.unmount()
    await open({ profile: null })
    expect(ownPlays()).toBeUndefined()
    expect(groupButton('7. Your promises and receipts')?.textContent).toContain('Not judged')
  })

  it('promised plays that are not in the list make the draw fail, with evidence', async () => {
    await open({ isSold: false })
    expect(status()).toContain('It does not match.')
    expect(ownPlays()).toContain('Not in the sealed list, and no receipt says why')
    expect(hasButton('Download evidence')).toBe(true)
  })

  it('plays that were paid on the chain and are not in the list are reported missing, whatever the verdict is', async () => {
    const bitcoin = [{ by: 'bitcoin', address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }] as const
    await open({ isSold: false, pay: bitcoin })
    expect(status()).toContain('It matches.')
    expect(alerts().join()).toContain('A play that you paid for is not in the sealed list of this draw')
  })

  it('a receipt that is no longer provided causes a warning, with the signed texts', async () => {
    const { order } = await open()
    page.unmount()
    await open({ answers: { getReceipt: () => ({ ...order.papers(), receipts: [] }) } })
    expect(alerts().join()).toContain('The operator no longer provides a receipt that this browser keeps.')
    await pressButton('Download what was signed')
    const [saved] = vi.mocked(saveFile).mock.lastCall ?? []
    expect(saved?.content).toBe(order.papers().receipts[0]?.note)
  })
})

it('a log that does not continue a kept head fails, and in a demo the page links to the browser’s records', async () => {
  const { operator } = await open()
  page.unmount()
  const other = new TestOperator(1_700_000_500)
  while (other.statements.length < operator.statements.length) {
    other.append('paid', { size: other.statements.length, root: '0'.repeat(64), draw: [] })
  }
  const note = other.checkpoint(other.now)
  const size = operator.statements.length
  await keptStore().put('heads', { id: 'other', origin: TEST_ORIGIN, size, root: 'ab'.repeat(32), note, seenAt: 1 })
  await open()
  expect(status()).toContain('It does not match.')
  expect(groupButton('1. The public log')?.textContent).toContain('Failed')
  expect(document.querySelector('a[href="/fairness#memory"]')?.textContent).toBe('What this browser keeps')
})

it('the bundle is saved as a file that can be read again, with a note that its papers are private', async () => {
  const { order } = await open()
  expect(text()).toContain('Your copy contains your promises and receipts')
  await pressButton('Download bundle')
  await pass(100)
  const [saved] = vi.mocked(saveFile).mock.lastCall ?? []
  expect(saved?.name).toBe('fairball-test-game-1.bundle.json')
  const bundle = readBundle(saved?.content as string)
  expect(bundle.papers.map(({ note }) => note)).toEqual([order.promise(), order.papers().receipts[0]?.note])
  expect(saved?.content).not.toContain(toHex(SECRET))
})

it('the browser’s trust is saved as a file for the verifier', async () => {
  await open()
  await pressButton('Download what this browser trusts')
  await pass(100)
  const [saved] = vi.mocked(saveFile).mock.lastCall ?? []
  expect(JSON.parse(saved?.content as string)).toMatchObject({ policy: TEST_POLICY })
})

it('the page shows the log’s key with its purpose, and since when this browser knows it', async () => {
  await open()
  expect(text()).toContain(`Heads, promises and receipts of ${TEST_ORIGIN} are signed with this key`)
  expect(document.querySelector('[aria-label="Copy key"]')).not.toBeNull()
  expect(await keptStore().get('logs', TEST_ORIGIN)).toMatchObject({ keys: [KEY], seenAt: NOON })
  expect(text()).toMatch(/This browser first saw it on Jan 15, 2027 at 12:00 PM\./u)
})

it('the page shows the derivation of the balls, byte by byte, and the prizes as they were signed', async () => {
  const { draw } = await open()
  const { final } = draw
  const numbers = final?.statement.type === 'result' ? final.statement.numbers : []
  const balls = [...document.querySelectorAll('ol > li[aria-label^="Ball "]')]
  expect(balls.map((one) => one.getAttribute('aria-label'))).toEqual(
    numbers.map((number, place) => `Ball ${place + 1}: ${number}`),
  )
  for (const [place, ball] of balls.entries()) {
    expect(ball.querySelector('p:last-child')?.textContent).toContain(`→ ball ${numbers[place]}`)
  }
  const taken = [...document.querySelectorAll('ol[aria-label="Bytes taken from the stream, in order"] > li')]
  expect(taken.length).toBeGreaterThanOrEqual(numbers.length)
  const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('td')?.textContent)
  expect(rows).toEqual(['3 matches, jackpot', '2 matches', '1 match'])
})

describe('the browser’s check of the sealed list', () => {
  const seal = (changes: Partial<KeptSeal>): KeptSeal => ({
    id: `aa ${ME}`,
    close: 'aa'.repeat(32),
    open: 'bb'.repeat(32),
    game: 'bitcoin-hero',
    draw: 1,
    seal: '{}',
    seenAt: NOON - 50,
    closedAt: NOON - 60,
    startAt: NOON + 60,
    player: ME,
    lines: 3,
    outcome: 'sealed',
    problem: null,
    evidence: null,
    ...changes,
  })

  it('sealed lines are reported in plain words', async () => {
    await keptStore().put('seals', seal({}))
    await open()
    expect(text()).toContain(
      'Your 3 lines were in the list sealed on Jan 15, 2027 at 11:59 AM, before the random number existed. Checked in this browser.',
    )
  })

  it('a broken seal causes a clear warning, with the kept evidence', async () => {
    await keptStore().put('seals', seal({ outcome: 'broken', problem: 'They are sealed: no.', evidence: '{"kept":1}' }))
    await open()
    expect(alerts().join()).toContain('The sealed list of this draw is not what was promised. They are sealed: no.')
    await pressButton('Download evidence')
    expect(saveFile).toHaveBeenCalledWith(expect.objectContaining({ content: '{"kept":1}' }))
  })

  it('a seal that could not be checked is reported with the reason, and never for another player', async () => {
    await keptStore().put('seals', seal({ outcome: 'unchecked', problem: 'No receipts.' }))
    await open()
    expect(text()).toContain('This browser could not check the sealed list. No receipts.')
    page.unmount()
    await open({ profile: { username: 'player-other1' } })
    expect(text()).not.toContain('could not check the sealed list')
  })
})

describe('its address', () => {
  const context = (fail: unknown) => {
    const call = async () => {
      if (fail !== null) throw fail
      return {}
    }
    return { api: { call } as unknown as Api, queryClient: createQueryClient(true) }
  }
  const draw = { gameKey: 'bitcoin-hero', number: 99 }

  it('the page of a draw that does not exist is not found', async () => {
    await open()
    const missing = new ApiError({ status: 404, code: 'NOT_FOUND', message: '' })
    await expect(load(context(missing), draw)).rejects.toMatchObject({ isNotFound: true })
  })

  it('the page of an existing draw opens, and fails like other pages if the server fails', async () => {
    await open()
    await expect(load(context(null), draw)).resolves.toBeUndefined()
    const broken = new ApiError({ status: 500, code: 'SERVER_ERROR', message: '' })
    await expect(load(context(broken), draw)).rejects.toBe(broken)
  })
})
