import { fromHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { TEST_ROUNDS, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { playSecret } from '@fairball/domain/protocol/plays'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { keptStore } from '../../proof/kept-store.ts'
import { prove } from '../../proof/prove.ts'
import { writeTicketCode } from '../../proof/ticket-code.ts'
import { proveInWorker } from '../../proof/verifier.ts'
import { runtime } from '../../shared/runtime.ts'
import { keepCodesFromAddress } from '../../shared/scanned-ticket.ts'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { pass, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { filesOf, fileServer, hintOf } from '../../testing/served-operator.ts'
import { ProofScreen } from './proof-screen.tsx'

vi.mock('../../proof/verifier.ts', async (original) => ({ ...(await original()), proveInWorker: vi.fn() }))

const SECRET = nobleHash(new Uint8Array([1]))
const ME = 'player-k3x9qd'
const LINES = [
  [1, 2, 3],
  [4, 5, 6],
]
const PATH = '/game/bitcoin-hero/draw/1/proof'

let page: RenderedPage
beforeAll(() => import('./components/scanned-ticket.tsx'))
beforeEach(() => {
  vi.useFakeTimers({ now: NOON * 1000 })
  vi.mocked(proveInWorker).mockImplementation(async (task) => {
    if ('file' in task) throw new Error('no file is checked here')
    return { proof: prove(task, TEST_ROUNDS), bundle: task.bundle }
  })
})
afterEach(async () => {
  page.unmount()
  await keptStore().forget()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The state of the draw, what was scanned, and who scans it. */
interface Setting {
  until?: 'open' | 'sealed' | 'settled' | 'void'
  index?: number
  username?: string
  fragment?: string
  isPlayer?: boolean
  /** A file that is not served any more. */
  gone?: (path: string) => boolean
}

/** Opens the proof of a draw with the player's two lines, by a scanned code. */
async function scan({ until = 'settled', index = 1, username = ME, fragment, isPlayer = false, gone }: Setting = {}) {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const other = { secret: nobleHash(new Uint8Array([2])), username: 'other', lines: [[7, 8, 9]], free: 0, rate: 3000 }
  operator.sell(draw, [other, { secret: SECRET, username: ME, lines: LINES, free: 0, rate: 3000 }])
  if (until === 'sealed' || until === 'settled') {
    operator.closeDraw(draw)
    await operator.seal(draw)
  }
  if (until === 'settled') operator.settle(draw)
  if (until === 'void') operator.giveUp(draw, 'outage')
  vi.setSystemTime((until === 'open' ? draw.start - 3600 : operator.now) * 1000)
  const asked: string[] = []
  vi.spyOn(runtime, 'fetch').mockImplementation(async (address) => {
    if (typeof address === 'string') asked.push(address)
    const files = new Map(await filesOf(operator))
    for (const path of files.keys()) if (gone?.(path) === true) files.delete(path)
    return await fileServer(async () => files)(address)
  })
  const ps = playSecret(SECRET, fromHex(draw.open.hash))
  const code = fragment ?? writeTicketCode({ index, ps, username })
  const browser = { url: new URL(`http://localhost${PATH}#${code}`) }
  keepCodesFromAddress({
    location: browser.url as unknown as Location,
    history: { state: null, replaceState: () => void (browser.url.hash = '') } as unknown as History,
    addEventListener: () => undefined,
  })
  page = await renderPage(<ProofScreen gameKey="bitcoin-hero" number={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getFairnessDraw: ({ params }) => hintOf(operator, Number(params.number)),
      getTickets: () => ({ results: [], total_pages: 0 }),
    },
    profile: isPlayer ? {} : null,
  })
  await vi.waitFor(async () => {
    await pass(10)
    expect(verdict()).not.toMatch(/^(?:Checking.*)?$/u)
  })
  return { draw, asked, code }
}

const card = () =>
  [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === 'Scanned ticket')
const verdict = () => card()?.querySelector('[role="status"]')?.textContent ?? ''
const link = () => card()?.querySelector('a')

it('a ticket is scanned without a login: its lines are in the sealed list, and no request holds its secret', async () => {
  const { asked, code } = await scan()
  expect(verdict()).toBe(`In the sealed list: 2 lines of ${ME}`)
  const lines = [...(card()?.querySelectorAll('[aria-label^="Line "]') ?? [])]
  expect(lines.map((line) => line.getAttribute('aria-label'))).toEqual(['Line A', 'Line B'])
  expect(lines[0]?.textContent).toContain('1')
  expect(link()).toBeNull()
  const [, , secret = ''] = code.split('.')
  expect(asked.length).toBeGreaterThan(5)
  for (const address of asked) {
    expect(address).not.toContain(secret.slice(0, 8))
    expect(address).not.toContain(Buffer.from(secret, 'base64url').toString('hex').slice(0, 8))
    expect(address).not.toContain(ME)
  }
})

it('a ticket’s lines are shown as soon as the list is sealed, without a word about the numbers', async () => {
  await scan({ until: 'sealed' })
  expect(verdict()).toBe(`In the sealed list: 2 lines of ${ME}`)
  expect(card()?.querySelector('[data-state="matched"], [class*="matched"]')).toBeNull()
})

it('before the close the page says when the list is published', async () => {
  await scan({ until: 'open' })
  expect(verdict()).toBe('The sealed list is published at 11:55 PM. Scan again then.')
})

it.each([
  ['at another place', { index: 0 }],
  ['beyond the list', { index: 7 }],
])(
  'a ticket that is not in its place is not in this draw, and only a login says where it is: %s',
  async (_what, where) => {
    await scan(where)
    expect(verdict()).toBe('Not in this draw. If your payment confirmed late, these lines moved: log in to see where.')
    expect(link()?.getAttribute('href')).toBe('/login?path=/settings/general/tickets')
    expect(document.body.textContent).not.toContain('evidence')
  },
)

it('a player who is logged in is led to the tickets', async () => {
  await scan({ index: 0, isPlayer: true })
  expect(link()?.getAttribute('href')).toBe('/settings/general/tickets')
})

it.each([
  ['cut off', { fragment: 't=2.1.umGvRNCOqv' }],
  ['of another version', { fragment: 't=1.1.2.3' }],
  ['with another name', { username: 'someone' }],
])('a damaged code is said to be damaged: %s', async (_what, setting) => {
  await scan(setting)
  expect(verdict()).toBe(
    'This code is damaged or incomplete. Scan the whole code again, or log in to check your lines.',
  )
})

it('the lines of a void draw are said to have moved', async () => {
  await scan({ until: 'void' })
  expect(verdict()).toBe('This draw was void. These lines moved to a later draw: log in to see where.')
})

it('files that are gone say nothing about the ticket', async () => {
  await scan({ gone: (path) => path.startsWith('draw/') && path.includes('tile/entries') })
  expect(verdict()).toMatch(/incomplete or damaged, so this ticket cannot be checked|Couldn’t load the records/u)
})
