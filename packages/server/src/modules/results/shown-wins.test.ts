import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NOON, openReadSide, type ReadSide } from '../../../test/read-side.ts'
import { shownWins } from './service.ts'

let side: ReadSide
beforeAll(async () => {
  side = await openReadSide()
})
beforeEach(() => side.reset())
afterAll(() => side.close())

const DAY = 86_400
const NUMBERS = [34, 2, 17, 9, 50]
let named = 0

/** A player who lets wins be shown, under a unique name that begins as given. */
async function winner(name = 'player', isShown = true): Promise<{ id: bigint; username: string }> {
  const username = `${name}-${++named}`
  const id = await side.rows.player(username)
  if (isShown) await side.rows.consent(id)
  return { id, username }
}

function draw(changes: { number: number; startAt: number; gameKey?: string; status?: 'drawn' | 'settled' | 'void' }) {
  return side.rows.draw({ gameKey: 'treasure', status: 'settled', numbers: NUMBERS, rateAt: NOON, ...changes })
}

/** A player's play in a draw that won this: sats, or a free ticket for null. */
async function wins(playerId: bigint, drawId: bigint, amounts: readonly (bigint | null)[]): Promise<void> {
  const lines = amounts.map(() => NUMBERS)
  const [playId = ''] = await side.rows.order({ playerId, gameKey: 'treasure', lines, drawIds: [drawId] })
  for (const [lineNo, sats] of amounts.entries())
    await side.rows.win({
      drawId,
      playerId,
      playId,
      lineNo,
      matches: 3,
      ...(sats === null ? { winType: 'FREE_TICKET' } : { winType: 'PRIZE', sats }),
    })
}

const shown = () => shownWins(side.results)
const names = async (): Promise<string[]> => (await shown()).map(({ username }) => username)

describe('the wins shown to everyone', () => {
  it('only wins of players who agree now are shown: not of others, and not of former ones', async () => {
    const drawId = await draw({ number: 1, startAt: NOON - DAY })
    const [one, other, former] = [await winner(), await winner('silent', false), await winner('former', false)]
    await side.rows.consent(former.id, NOON)
    for (const { id } of [one, other, former]) await wins(id, drawId, [50_000n])
    expect(await shown()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        username: one.username,
        at: NOON - DAY,
        gameName: 'Treasure',
        amount: {
          crypto: { value: '0.00050000', code: 'BTC' },
          fiat: expect.objectContaining({ GBP: { value: 50, symbol: '£', position_of_symbol: 'LEFT' } }),
        },
      },
    ])
  })

  it.each(['drawn', 'void'] as const)('wins of settled draws are shown: never of one that is %s', async (status) => {
    const drawId = await draw({ number: 1, startAt: NOON - 100, status })
    await wins((await winner()).id, drawId, [50_000n])
    expect(await shown()).toEqual([])
    await side.rows.moveDraw(drawId, 'settled')
    expect(await shown()).toHaveLength(1)
  })

  it('only money wins are shown: free tickets and prizes scaled down to zero are left out', async () => {
    const drawId = await draw({ number: 1, startAt: NOON - DAY })
    await wins((await winner()).id, drawId, [null, null])
    expect(await shown()).toEqual([])
  })

  it('one win is shown per player and draw, with all that was won in it', async () => {
    const { id } = await winner()
    const [first, second] = [
      await draw({ number: 1, startAt: NOON - 2 * DAY }),
      await draw({ number: 2, startAt: NOON - DAY }),
    ]
    await wins(id, first, [50_000n, null, 3_000_000n])
    await wins(id, first, [1n])
    await wins(id, second, [7n])
    const found = await shown()
    expect(found.map(({ amount }) => amount.crypto.value)).toEqual(['0.00000007', '0.03050001'])
    expect(new Set(found.map((win) => win.id)).size).toBe(2)
  })

  it('wins come newest first, of any game, the largest of a draw first, and equal ones always in the same order', async () => {
    const old = await draw({ number: 1, startAt: NOON - 2 * DAY })
    const newest = await draw({ number: 7, startAt: NOON - DAY, gameKey: 'mega-ball' })
    for (const name of ['small', 'equal', 'equal', 'equal', 'large']) {
      const amount = { small: 1n, equal: 5n, large: 9n }[name] ?? 0n
      await wins((await winner(name)).id, newest, [amount])
    }
    await wins((await winner('earlier')).id, old, [1_000_000n])
    const found = await names()
    expect(found.map((name) => name.split('-')[0])).toEqual(['large', 'equal', 'equal', 'equal', 'small', 'earlier'])
    for (let time = 0; time < 3; time++) expect(await names()).toEqual(found)
  })

  it('at most 24 wins are shown, of the last 180 days', async () => {
    const players = [await winner(), await winner(), await winner()]
    const tooOld = await draw({ number: 1, startAt: NOON - 180 * DAY })
    await wins(players[0]?.id ?? 0n, tooOld, [50_000n])
    expect(await shown()).toEqual([])
    for (let number = 2; number <= 10; number++) {
      const drawId = await draw({ number, startAt: NOON - (20 - number) * DAY })
      for (const { id } of players) await wins(id, drawId, [50_000n])
    }
    const found = await shown()
    expect(found).toHaveLength(24)
    expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((a, b) => b - a))
    expect(found.at(-1)?.at).toBe(NOON - 17 * DAY)
  })
})
