import { TEST_ORIGIN, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { readEvidence } from '@fairball/domain/protocol/bundle'
import { TEST_ROUNDS } from '@fairball/domain/protocol/operator-fixture'
import { isProven } from '@fairball/domain/protocol/verify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keptStore } from '../../proof/kept-store.ts'
import { runtime } from '../../shared/runtime.ts'
import {
  checked,
  openProof,
  panelOf,
  leaveBrowser,
  prepareBrowser,
  questionButton,
  status,
  workers,
} from '../../testing/proof-page.tsx'
import type { Setting } from '../../testing/proof-page.tsx'
import { hasButton, pass, pressButton, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { saveFile } from '@fairball/ui/save-file.ts'

vi.mock('@fairball/ui/save-file.ts', () => ({ saveFile: vi.fn() }))

let page: RenderedPage
beforeEach(prepareBrowser)
afterEach(() => leaveBrowser(page))

const open = async (setting: Setting = {}) => {
  const set = await openProof(setting)
  page = set.page
  return set
}
const answerTo = (step: string) => questionButton(step)?.textContent
const section = (title: string) =>
  [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === title)
const limits = () => section('What this check cannot prove')?.textContent ?? ''
const ballsIn = (label: string) =>
  [...document.querySelectorAll(`ul[aria-label="${label}"] > li`)].map((one) => one.textContent)

it('only a proved draw is said to have numbers that nobody chose', async () => {
  const { draw } = await open()
  expect(document.querySelector('h1')?.textContent).toBe('Check draw 1 of Bitcoin Hero')
  expect(document.querySelector('[role="status"] h2')?.textContent).toBe('It matches.')
  expect(status()).toContain('Your browser recalculated this draw. Nobody chose these numbers.')
  expect(text()).toContain('Your 2 lines were all in the sealed list.')
  const { final } = draw
  const numbers = final?.statement.type === 'result' ? final.statement.numbers.map(String) : []
  expect(ballsIn('Published numbers')).toEqual(numbers)
  expect(ballsIn('Numbers recalculated here')).toEqual(numbers)
  expect(text()).toContain('equals')
  expect(hasButton('Download evidence')).toBe(false)
  expect(hasButton('Replay this draw')).toBe(true)
})

it('each of seven questions has its step and an answer from its checks', async () => {
  await open()
  const heads = [...document.querySelectorAll('h3 > button[aria-expanded]')].map((one) => one.textContent)
  expect(heads).toEqual([
    expect.stringMatching(
      /^1\. The public logIs the public record unbroken\?Yes\. Its 6 entries are signed as one, .*Passed$/u,
    ),
    expect.stringMatching(
      /^2\. The announcement before the first saleWere the rules fixed in advance\?Yes\. Signed and published on .*Passed$/u,
    ),
    expect.stringMatching(
      /^3\. The sealed listCould a ticket be added after sales closed\?Not without a trace\. All 3 lines match the list sealed at .* Signed in time by w\.example\.Passed$/u,
    ),
    expect.stringMatching(
      /^4\. The random numberWhere did the random number come from\?From drand’s public beacon, round [\d,]+, due at .*The signature is valid\.Passed$/u,
    ),
    expect.stringMatching(
      /^5\. The numbersDo the balls follow from it\?Yes\. Recalculated here: \d+, \d+, \d+\.Passed$/u,
    ),
    expect.stringMatching(/^6\. Money and prizesWere the winners counted correctly\?Yes\. .*Passed$/u),
    expect.stringMatching(
      /^7\. Your promises and receiptsWere my lines included\?Yes\. All 2 of your lines are in the sealed list\.Passed$/u,
    ),
  ])
})

it('while the check runs, the page says its step, with empty slots for the balls', async () => {
  workers.stopAt = 'beacon'
  await open()
  await vi.waitFor(async () => {
    await pass(10)
    expect(text()).toContain('Checking step 3 of 7')
  })
  // What is played again is a draw whose result was published.
  expect(hasButton('Replay this draw')).toBe(false)
  // Only a step that lasts is announced.
  expect(status()).toBe('Checking this draw')
  await pass(4_000)
  expect(status()).toBe('Checking step 3 of 7')
  expect(ballsIn('Published numbers')).toEqual(Array.from({ length: 5 }, () => 'empty'))
  const questions = [...document.querySelectorAll('ol h3')].map((one) => one.textContent)
  expect(questions[2]).toMatch(/^3\. The sealed list.*Checking$/u)
  expect(questions[3]).toMatch(/^4\. The random number.*Waiting$/u)
})

it('a draw that holds is shown with its missing proofs, and is not said to have numbers that nobody chose', async () => {
  await open({ isTrusting: false })
  expect(status()).toContain('It matches.Your browser recalculated this draw. Not proved here:')
  expect(status()).toContain('that the list was sealed before the random number')
  expect(text()).toContain('Holds, not proved')
  expect(text()).not.toContain('Nobody chose these numbers')
  expect(answerTo('3. The sealed list')).toMatch(
    /All 3 lines match .* Not proved here: that the list was sealed before the random number\..*Not shown here$/u,
  )
})

it('the limits are those of this check, and witnesses are named only if their signatures were verified', async () => {
  await open({ isTrusting: false })
  expect(limits()).toContain('That the list was sealed before the random number existed. w.example signed it in time.')
  expect(limits()).toContain('That the operator and the source of randomness didn’t collude.')
  expect(limits()).not.toContain('This demo makes its own.')
  page.unmount()
  // A checkpoint without the lines of witnesses.
  workers.change = (bundle) => ({
    ...bundle,
    draws: bundle.draws.map((one) => ({
      ...one,
      seal:
        one.seal === null
          ? null
          : { ...one.seal, checkpoint: one.seal.checkpoint.replace(/\n— w\.example .*\n$/u, '\n') },
    })),
  })
  await open({ isTrusting: false })
  expect(limits()).not.toContain('signed it in time')
  expect(answerTo('3. The sealed list')).not.toContain('Signed in time')
})

it('a proved draw still has limits', async () => {
  await open()
  expect(limits()).toContain('That prizes are paid.')
  expect(limits()).not.toContain('That the list was sealed')
})

it('the course of the draw is shown to the second, by what was signed', async () => {
  await open()
  const moments = [...(section('What happened, and when')?.querySelectorAll('li') ?? [])].map((one) => one.textContent)
  expect(moments).toEqual([
    expect.stringMatching(/^Rules fixed.*\d+:\d\d:\d\d [AP]M$/u),
    expect.stringMatching(/^Entries sealed.*\d+:\d\d:\d\d [AP]M$/u),
    expect.stringMatching(/^Random number.*\d+:\d\d:\d\d [AP]M$/u),
    expect.stringMatching(/^Balls drawn.*\d+:\d\d:\d\d [AP]M$/u),
  ])
  expect(moments.join()).not.toContain('Due')
})

it('a question opens to its checks, each with the reason for its outcome', async () => {
  await open({ isTrusting: false })
  const button = questionButton('3. The sealed list')
  expect(button?.getAttribute('aria-expanded')).toBe('false')
  await pressButton(button?.textContent ?? '')
  expect(button?.getAttribute('aria-expanded')).toBe('true')
  const panel = panelOf('3. The sealed list')
  expect(panel?.hidden).toBe(false)
  expect(panel?.textContent).toContain('Someone this verifier trusts saw the sealed list in time')
  expect(panel?.textContent).toContain('seal.seen')
})

it('a draw that breaks the rules is said to, with the failed question open and evidence that proves it', async () => {
  await open({ pool: 1n })
  expect(status()).toContain('It does not match.')
  expect(questionButton('6. Money and prizes')?.getAttribute('aria-expanded')).toBe('true')
  expect(answerTo('6. Money and prizes')).toMatch(/This check failed: .*Failed$/u)
  expect(questionButton('1. The public log')?.getAttribute('aria-expanded')).toBe('false')
  await pressButton('Download evidence')
  await pass(100)
  const [saved] = vi.mocked(saveFile).mock.lastCall ?? []
  expect(saved?.name).toBe('fairball-test-game-1.evidence.json')
  expect(isProven(readEvidence(saved?.content as string), TEST_ROUNDS)).toBe(true)
})

it('a damaged record accuses nobody', async () => {
  workers.change = (bundle) => ({ ...bundle, texts: [] })
  await open()
  expect(status()).toContain('This record is incomplete or damaged.That accuses no one.')
  expect(limits()).toBe('What this check cannot proveAnything: there is no complete record to check.')
  expect(answerTo('5. The numbers')).toContain('Not checked here.')
  expect(hasButton('Download evidence')).toBe(false)
})

it('only a part of the list that is here leaves the verdict open, with the number of checks that were not made', async () => {
  workers.change = (bundle) => ({ ...bundle, draws: bundle.draws.map((one) => ({ ...one, plays: null })) })
  await open({ profile: null })
  expect(status()).toMatch(/Nothing failed\.\d of 7 checks could not be made here\./u)
  expect(status()).not.toContain('It matches.')
})

it.each(['open', 'sealed'] as const)('a draw that is %s is said to be not drawn yet', async (until) => {
  await open({ until })
  expect(status()).toContain('Not drawn yet.What has been published so far is in order.')
  expect(answerTo('5. The numbers')).toContain('Not drawn yet.')
  expect(section('What happened, and when')?.textContent).toMatch(/Balls drawnDue /u)
  expect(text()).not.toContain('Ball by ball')
})

it('a void draw is said not to have taken place', async () => {
  await open({ until: 'void' })
  expect(status()).toContain('This draw did not take place.')
  expect(section('What happened, and when')?.textContent).toMatch(/Draw void/u)
  expect(text()).not.toContain('Nobody chose these numbers')
})

it('only a request that failed is said to: the draw gets no verdict, and can be checked again', async () => {
  await open()
  const fetched = vi.mocked(runtime.fetch).getMockImplementation()
  vi.mocked(runtime.fetch).mockRejectedValue(new Error('offline'))
  await pressButton('Check again')
  await checked()
  expect(status()).toBe('Couldn’t load the records.That says nothing about the draw.')
  if (fetched !== undefined) vi.mocked(runtime.fetch).mockImplementation(fetched)
  await pressButton('Try again')
  await checked()
  expect(status()).toContain('It matches.')
})

it('files that break the protocol have the words of a damaged record', async () => {
  await open()
  vi.mocked(runtime.fetch).mockImplementation(async () => new Response('no checkpoint'))
  await pressButton('Check again')
  await checked()
  expect(status()).toContain('This record is incomplete or damaged.That accuses no one.')
  expect(text()).not.toContain('Couldn’t load')
  expect(hasButton('Try again')).toBe(true)
})

/** How often the head of the log was asked for. */
const headsAsked = () =>
  vi.mocked(runtime.fetch).mock.calls.filter(([address]) => address === '/fairball/checkpoint').length

/** How often the head was asked for: before the player's papers were, and in all. */
const headsBesidePapers = async (until: 'settled' | 'sealed') => {
  let before = NaN
  const getTickets = () => {
    before = headsAsked()
    return { results: [], total_pages: 0 }
  }
  await open({ until, answers: { getTickets } })
  return { before, inAll: headsAsked() }
}

it('once a draw is over, its record is fetched beside the player’s papers', async () => {
  expect(await headsBesidePapers('settled')).toEqual({ before: 1, inAll: 1 })
})

it('before the end of a draw, the head is fetched once more after the papers, which could be newer', async () => {
  expect(await headsBesidePapers('sealed')).toEqual({ before: 1, inAll: 2 })
})

it('what the operator has signed is a failure, whatever is served to a second look', async () => {
  const liar = new TestOperator()
  const draw = liar.openDraw()
  liar.sell(draw, [{ secret: new Uint8Array(32), username: 'other', lines: [[7, 8, 9]], free: 0, rate: 3000 }])
  liar.closeDraw(draw, { pool: 1n })
  await liar.seal(draw)
  liar.settle(draw)
  const served = [await liar.bundle()]
  workers.change = (bundle) => served.pop() ?? bundle
  await open()
  expect(status()).toContain('It does not match.')
  expect(hasButton('Download evidence')).toBe(true)
})

it('a draw that the browser cannot compute gets no verdict', async () => {
  workers.areForbidden = true
  await open()
  expect(status()).toBe('This browser could not run the check.That says nothing about the draw.')
  workers.areForbidden = false
  await pressButton('Try again')
  await checked()
  expect(status()).toContain('It matches.')
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
  expect(answerTo('1. The public log')).toContain('Failed')
  expect(document.querySelector('a[href="/fairness#memory"]')?.textContent).toBe('What this browser keeps')
})
