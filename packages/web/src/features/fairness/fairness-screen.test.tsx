import { type Bundle, writeBundle } from '@fairball/domain/protocol/bundle'
import { toHex } from '@fairball/domain/protocol/bytes'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { TEST_LOG_SEED, TEST_ORIGIN, TEST_POLICY, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AnswerOf } from '@fairball/contract/calls'
import type { WebConfig } from '@fairball/contract/pages'
import { keptStore } from '../../proof/kept-store.ts'
import { runtime } from '../../shared/runtime.ts'
import { changingGame } from '../../testing/changing-game.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { alerts, fill, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { filesOf, fileServer, hintOf } from '../../testing/served-operator.ts'
import { standInForWorkers } from '../../testing/worker-stand-in.ts'
import { FairnessScreen } from './fairness-screen.tsx'

// Parts that the page loads later; loaded here, they show immediately.
await Promise.all([
  standInForWorkers(),
  import('./components/saved-bundle.tsx'),
  import('./components/verifier-file.tsx'),
  import('./components/log-card.tsx'),
  import('./components/memory-card.tsx'),
  import('./components/games-card.tsx'),
  import('./components/witness-card.tsx'),
])

const HASH = '5e'.repeat(32)
const KEY = toHex(publicKeyOf(TEST_LOG_SEED))
/** All draws of an operator before their random numbers exist. */
async function bundleOf(from: TestOperator): Promise<Bundle> {
  const whole = await from.bundle()
  return { ...whole, draws: whole.draws.map((one) => ({ ...one, beacon: null })) }
}

const operator = new TestOperator()
const draw = operator.openDraw()
operator.closeDraw(draw)
await operator.seal(draw)
const bundle = await bundleOf(operator)

const LATEST = {
  game_key: 'bitcoin-hero',
  draw: { number: 128, datetime: NOON - 3600, numbers: [7, 25, 21, 1, 20] },
} as AnswerOf<'getLatestDraws'>[number]
const DETAILS = {
  entries: 940,
  statements: [{ index: 5, at: NOON - 3900, type: 'close', hash: '', text: '' }],
} as unknown as AnswerOf<'getDraw'>

let page: RenderedPage
let latest: AnswerOf<'getLatestDraws'> = [LATEST]
beforeEach(() => {
  vi.useFakeTimers({ now: NOON * 1000 })
  const files = fileServer(() => filesOf(operator))
  vi.spyOn(runtime, 'fetch').mockImplementation(async (address) =>
    typeof address === 'string' && address.startsWith('/fairball/')
      ? await files(address)
      : new Response(`${HASH}  fairball-verify.html\n`),
  )
})
afterEach(async () => {
  latest = [LATEST]
  page.unmount()
  await keptStore().forget()
  vi.useRealTimers()
})

const open = async (config: Partial<WebConfig> = {}) => {
  page = await renderPage(<FairnessScreen />, {
    config,
    profile: null,
    answers: {
      getGames: () => [heroGame(NOON + 3600, { next_draw: { ...drawAt(NOON + 3600), number: 1 } })],
      getLatestDraws: () => latest,
      getDraw: () => DETAILS,
      getRetiredGames: () => [{ key: 'old-game', name: 'Old Game', color: '#FF9A1F', retired_at: 1, into: 'partners' }],
      getGameVersions: () => changingGame(NOON + 3600, 5).versions,
      getFairnessDraw: ({ params }) => hintOf(operator, Number(params.number)),
      getFairnessLog: () => ({
        origin: TEST_ORIGIN,
        public_key: KEY,
        size: operator.statements.length,
        statements: operator.statements
          .map(({ index, text: words, hash, statement: { time, type } }) => ({
            index,
            at: time,
            type,
            hash,
            text: words,
          }))
          .toReversed(),
        next: null,
      }),
    },
  })
  // Parts that only a browser renders load their scripts later.
  await vi.waitFor(async () => {
    await pass(10)
    expect(document.getElementById('memory')).not.toBeNull()
    expect(document.querySelector('input[type="file"]')).not.toBeNull()
  })
  await pass(50)
}

const choose = async (content: string, name = 'draw.bundle.json') => {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  Object.defineProperty(input, 'files', { configurable: true, value: [new File([content], name)] })
  await act(async () => void input?.dispatchEvent(new Event('change', { bubbles: true })))
  await vi.waitFor(async () => {
    await pass(10)
    expect(verdict()).toMatch(/^(?!Checking)./u)
  })
}
const verdict = () => document.querySelector('section[aria-label^="What is in"] [role="status"]')?.textContent ?? ''

it('the page opens with a summary and the newest draw in three pictures, and leads to its check', async () => {
  await open()
  expect(text()).toContain('Only then does a public random number appear.')
  expect([...document.querySelectorAll('ol > li > p')].slice(0, 3).map((one) => one.textContent)).toEqual([
    '940 lines sealed, 10:55 AM',
    'Public random number, 11:00 AM',
    'Bitcoin Hero, draw 128',
  ])
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Check Bitcoin Hero, draw 128')
  expect(link?.getAttribute('href')).toBe('/game/bitcoin-hero/draw/128/proof')
})

it('before any draw the pictures have no figures', async () => {
  latest = []
  await open()
  expect(text()).toContain('There has been no draw yet.')
  expect(text()).toContain('A public random number appears')
})

it('what is for experts is in a closed fold, and all of it is in the page', async () => {
  await open()
  const fold = document.querySelector('details')
  expect(fold?.open).toBe(false)
  expect(fold?.querySelector('summary h2')?.textContent).toBe('For experts')
  for (const id of ['saved', 'games', 'witnesses', 'log', 'memory'])
    expect(fold?.querySelector(`#${id}`)).not.toBeNull()
  expect(fold?.textContent).not.toContain('What you still have to trust')
})

it('a link to a part for experts opens the fold', async () => {
  globalThis.history.replaceState(null, '', '#memory')
  await open()
  expect(document.querySelector('details')?.open).toBe(true)
  globalThis.history.replaceState(null, '', '#')
})

it('the page says what is fixed when, in the order of a draw', async () => {
  await open()
  expect(document.querySelector('h1')?.textContent).toBe('Fairness you can check')
  expect([...document.querySelectorAll('ol h3')].slice(0, 6).map((one) => one.textContent)).toEqual([
    'Announced',
    'Promised',
    'Sold',
    'Sealed',
    'Random number',
    'Drawn and paid',
  ])
})

it('each game has its versions with what they change, and games that have ended come last', async () => {
  await open()
  const games = document.getElementById('games')
  expect([...(games?.querySelectorAll('h3') ?? [])].map((one) => one.textContent)).toEqual([
    'Bitcoin Hero',
    'Old GameEnded',
  ])
  await pressButton('Bitcoin Hero')
  await pass(50)
  const versions = [...(games?.querySelectorAll('ol > li') ?? [])].map((one) => one.textContent)
  expect(versions).toEqual([
    expect.stringMatching(/^Version 2 applies from draw 5, .*A line costs £1.50 instead of £1.00./u),
    expect.stringMatching(/^Version 1 applies from draw 1\..*5 of 36 numbers.A line costs £1.00./u),
  ])
})

it('only a proved draw is said to have numbers that nobody chose', async () => {
  await open()
  const outcomes = [...document.querySelectorAll('dl > div')].map((one) => one.textContent)
  expect(outcomes.filter((words) => /nobody chose/iu.test(words))).toEqual([
    'ProvedEverything was checked, and nobody chose the numbers.',
  ])
  expect(outcomes).toContainEqual(expect.stringMatching(/^Holds.*The check says what is not proved/u))
})

it('the page says what is not promised, and that a demo’s beacon proves the arithmetic, not honesty', async () => {
  await open({ testMode: false })
  expect(text()).toContain('That the operator pays')
  expect(text()).toContain('Only the operator together with enough of those who make the random number')
  expect(text()).not.toContain('This site uses a private beacon')
  page.unmount()
  await open({ testMode: true })
  expect(text()).toContain('so this proves the arithmetic, not honesty.')
})

it('the page links to the proof of each game’s current draw', async () => {
  await open()
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Bitcoin Hero, draw 1')
  expect(link?.getAttribute('href')).toBe('/game/bitcoin-hero/draw/1/proof')
})

it('the page offers the stand-alone verifier with the hash of its file', async () => {
  await open()
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Download the verifier')
  expect(link?.getAttribute('href')).toBe('/fairness/fairball-verify.html')
  expect(link?.hasAttribute('download')).toBe(true)
  expect(text()).toContain(HASH)
})

it('the page offers the witness to anyone who wants to run one', async () => {
  await open()
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Download the witness')
  expect(link?.getAttribute('href')).toBe('/fairness/fairball-witness.mjs')
  expect(link?.hasAttribute('download')).toBe(true)
})

it('the page names the version and the hash of the build, and explains how to make the same', async () => {
  const hash = 'c7'.repeat(32)
  await open({ build: { version: '1.2.3', hash }, publicUrl: 'https://lottery.example' })
  const card = document.getElementById('build')?.textContent
  expect(card).toContain('Get the source code of version 1.2.3, run “npm run build-hash” in it')
  expect(card).toContain(`SHA-256 of the build, version 1.2.3${hash}`)
  expect(card).toContain('“npm run build-hash -- https://lottery.example” fetches the files')
  expect(hasButton('Copy hash of the build')).toBe(true)
  expect(document.querySelector('#build a')?.getAttribute('href')).toBe('/licences.txt')
})

it('the page names no build while the site is served from its sources', async () => {
  await open({ build: null })
  expect(document.getElementById('build')).toBeNull()
  expect(text()).not.toContain('SHA-256 of the build')
})

it('the page says so if this server has no verifier to offer', async () => {
  vi.mocked(runtime.fetch).mockImplementation(async () => new Response('', { status: 404 }))
  await open()
  expect(text()).toContain('The verifier’s file is not on this server at the moment.')
})

it('the page lists the newest statements of the log in words, each with its text, and the key of the log', async () => {
  await open()
  const rows = [...document.querySelectorAll('ol[aria-label="Latest statements of the log"] > li')]
  expect(rows.map((row) => row.querySelector('button')?.textContent)).toEqual([
    expect.stringMatching(/^A draw is sealed.*3$/u),
    expect.stringMatching(/^A draw is announced.*2$/u),
    expect.stringMatching(/^The rules of a game are announced.*1$/u),
    expect.stringMatching(/^The log begins.*0$/u),
  ])
  expect(rows[1]?.querySelector('pre')?.textContent).toBe(draw.open.text)
  expect(document.getElementById('log')?.textContent).toContain(KEY)
})

it('the page names the witnesses that the operator names for its next draw', async () => {
  await open()
  expect(document.getElementById('witnesses')?.textContent).toContain('The newest draw names these witnesses: w.')
})

it('the page keeps the witnesses that the player trusts, and refuses an invalid policy', async () => {
  const label = 'Witnesses you trust, as a policy (C2SP tlog-policy)'
  await open()
  await fill(label, 'my uncle')
  await pressButton('Save the policy')
  expect(await keptStore().get('logs', TEST_ORIGIN)).toBeNull()
  expect(text()).not.toContain('Saved.')
  await fill(label, TEST_POLICY)
  await pressButton('Save the policy')
  expect(text()).toContain('Saved. The next check asks for these witnesses.')
  expect(await keptStore().get('logs', TEST_ORIGIN)).toMatchObject({ policy: TEST_POLICY, keys: [] })
})

it('a saved bundle is checked without the server, with the same report as on a draw’s page', async () => {
  await open()
  const asked = vi.mocked(runtime.fetch).mock.calls.length
  await choose(writeBundle(bundle))
  expect(verdict()).toBe('Not drawn yet.What has been published so far is in order.')
  const report = document.querySelector('section[aria-label="What is in draw.bundle.json"]')
  expect(report?.querySelectorAll('h3 > button[aria-expanded]')).toHaveLength(7)
  expect(hasButton('Check again')).toBe(false)
  expect(vi.mocked(runtime.fetch).mock.calls).toHaveLength(asked)
})

it('a changed bundle accuses nobody', async () => {
  await open()
  await choose(writeBundle(bundle).replace('quorum w', 'quorum v'))
  expect(verdict()).toContain('This record is incomplete or damaged.That accuses no one.')
  expect(hasButton('Download evidence')).toBe(false)
})

it('a failed bundle is said to break the rules, and its evidence is offered', async () => {
  const other = new TestOperator()
  const wrong = other.openDraw()
  other.closeDraw(wrong, { pool: 1n })
  await other.seal(wrong)
  await open()
  await choose(writeBundle(await bundleOf(other)))
  expect(verdict()).toContain('It does not match.What the operator has signed breaks the rules of the draw.')
  expect(hasButton('Download evidence')).toBe(true)
})

it('a file that is not a bundle gets an error, and no verdict on any draw', async () => {
  await open()
  await choose('{"format":"something/else"}', 'holiday.json')
  expect(verdict()).toMatch(/^Not judged/u)
  expect(text()).not.toContain('It does not match.')
})

it('the page shows this browser’s records, and deletes them only after a second confirmation', async () => {
  await open()
  const memory = () => document.getElementById('memory')?.textContent
  expect(memory()).toContain('Nothing yet.')
  await act(() => keptStore().put('logs', { origin: TEST_ORIGIN, keys: [KEY], seenAt: NOON, policy: null }))
  expect(memory()).toContain('Log first seenJan 15, 2027')
  await pressButton('Delete all of it')
  await pressButton('Keep it')
  expect(await keptStore().all('logs')).toHaveLength(1)
  await pressButton('Delete all of it')
  expect(alerts().join() + text()).toContain('This cannot be undone')
  await pressButton('Yes, delete it')
  expect(await keptStore().all('logs')).toEqual([])
  expect(memory()).toContain('Nothing yet.')
})
