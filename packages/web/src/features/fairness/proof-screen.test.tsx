import { ApiError } from '@fairball/contract/client'
import type { Bundle } from '@fairball/domain/fairness/bundle'
import { parseBundle } from '@fairball/domain/fairness/bundle-file'
import type { Outcome, Report, StepName } from '@fairball/domain/fairness/report'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collectDraw } from '../../proof/collect.ts'
import { fairnessMemory } from '../../proof/memory.ts'
import type { SeenClose } from '../../proof/memory.ts'
import type { Proof } from '../../proof/prove.ts'
import { proveInWorker } from '../../proof/verifier.ts'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { alerts, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { load, ProofScreen } from './proof-screen.tsx'
import { createQueryClient } from '../../app/query-client.ts'
import type { Api } from '../../shared/api.ts'

vi.mock('../../proof/verifier.ts', async (original) => ({ ...(await original()), proveInWorker: vi.fn() }))
vi.mock('../../proof/collect.ts', () => ({ collectDraw: vi.fn() }))
vi.mock('../../ui/save-file.ts', () => ({ saveFile: vi.fn() }))

const NAMES: readonly StepName[] = ['log', 'open', 'close', 'beacon', 'numbers', 'prizes', 'receipts']
const KEY = 'c0'.repeat(32)
const BUNDLE: Bundle = {
  game: 'bitcoin-hero',
  draw: 1,
  log: ['note'],
  rules: 'rules',
  witnesses: [],
  beacon: null,
  entries: null,
  own: null,
}

const stepsWith = (outcomes: Partial<Record<StepName, Outcome>> = {}): Report['steps'] =>
  NAMES.map((name) => ({
    name,
    title: `About ${name}`,
    outcome: outcomes[name] ?? 'passed',
    checks: [
      {
        id: `${name}.one`,
        title: `What should be so in ${name}`,
        outcome: outcomes[name] ?? 'passed',
        detail: `What was found in ${name}.`,
        inputs: [{ name: 'a value', value: `${name} value` }],
      },
    ],
  }))

const aProof = (report: Partial<Report> = {}, more: Partial<Proof> = {}): Proof => ({
  report: {
    game: 'bitcoin-hero',
    draw: 1,
    operator: 'lottery.example',
    fingerprint: 'f1'.repeat(32),
    state: 'settled',
    outcome: 'passed',
    isSeen: true,
    isPublicBeacon: true,
    steps: stepsWith(),
    derivation: null,
    tiers: null,
    ...report,
  },
  facts: { key: KEY, head: { seq: 9, hash: 'aa', note: 'note' }, startAt: null, signedTiers: null },
  evidence: null,
  ...more,
})

let page: RenderedPage
beforeEach(() => {
  vi.useFakeTimers({ now: NOON * 1000 })
  vi.mocked(collectDraw).mockResolvedValue({ bundle: BUNDLE, headNow: null, lines: 0, areLinesInReceipts: true })
  vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof(), bundle: BUNDLE })
})
afterEach(() => {
  page.unmount()
  fairnessMemory().forget()
  vi.useRealTimers()
})

const open = async (profile: object | null = {}) => {
  page = await renderPage(<ProofScreen gameKey="bitcoin-hero" number={1} />, {
    answers: { getGames: () => [heroGame(NOON + 3600)] },
    profile,
  })
}

const stepButton = (name: string) =>
  [...document.querySelectorAll('button[aria-expanded]')].find((one) => one.textContent.includes(name))

it('says that everything holds, with a word for each of the seven steps', async () => {
  await open()
  expect(document.querySelector('h1')?.textContent).toBe('Check draw 1 of Bitcoin Hero')
  expect(text()).toContain('All checks passed.')
  const heads = [...document.querySelectorAll('h3 > button[aria-expanded]')].map((one) => one.textContent)
  expect(heads).toEqual([
    '1. The logPassed',
    '2. The promise before the first salePassed',
    '3. The sealed listPassed',
    '4. The beaconPassed',
    '5. The numbersPassed',
    '6. The prizesPassed',
    '7. Your own linesPassed',
  ])
  expect(hasButton('Download evidence')).toBe(false)
})

const NOT_SEEN = 'Nothing here shows that the seal is older than the beacon'
const PRIVATE = 'this shows the arithmetic, not the honesty.'

it('says no more of a draw that holds where its seal was seen in time and its beacon is public', async () => {
  await open()
  expect(text()).not.toContain(NOT_SEEN)
  expect(text()).not.toContain(PRIVATE)
})

it('says beside a verdict that holds what it leaves open: a seal that nobody saw, a beacon of the operator’s own', async () => {
  vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ isSeen: false }), bundle: BUNDLE })
  await open()
  const status = () => document.querySelector('[role="status"]')?.textContent
  expect(status()).toContain('All checks passed.')
  expect(status()).toContain(NOT_SEEN)
  expect(status()).not.toContain(PRIVATE)
  page.unmount()
  vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ isPublicBeacon: false }), bundle: BUNDLE })
  await open()
  expect(status()).not.toContain(NOT_SEEN)
  expect(status()).toContain(PRIVATE)
})

it('leaves that unsaid of a draw that fails, or is not drawn yet', async () => {
  const unseen = { isSeen: false, isPublicBeacon: false } as const
  vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ ...unseen, outcome: 'failed' }), bundle: BUNDLE })
  await open()
  expect(text()).not.toContain(NOT_SEEN)
  page.unmount()
  const waiting = aProof({ ...unseen, outcome: 'unchecked', state: 'open' })
  vi.mocked(proveInWorker).mockResolvedValue({ proof: waiting, bundle: BUNDLE })
  await open()
  expect(text()).not.toContain(PRIVATE)
})

it('opens a step to its checks, with what was found and the values that went in', async () => {
  await open()
  const button = stepButton('3. The sealed list')
  expect(button?.getAttribute('aria-expanded')).toBe('false')
  await pressButton(button?.textContent ?? '')
  expect(button?.getAttribute('aria-expanded')).toBe('true')
  const panel = document.getElementById(button?.getAttribute('aria-controls') ?? '')
  expect(panel?.hidden).toBe(false)
  expect(panel?.textContent).toContain('What should be so in close')
  expect(panel?.textContent).toContain('What was found in close.')
  expect([...(panel?.querySelectorAll('dt, dd') ?? [])].map((one) => one.textContent)).toEqual([
    'a value',
    'close value',
  ])
})

it('says that something does not hold, opens the step that failed, and offers the evidence', async () => {
  const proof = aProof({ outcome: 'failed', steps: stepsWith({ close: 'failed' }) }, { evidence: '{"failed":[]}' })
  vi.mocked(proveInWorker).mockResolvedValue({ proof, bundle: BUNDLE })
  await open()
  expect(text()).toContain('A check failed.')
  expect(stepButton('3. The sealed list')?.getAttribute('aria-expanded')).toBe('true')
  expect(stepButton('3. The sealed list')?.textContent).toContain('Failed')
  expect(stepButton('1. The log')?.getAttribute('aria-expanded')).toBe('false')
  await pressButton('Download evidence')
  await pass(100)
  expect(saveFile).toHaveBeenCalledWith({
    name: 'fairball-bitcoin-hero-1.evidence.json',
    type: 'application/json',
    content: '{"failed":[]}',
  })
})

it.each([
  ['open', 'it is open for sale', 'Not drawn yet'],
  ['closed', 'its entries are sealed', 'Not drawn yet'],
  ['void', 'This draw did not take place.', 'Not checkable here'],
  ['settled', 'Nothing fails here, but not everything could be checked.', 'Not checkable here'],
] as const)(
  'says of a draw that is %s how far it is, and not that anything is wrong',
  async (state, sentence, mark) => {
    const steps = stepsWith({ beacon: 'unchecked', numbers: 'unchecked' })
    vi.mocked(proveInWorker).mockResolvedValue({
      proof: aProof({ state, outcome: 'unchecked', steps }),
      bundle: BUNDLE,
    })
    await open()
    const status = document.querySelector('[role="status"]')?.textContent
    expect(status).toContain(sentence)
    expect(status).toContain(mark)
    expect(stepButton('4. The beacon')?.textContent).toContain('Not checkable here')
    expect(text()).not.toContain('A check failed.')
  },
)

it('shows each step as it comes, the next one as being checked and the others as waiting', async () => {
  vi.mocked(proveInWorker).mockImplementation(async (_task, onStep) => {
    for (const step of stepsWith().slice(0, 2)) onStep(step)
    return new Promise(() => {})
  })
  await open()
  expect(document.querySelector('[role="status"]')?.textContent).toContain('Computing: 2 of 7 steps done…')
  const rows = [...document.querySelectorAll('ol > li')].map((one) => one.textContent)
  expect(rows[1]).toContain('Passed')
  expect(rows[2]).toContain('Checking')
  expect(rows[3]).toContain('Waiting')
})

it('says that nothing is said of the draw when it cannot be fetched, and tries again', async () => {
  vi.mocked(collectDraw).mockRejectedValueOnce(new ApiError({ status: 0, code: 'NETWORK_ERROR', message: '' }))
  await open()
  expect(text()).toContain('could not be fetched. That says nothing about the draw.')
  await pressButton('Try again')
  expect(text()).toContain('All checks passed.')
})

it('says that nothing is said of the draw when the browser cannot compute it', async () => {
  vi.mocked(proveInWorker).mockRejectedValueOnce(new Error('no worker'))
  await open()
  expect(text()).toContain('This browser could not run the check. That says nothing about the draw.')
  await pressButton('Try again')
  expect(text()).toContain('All checks passed.')
})

it('fetches and checks anew when asked to', async () => {
  await open()
  expect(collectDraw).toHaveBeenCalledTimes(1)
  await pressButton('Check again')
  expect(collectDraw).toHaveBeenCalledTimes(2)
})

it('checks with the receipts of who is signed in, and without any for a visitor', async () => {
  await open()
  expect(vi.mocked(collectDraw).mock.lastCall?.[1]).toMatchObject({
    game: 'bitcoin-hero',
    draw: 1,
    username: 'player-abc123',
    withEntries: true,
  })
  page.unmount()
  await open(null)
  expect(vi.mocked(collectDraw).mock.lastCall?.[1]).toMatchObject({ username: null })
})

it('gives the bundle as a file that can be read again, and says that receipts in it are private', async () => {
  const own = {
    key: KEY,
    username: 'player-abc123',
    sights: [],
    receipts: [{ receipt: 'r', close: null, entries: [] }],
  }
  vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof(), bundle: { ...BUNDLE, own } })
  await open()
  expect(text()).toContain('Your copy contains your receipts')
  await pressButton('Download bundle')
  await pass(100)
  const [saved] = vi.mocked(saveFile).mock.lastCall ?? []
  expect(saved?.name).toBe('fairball-bitcoin-hero-1.bundle.json')
  expect(parseBundle(saved?.content as string)).toEqual({ ...BUNDLE, own })
})

it('shows the fingerprint of the operator’s key with what it is for, and since when this browser knows it', async () => {
  await open()
  expect(text()).toContain(
    'Every statement of lottery.example is signed with this key, or with one that it handed over to in the log.',
  )
  expect(document.querySelector('[aria-label="Copy fingerprint"]')).not.toBeNull()
  expect(fairnessMemory().read()).toMatchObject({ operator: 'lottery.example', key: KEY, keySeenAt: NOON })
  expect(text()).toMatch(/This browser first saw it on Jan 15, 2027 at 12:00 PM\./u)
})

it('remembers nothing of a log that does not hold', async () => {
  const proof = aProof({ outcome: 'failed', steps: stepsWith({ log: 'failed' }) }, { evidence: '{}' })
  vi.mocked(proveInWorker).mockResolvedValue({ proof, bundle: BUNDLE })
  await open()
  expect(fairnessMemory().read().key).toBeNull()
})

it('leads from a failed memory check to what this browser remembers, in a demo', async () => {
  const [first, ...others] = stepsWith({ log: 'failed' })
  const remembered = {
    id: 'log.remembered',
    title: 'Same log',
    outcome: 'failed',
    detail: 'Another.',
    inputs: [],
  } as const
  const steps = first === undefined ? [] : [{ ...first, checks: [remembered] }, ...others]
  vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ outcome: 'failed', steps }), bundle: BUNDLE })
  await open()
  expect(document.querySelector('a[href="/fairness#memory"]')?.textContent).toBe('What this browser remembers')
})

describe('the way to the balls', () => {
  const derivation: Report['derivation'] = {
    seed: 'a0'.repeat(32),
    openHash: 'b0'.repeat(32),
    closeHash: 'c1'.repeat(32),
    round: BigInt('31799517'),
    signature: 'd0'.repeat(48),
    randomness: 'e0'.repeat(32),
    key: 'f0'.repeat(32),
    pool: 49,
    balls: [
      { number: 34, place: 33, bytes: [{ byte: 0x83, remaining: 49, limit: 245, used: true }] },
      {
        number: 49,
        place: 45,
        bytes: [
          { byte: 0xec, remaining: 46, limit: 230, used: false },
          { byte: 0xe5, remaining: 46, limit: 230, used: true },
        ],
      },
    ],
  }

  it('goes ball by ball, and says of a discarded byte why', async () => {
    vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ derivation }), bundle: BUNDLE })
    await open()
    const balls = [...document.querySelectorAll('ol > li[aria-label^="Ball "]')]
    expect(balls.map((one) => one.getAttribute('aria-label'))).toEqual(['Ball 1: 34', 'Ball 2: 49'])
    expect([...(balls[0]?.querySelectorAll('p') ?? [])].map((one) => one.textContent)).toEqual([
      'Byte 83 = 131. 131 mod 49 left = place 33 → ball 34',
    ])
    expect([...(balls[1]?.querySelectorAll('p') ?? [])].map((one) => one.textContent)).toEqual([
      'Byte ec = 236 is discarded: it is not below 230, the largest multiple of 46 in 256.',
      'Byte e5 = 229. 229 mod 46 left = place 45 → ball 49',
    ])
  })

  it('shows the stream with thrown-away bytes struck through, said in words as well', async () => {
    vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ derivation }), bundle: BUNDLE })
    await open()
    const cells = [...document.querySelectorAll('ol[aria-label="Bytes taken from the stream, in order"] > li')]
    expect(cells.map((cell) => cell.querySelector('s')?.textContent ?? null)).toEqual([null, 'ec', null])
    expect(cells.map((cell) => cell.textContent)).toEqual(['8334 gives ball 34', 'ec– discarded', 'e549 gives ball 49'])
  })

  it('lists what goes in, and is left out before the beacon has spoken', async () => {
    vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ derivation }), bundle: BUNDLE })
    await open()
    expect(text()).toContain('31799517')
    page.unmount()
    vi.mocked(proveInWorker).mockResolvedValue({
      proof: aProof({ state: 'closed', outcome: 'unchecked' }),
      bundle: BUNDLE,
    })
    await open()
    expect(text()).not.toContain('Ball by ball')
  })
})

describe('the prizes', () => {
  const tier = (matches: number, winners: number, satsEach: number, kind = 'fixed') => ({
    matches,
    kind: kind as 'fixed' | 'jackpot' | 'free',
    winners,
    satsEach: BigInt(satsEach),
  })
  const rows = () =>
    [...document.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((one) => one.textContent),
    )

  it('stand computed beside signed, and what differs is said', async () => {
    const tiers = [tier(5, 0, 0, 'jackpot'), tier(4, 1, 300_000), tier(3, 2, 5000), tier(2, 7, 0, 'free')]
    const signedTiers = [tier(5, 0, 0, 'jackpot'), tier(4, 1, 300_000), tier(3, 1, 5000), tier(2, 7, 0, 'free')]
    const { facts } = aProof()
    vi.mocked(proveInWorker).mockResolvedValue({
      proof: aProof({ tiers }, { facts: { ...facts, signedTiers } }),
      bundle: BUNDLE,
    })
    await open()
    expect(rows()).toEqual([
      ['5 matches, jackpot', '0 winners', '0 winners', 'The same'],
      ['4 matches', '1 winner, 300,000 satoshis', '1 winner, 300,000 satoshis', 'The same'],
      ['3 matches', '2 winners, 5,000 satoshis', '1 winner, 5,000 satoshis', 'Different'],
      ['2 matches', '7 winners, a free ticket', '7 winners, a free ticket', 'The same'],
    ])
  })

  it('are not compared before the operator has signed them', async () => {
    vi.mocked(proveInWorker).mockResolvedValue({ proof: aProof({ tiers: [tier(4, 1, 300_000)] }), bundle: BUNDLE })
    await open()
    expect(rows()).toEqual([['4 matches', '1 winner, 300,000 satoshis', 'Not signed yet', '–']])
  })
})

describe('what this browser saw of the sealing', () => {
  const close = (changes: Partial<SeenClose>): SeenClose => ({
    game: 'bitcoin-hero',
    draw: 1,
    hash: 'aa',
    note: 'note',
    seenAt: NOON - 50,
    sealedAt: NOON - 60,
    startAt: NOON + 60,
    player: 'player-abc123',
    lines: 3,
    outcome: 'sealed',
    problem: null,
    evidence: null,
    ...changes,
  })

  it('is said in plain words where the lines are sealed', async () => {
    fairnessMemory().rememberClose(close({}))
    await open()
    expect(text()).toContain(
      'Your 3 lines were sealed on Jan 15, 2027 at 11:59 AM, before the draw’s randomness existed. Checked in this browser.',
    )
  })

  it('is a clear warning where it does not hold, with the evidence it kept', async () => {
    fairnessMemory().rememberClose(
      close({ outcome: 'broken', problem: 'They are sealed: no.', evidence: '{"kept":1}' }),
    )
    await open()
    expect(alerts().join()).toContain('What was sealed for this draw does not hold. They are sealed: no.')
    await pressButton('Download evidence')
    expect(saveFile).toHaveBeenCalledWith(expect.objectContaining({ content: '{"kept":1}' }))
  })

  it('says what could not be checked, and says nothing of another player’s lines', async () => {
    fairnessMemory().rememberClose(close({ outcome: 'unchecked', problem: 'No receipts.' }))
    await open()
    expect(text()).toContain('This browser could not check the sealing of your lines. No receipts.')
    page.unmount()
    await open({ username: 'player-other1' })
    expect(text()).not.toContain('sealing of your lines')
  })
})

describe('its address', () => {
  const context = (fail: unknown) => {
    const call = async () => {
      if (fail !== null) throw fail
      return { notes: [], witnesses: [], beacon: null }
    }
    return { api: { call } as unknown as Api, queryClient: createQueryClient(true) }
  }
  const draw = { gameKey: 'bitcoin-hero', number: 99 }

  it('is not found for a draw that does not exist', async () => {
    await open()
    const missing = new ApiError({ status: 404, code: 'NOT_FOUND', message: '' })
    await expect(load(context(missing), draw)).rejects.toMatchObject({ isNotFound: true })
  })

  it('opens for a draw that exists, and fails as other pages do when the server fails', async () => {
    await open()
    await expect(load(context(null), draw)).resolves.toBeUndefined()
    const broken = new ApiError({ status: 500, code: 'SERVER_ERROR', message: '' })
    await expect(load(context(broken), draw)).rejects.toBe(broken)
  })
})
