import { ApiError } from '@fairball/contract/client'
import { readBundle } from '@fairball/domain/protocol/bundle'
import { toHex } from '@fairball/domain/protocol/bytes'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { TEST_LOG_SEED, TEST_ORIGIN, TEST_POLICY } from '@fairball/domain/protocol/operator-fixture'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../app/query-client.ts'
import type { KeptSeal } from '../../proof/kept-records.ts'
import { keptStore } from '../../proof/kept-store.ts'
import type { Api } from '../../shared/api.ts'
import { NOON } from '../../testing/pounds.ts'
import {
  ME,
  openProof,
  panelOf,
  leaveBrowser,
  prepareBrowser,
  questionButton,
  SECRET,
  status,
} from '../../testing/proof-page.tsx'
import type { Setting } from '../../testing/proof-page.tsx'
import { alerts, hasButton, pass, pressButton, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { saveFile } from '@fairball/ui/save-file.ts'
import { load } from './proof-screen.tsx'

vi.mock('@fairball/ui/save-file.ts', () => ({ saveFile: vi.fn() }))

const KEY = toHex(publicKeyOf(TEST_LOG_SEED))

let page: RenderedPage
beforeEach(prepareBrowser)
afterEach(() => leaveBrowser(page))

const open = async (setting: Setting = {}) => {
  const set = await openProof(setting)
  page = set.page
  return set
}
const PAPERS = '7. Your promises and receipts'
const ownPlays = () => panelOf(PAPERS)?.textContent

describe('the player’s own plays', () => {
  it('own plays are shown in their place with their lines, and not to a visitor', async () => {
    const { order } = await open()
    expect(ownPlays()).toContain('In the sealed list, place 2')
    expect(ownPlays()).toContain('2 lines: 1, 2, 3 · 4, 5, 6')
    expect(ownPlays()).toContain(order.id)
    page.unmount()
    await open({ profile: null })
    expect(ownPlays()).not.toContain('Your plays')
    expect(questionButton(PAPERS)?.textContent).toContain('Log in, or scan your printed ticket, to check your lines.')
    expect(questionButton(PAPERS)?.textContent).toMatch(/Not judged$/u)
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

it('the bundle is saved as a file that can be read again, with a note that its papers are private', async () => {
  const { order } = await open()
  expect(text()).toContain('Your copy contains your receipts')
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
