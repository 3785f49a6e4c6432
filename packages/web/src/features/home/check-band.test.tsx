import type { AnswerOf } from '@fairball/contract/calls'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runtime } from '../../shared/runtime.ts'
import { NOON } from '../../testing/pounds.ts'
import { openProof, leaveBrowser, prepareBrowser, type Setting, workers } from '../../testing/proof-page.tsx'
import { hasButton, pass, pressButton, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { CheckBand } from './components/check-band.tsx'

// The check loads at the press; loaded here, it runs immediately.
await import('./components/band-check.tsx')

const SEALED_AT = NOON - 3900
const LATEST = {
  game_key: 'bitcoin-hero',
  draw: { number: 1, datetime: NOON - 3600, numbers: [7, 25, 21, 1, 20] },
} as AnswerOf<'getLatestDraws'>[number]
const DETAILS = {
  datetime: NOON - 3600,
  entries: 940,
  statements: [
    { index: 4, at: SEALED_AT - 60, type: 'sold', hash: '', text: '' },
    { index: 5, at: SEALED_AT, type: 'close', hash: '', text: '' },
  ],
} as unknown as AnswerOf<'getDraw'>

let page: RenderedPage
beforeEach(prepareBrowser)
afterEach(() => leaveBrowser(page))

const open = async ({ answers = {}, ...setting }: Setting = {}) => {
  ;({ page } = await openProof({
    part: <CheckBand />,
    profile: null,
    answers: { getLatestDraws: () => [LATEST], getDraw: () => DETAILS, ...answers },
    ...setting,
  }))
  await pass(50)
}
const captions = () => [...document.querySelectorAll('ol > li > p')].map((one) => one.textContent)
const ended = async () =>
  vi.waitFor(async () => {
    await pass(10)
    expect(document.querySelector('button')?.getAttribute('aria-busy')).toBeNull()
  })
const said = () => document.querySelector('[role="status"]')?.textContent

it('three pictures show how the newest draw came about, with its figures', async () => {
  await open()
  expect(document.querySelector('h2')?.textContent).toBe('How you can check it')
  expect(captions()).toEqual(['940 lines sealed, 10:55 AM', 'Public random number, 11:00 AM', 'Bitcoin Hero, draw 1'])
  const balls = [...document.querySelectorAll('ul[aria-label="Numbers drawn"] > li')].map((one) => one.textContent)
  expect(balls).toEqual(['7', '25', '21', '1', '20'])
})

it('before any draw the pictures have no figures, and a link explains how fairness works', async () => {
  await open({ answers: { getLatestDraws: () => [] } })
  expect(captions()).toEqual(['All lines are sealed', 'A public random number appears', 'The balls follow from both'])
  expect(hasButton('Check it now in your browser')).toBe(false)
  expect(document.querySelector('a')?.getAttribute('href')).toBe('/fairness')
})

it('a press verifies the draw in place: each right part gets a tick, and the proof is one link away', async () => {
  await open()
  await pressButton('Check it now in your browser')
  await ended()
  expect(said()).toBe('It matches. See the proof')
  expect(document.querySelector('[role="status"] a')?.getAttribute('href')).toBe('/game/bitcoin-hero/draw/1/proof')
  expect(captions().filter((caption) => caption.endsWith('checked'))).toHaveLength(3)
})

it('a part that is wrong gets no tick, and nothing is said to match', async () => {
  workers.change = (bundle) => ({ ...bundle, draws: bundle.draws.map((one) => ({ ...one, plays: null })) })
  await open()
  await pressButton('Check it now in your browser')
  await ended()
  expect(said()).toContain('Nothing failed, but not everything could be checked here.')
  expect(captions().filter((caption) => caption.endsWith('checked'))).toEqual([
    expect.stringContaining('Public random number'),
  ])
  page.unmount()
  workers.change = (bundle) => bundle
  await open({ pool: 1n })
  await pressButton('Check it now in your browser')
  await ended()
  expect(said()).toContain('It does not match.')
})

it('without the records there is no verdict, and the check can be repeated', async () => {
  await open()
  const fetched = vi.mocked(runtime.fetch).getMockImplementation()
  vi.mocked(runtime.fetch).mockRejectedValue(new Error('offline'))
  await pressButton('Check it now in your browser')
  await ended()
  expect(said()).toContain('Couldn’t load the records. That says nothing about the draw.')
  expect(text()).not.toContain('checked')
  if (fetched !== undefined) vi.mocked(runtime.fetch).mockImplementation(fetched)
  await pressButton('Check again')
  await ended()
  expect(said()).toContain('It matches.')
})
