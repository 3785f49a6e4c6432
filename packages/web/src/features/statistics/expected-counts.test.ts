import { GAMES } from '@fairball/domain/seeds'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { expectedCounts } from './expected-counts.ts'

it.each([
  [
    { draws: 0, pick: 6, pool: 49 },
    { mean: 0, low: 0, high: 0 },
  ],
  [
    { draws: 1, pick: 6, pool: 49 },
    { mean: 6 / 49, low: 0, high: 1 },
  ],
  [
    { draws: 490, pick: 6, pool: 49 },
    { mean: 60, low: 45, high: 75 },
  ],
])('the expected counts of %j are %j', (game, expected) => {
  const found = expectedCounts(game)
  expect(found).toEqual({ ...expected, mean: expect.closeTo(expected.mean, 9) as number })
})

it.each(GAMES.map((game) => [game.key, game] as const))(
  'about 95 of 100 numbers of %s are within the bounds if numbers are drawn fairly',
  (_key, game) => {
    const draws = 400
    const counts = new Map<number, number>()
    // The dip leaves out the highest number of its pool; with one more it is a fair draw of the game.
    const pool = game.pool + 1
    for (let draw = 0; draw < draws; draw++) {
      for (const number of luckyDip({ pick: game.pick, pool }, bytesOf(`${game.key} ${draw}`))) {
        counts.set(number, (counts.get(number) ?? 0) + 1)
      }
    }
    const { low, high } = expectedCounts({ draws, pick: game.pick, pool: game.pool })
    const inside = [...counts.values()].filter((count) => count >= low && count <= high)
    expect(inside.length / game.pool).toBeGreaterThan(0.85)
  },
)

function bytesOf(seed: string): (count: number) => Uint8Array {
  let asked = 0
  return (count) => {
    asked += 1
    return new Uint8Array(createHash('shake256', { outputLength: count }).update(`${seed} ${asked}`).digest())
  }
}
