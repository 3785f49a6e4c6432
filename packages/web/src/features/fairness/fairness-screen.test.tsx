import { type Bundle, writeBundle } from '@fairball/domain/protocol/bundle'
import { toHex } from '@fairball/domain/protocol/bytes'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { TEST_LOG_SEED, TEST_ORIGIN, TEST_POLICY, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebConfig } from '@fairball/contract/pages'
import { keptStore } from '../../proof/kept-store.ts'
import { runtime } from '../../shared/runtime.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { alerts, fill, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { filesOf, fileServer, hintOf } from '../../testing/served-operator.ts'
import { standInForWorkers } from '../../testing/worker-stand-in.ts'
import { FairnessScreen } from './fairness-screen.tsx'

// What the page loads when it is there: at hand, it comes at once.
await Promise.all([
  standInForWorkers(),
  import('./components/saved-bundle.tsx'),
  import('./components/verifier-file.tsx'),
  import('./components/log-card.tsx'),
  import('./components/memory-card.tsx'),
  import('./components/witness-card.tsx'),
])

const HASH = '5e'.repeat(32)
const KEY = toHex(publicKeyOf(TEST_LOG_SEED))
/** All draws of an operator, whose random numbers have not come. */
async function bundleOf(from: TestOperator): Promise<Bundle> {
  const whole = await from.bundle()
  return { ...whole, draws: whole.draws.map((one) => ({ ...one, beacon: null })) }
}

const operator = new TestOperator()
const draw = operator.openDraw()
operator.closeDraw(draw)
await operator.seal(draw)
const bundle = await bundleOf(operator)

let page: RenderedPage
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
  // The parts of the browser's come with scripts of their own.
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

it('tells what is fixed when, in the order of a draw', async () => {
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

it('says of a proved draw alone that nobody chose its numbers', async () => {
  await open()
  const outcomes = [...document.querySelectorAll('dl > div')].map((one) => one.textContent)
  expect(outcomes.filter((words) => /nobody chose/iu.test(words))).toEqual([
    'ProvedEverything was checked, and nobody chose the numbers.',
  ])
  expect(outcomes).toContainEqual(expect.stringMatching(/^Holds.*What is not proved is said/u))
})

it('says what is not promised, and in a demo that its beacon shows the arithmetic and not the honesty', async () => {
  await open({ testMode: false })
  expect(text()).toContain('That the operator pays')
  expect(text()).toContain('Only the operator together with enough of those who make the random number')
  expect(text()).not.toContain('This site uses a private beacon')
  page.unmount()
  await open({ testMode: true })
  expect(text()).toContain('so its checks show the arithmetic and not the honesty.')
})

it('leads to the proof of the draw each game is at', async () => {
  await open()
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Bitcoin Hero, draw 1')
  expect(link?.getAttribute('href')).toBe('/game/bitcoin-hero/draw/1/proof')
})

it('offers the stand-alone verifier with the hash of its file', async () => {
  await open()
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Download the verifier')
  expect(link?.getAttribute('href')).toBe('/fairness/fairball-verify.html')
  expect(link?.hasAttribute('download')).toBe(true)
  expect(text()).toContain(HASH)
})

it('offers the witness to everybody who wants to run one', async () => {
  await open()
  const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Download the witness')
  expect(link?.getAttribute('href')).toBe('/fairness/fairball-witness.mjs')
  expect(link?.hasAttribute('download')).toBe(true)
})

it('names the version and the hash of the build, and how anybody makes the same', async () => {
  const hash = 'c7'.repeat(32)
  await open({ build: { version: '1.2.3', hash }, publicUrl: 'https://lottery.example' })
  const card = document.getElementById('build')?.textContent
  expect(card).toContain('Get the source code of version 1.2.3, run “npm run build-hash” in it')
  expect(card).toContain(`SHA-256 of the build, version 1.2.3${hash}`)
  expect(card).toContain('“npm run build-hash -- https://lottery.example” fetches the files')
  expect(hasButton('Copy hash of the build')).toBe(true)
  expect(document.querySelector('#build a')?.getAttribute('href')).toBe('/licences.txt')
})

it('names no build while the site is served from its sources', async () => {
  await open({ build: null })
  expect(document.getElementById('build')).toBeNull()
  expect(text()).not.toContain('SHA-256 of the build')
})

it('says so where this server has no verifier to give', async () => {
  vi.mocked(runtime.fetch).mockImplementation(async () => new Response('', { status: 404 }))
  await open()
  expect(text()).toContain('The verifier’s file is not on this server at the moment.')
})

it('lists the newest statements of the log in words, each with its text, and the key of the log', async () => {
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

it('names the witnesses that the operator names for its next draw', async () => {
  await open()
  expect(document.getElementById('witnesses')?.textContent).toContain('The newest draw names these witnesses: w.')
})

it('keeps whom the player trusts as witnesses, and refuses what is no policy', async () => {
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

it('checks a saved bundle without asking the server, with the same report as a draw’s page', async () => {
  await open()
  const asked = vi.mocked(runtime.fetch).mock.calls.length
  await choose(writeBundle(bundle))
  expect(verdict()).toBe('Not drawn yetNot drawn yet.What has been published so far is in order.')
  const report = document.querySelector('section[aria-label="What is in draw.bundle.json"]')
  expect(report?.querySelectorAll('button[aria-expanded]')).toHaveLength(7)
  expect(hasButton('Check again')).toBe(false)
  expect(vi.mocked(runtime.fetch).mock.calls).toHaveLength(asked)
})

it('accuses nobody of a bundle that was changed', async () => {
  await open()
  await choose(writeBundle(bundle).replace('quorum w', 'quorum v'))
  expect(verdict()).toContain('This record is incomplete or damaged.That accuses no one.')
  expect(hasButton('Download evidence')).toBe(false)
})

it('says that what the operator signed breaks the rules, and offers the evidence', async () => {
  const other = new TestOperator()
  const wrong = other.openDraw()
  other.closeDraw(wrong, { pool: 1n })
  await other.seal(wrong)
  await open()
  await choose(writeBundle(await bundleOf(other)))
  expect(verdict()).toContain('FailedIt does not match.What the operator has signed breaks the rules of the draw.')
  expect(hasButton('Download evidence')).toBe(true)
})

it('says of a file that is no bundle what is wrong with it, and nothing of any draw', async () => {
  await open()
  await choose('{"format":"something/else"}', 'holiday.json')
  expect(verdict()).toMatch(/^Not judged/u)
  expect(text()).not.toContain('It does not match.')
})

it('shows what this browser keeps, and deletes it only when asked twice', async () => {
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
