import { describe, expect, it } from 'vitest'
import { GAMES } from '@fairball/domain/seeds'
import { drumOf } from './drum.ts'

describe.each(GAMES.map(({ key, pool }) => [key, pool] as const))('the drum of %s', (_key, pool) => {
  const { rings, diameter } = drumOf(pool)
  const balls = rings.flat()

  it('a drum holds every number from 1 to the highest, each once', () => {
    expect(balls.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: pool }, (_, place) => place + 1),
    )
  })

  it('the balls of a drum do not overlap, and stay inside its wall', () => {
    for (const [place, ball] of balls.entries()) {
      expect(Math.hypot(ball.x, ball.y) + diameter / 2).toBeLessThanOrEqual(50)
      for (const other of balls.slice(place + 1))
        expect(Math.hypot(ball.x - other.x, ball.y - other.y)).toBeGreaterThan(diameter * 0.95)
    }
  })

  it('a drum has balls of at least 28 px in the drum of a phone, 300 px wide', () => {
    expect(diameter * 3).toBeGreaterThanOrEqual(28)
  })
})
