/** A ball in the drum: the position of its centre, in hundredths of the drum's width from the drum's centre. */
export interface DrumBall {
  readonly number: number
  readonly x: number
  readonly y: number
}

/** The gap between the outermost balls and the wall, in hundredths of the drum's width. */
const WALL = 2
/** Balls follow each other around the drum in steps of this share of all, so that neighbours' numbers are far apart. */
const STEP_SHARE = 0.38

/**
 * The position of every ball of a game in its drum: one in the middle, and rings of 6, 12, 18 … around it, as in a box
 * of oranges.
 *
 * @param pool the highest number of the game, at least 1
 * @returns the balls by ring from the middle on, and their diameter in hundredths of the drum's width
 */
export function drumOf(pool: number): { rings: DrumBall[][]; diameter: number } {
  const ringCount = Math.ceil((Math.sqrt(12 * Math.max(pool, 1) - 3) - 3) / 6)
  const diameter = (100 - 2 * WALL) / (2 * ringCount + 1)
  const numbers = spread(pool)
  const rings = Array.from({ length: ringCount + 1 }, (_, ring) => {
    const first = ring === 0 ? 0 : 1 + 3 * ring * (ring - 1)
    const members = numbers.slice(first, 1 + 3 * ring * (ring + 1))
    return members.map((number, place) => {
      const angle = (2 * Math.PI * place) / members.length
      return { number, x: round(ring * diameter * Math.sin(angle)), y: round(-ring * diameter * Math.cos(angle)) }
    })
  })
  return { rings, diameter: round(diameter) }
}

/** The numbers from 1 to the highest, each once, in an order that looks mixed and is always the same. */
function spread(pool: number): number[] {
  let step = Math.max(1, Math.round(pool * STEP_SHARE))
  while (commonDivisor(step, pool) > 1) step += 1
  return Array.from({ length: pool }, (_, place) => 1 + ((place * step) % pool))
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other)
}

// The same text on the server and in every browser, whose sines differ in the last digit.
function round(value: number): number {
  return Math.round(value * 100) / 100
}
