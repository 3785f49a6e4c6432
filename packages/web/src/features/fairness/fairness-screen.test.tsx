import { fixedPlay } from '@fairball/domain/fairness/draw-fixture'
import { bundleText } from '@fairball/domain/fairness/bundle-file'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebConfig } from '@fairball/contract/pages'
import { fairnessMemory } from '../../proof/memory.ts'
import { runtime } from '../../shared/runtime.ts'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { standInForWorkers } from '../../testing/worker-stand-in.ts'
import { FairnessScreen } from './fairness-screen.tsx'

// What the page loads when it is there: at hand, it comes at once.
await Promise.all([
  standInForWorkers(),
  import('./components/saved-bundle.tsx'),
  import('./components/verifier-file.tsx'),
  import('./components/log-card.tsx'),
  import('./components/memory-card.tsx'),
])

const HASH = '5e'.repeat(32)
const operator = new OperatorFixture()
const draw = operator.open(1, [fixedPlay('player-abc123', 2, { pick: 6, pool: 49 })])
const closeHash = operator.settle(draw)

let page: RenderedPage
beforeEach(() => {
  vi.useFakeTimers({ now: NOON * 1000 })
  vi.spyOn(runtime, 'fetch').mockImplementation(async () => new Response(`${HASH}  fairball-verify.html\n`))
})
afterEach(() => {
  page.unmount()
  fairnessMemory().forget()
  vi.useRealTimers()
})

const open = async (config: Partial<WebConfig> = {}) => {
  page = await renderPage(<FairnessScreen />, {
    config,
    profile: null,
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getFairnessLog: ({ query }) => ({ notes: operator.notes.slice(Number(query?.from ?? 0)), next: null }),
      getStatement: ({ params }) => operator.textOf(String(params.hash)),
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
    const status = document.querySelector('section[aria-label^="What is in"] [role="status"]')
    expect(status?.textContent).not.toMatch(/Computing|^$/u)
    expect(status).not.toBeNull()
  })
}
const verdict = () => document.querySelector('section[aria-label^="What is in"] [role="status"]')?.textContent

it('tells what is fixed when, in the order of a draw', async () => {
  await open()
  expect(document.querySelector('h1')?.textContent).toBe('Fairness you can check')
  expect([...document.querySelectorAll('ol h3')].slice(0, 6).map((one) => one.textContent)).toEqual([
    'Opened',
    'Sold',
    'Sealed',
    'Beacon',
    'Drawn',
    'Paid',
  ])
})

it('says what is left to trust, and in a demo that its beacon shows the arithmetic and not the honesty', async () => {
  await open({ testMode: false })
  expect(text()).toContain('That the operator pays')
  expect(text()).toContain('Only the operator together with enough of those who make the randomness')
  expect(text()).not.toContain('This site uses a beacon of its own')
  page.unmount()
  await open({ testMode: true })
  expect(text()).toContain('It shows the arithmetic, not the honesty.')
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

it('lists the newest statements of the log in words, each with its draw and its text, and the fingerprint', async () => {
  await open()
  const rows = [...document.querySelectorAll('ol[aria-label="Latest statements of the log"] > li')]
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^4bitcoin-lotto, draw 1 is drawn: \d+/u),
    expect.stringMatching(/^3bitcoin-lotto, draw 1 is sealed with 2 entries/u),
    expect.stringMatching(/^2bitcoin-lotto, draw 1 is opened/u),
    expect.stringMatching(/^1The beacon “local” is described/u),
    expect.stringMatching(/^0The log begins with the operator’s key/u),
  ])
  expect([...(rows[1]?.querySelectorAll('a') ?? [])].map((one) => one.getAttribute('aria-label'))).toEqual([
    'Check draw 1 of bitcoin-lotto',
    'Text of statement 3',
  ])
  expect(text()).toContain('Fingerprint of the operator’s key')
})

it('checks a saved bundle without asking the server, with the same report as a draw’s page', async () => {
  await open()
  const asked = page.calls('getFairnessLog').length
  await choose(bundleText(operator.bundle(draw)))
  expect(verdict()).toContain('All checks passed.')
  const report = document.querySelector('section[aria-label="What is in draw.bundle.json"]')
  expect(report?.querySelectorAll('button[aria-expanded]')).toHaveLength(7)
  expect(report?.textContent).toContain('Ball by ball')
  expect(hasButton('Check again')).toBe(false)
  expect(page.calls('getFairnessLog')).toHaveLength(asked)
})

it('takes no saved bundle’s word for having been seen in time, and says so beside its verdict', async () => {
  await open()
  const own = {
    key: null,
    username: null,
    sights: [{ hash: closeHash, seenAt: operator.openOf(draw).close + 10 }],
    receipts: [],
  }
  await choose(bundleText(operator.bundle(draw, { own })))
  expect(verdict()).toContain('All checks passed.')
  expect(verdict()).toContain('Nothing here shows that the seal is older than the beacon')
  expect(verdict()).toContain('this shows the arithmetic, not the honesty.')
})

it('names what is wrong with a bundle that was changed, and offers the evidence', async () => {
  await open()
  const entries = draw.entriesBytes.slice()
  entries[20] = (entries[20] ?? 0) ^ 1
  await choose(bundleText(operator.bundle(draw, { entries })))
  expect(verdict()).toContain('A check failed.')
  expect(text()).toContain('The entries here are not those that were sealed.')
  expect(hasButton('Download evidence')).toBe(true)
})

it('says of a file that is no bundle what is wrong with it, and nothing of any draw', async () => {
  await open()
  await choose('{"format":"something/else"}', 'holiday.json')
  expect(verdict()).toMatch(/^Not checkable here.*not a bundle/u)
  expect(text()).not.toContain('A check failed.')
})

it('shows what this browser remembers, and forgets it only when asked twice', async () => {
  await open()
  expect(document.getElementById('memory')?.textContent).toContain('Nothing yet.')
  act(() =>
    fairnessMemory().rememberLog({
      operator: 'lottery.example',
      key: 'aa',
      head: { seq: 4711, hash: 'aa', note: 'note' },
      at: NOON,
    }),
  )
  expect(document.getElementById('memory')?.textContent).toContain('statement 4,711')
  await pressButton('Delete all of it')
  await pressButton('Keep it')
  expect(fairnessMemory().read().key).toBe('aa')
  await pressButton('Delete all of it')
  await pressButton('Yes, delete it')
  expect(fairnessMemory().read().key).toBeNull()
  expect(document.getElementById('memory')?.textContent).toContain('Nothing yet.')
})
