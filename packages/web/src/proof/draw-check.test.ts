// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Api } from '../shared/api.ts'
import type { Clock } from '../shared/clock.ts'
import type { Session } from '../shared/session/session.ts'
import { STARTING } from './draw-check.ts'
import type * as DrawProofs from './draw-proof.ts'

const proveDraw = vi.hoisted(() => vi.fn<typeof DrawProofs.proveDraw>())
vi.mock('./draw-proof.ts', () => ({ proveDraw }))

const OF = { game: 'bitcoin-hero', draw: 7, player: 'ada' }

beforeEach(() => {
  proveDraw.mockReset().mockReturnValue(new Promise(() => undefined))
})
afterEach(() => history.replaceState(null, '', '/'))

/** What a document for an address does, before its screen is there unless that comes first. */
async function arrive({ address = '/game/bitcoin-hero/draw/7/proof', status = 'player', isScreenFirst = false } = {}) {
  history.replaceState(null, '', address)
  vi.resetModules()
  const checks = await import('./draw-check.ts')
  if (isScreenFirst) checks.takeEarlyCheck(OF)
  const profile = status === 'player' ? { username: 'ada' } : null
  const session = { ready: async () => undefined, state: () => ({ status, profile }) } as unknown as Session
  await checks.lookEarly({} as Api, session, {} as Clock)
  return checks
}

it('the draw that the address names is checked before its page can show it, and the page takes the check over', async () => {
  const { takeEarlyCheck } = await arrive()
  const [, wanted] = proveDraw.mock.lastCall ?? []
  expect(wanted).toMatchObject(OF)
  wanted?.onStage?.('record')
  const shown: unknown[] = []
  const end = takeEarlyCheck(OF)?.follow((state) => shown.push(state))
  wanted?.onStep?.('beacon')
  expect(shown).toEqual([
    { ...STARTING, stage: 'record' },
    { ...STARTING, stage: 'record', step: 'beacon' },
  ])
  end?.()
  expect(wanted?.signal?.aborted).toBe(true)
})

it('an early check is taken over once, and by its own draw and player alone', async () => {
  for (const other of [{ game: 'treasure' }, { draw: 8 }, { player: null }])
    expect((await arrive()).takeEarlyCheck({ ...OF, ...other })).toBeNull()
  const { takeEarlyCheck } = await arrive()
  expect(takeEarlyCheck(OF)).not.toBeNull()
  expect(takeEarlyCheck(OF)).toBeNull()
})

it('a visitor’s check begins early too', async () => {
  const { takeEarlyCheck } = await arrive({ status: 'anonymous' })
  expect(takeEarlyCheck({ ...OF, player: null })).not.toBeNull()
})

it.each([
  ['the session is not known', { status: 'unknown' }],
  ['the page is another one', { address: '/game/bitcoin-hero/draw/7' }],
  ['the page is there first, and has begun', { isScreenFirst: true }],
])('nothing begins early if %s', async (_why, given) => {
  await arrive(given)
  expect(proveDraw).not.toHaveBeenCalled()
})
