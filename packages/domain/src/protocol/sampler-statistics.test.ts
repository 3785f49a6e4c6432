import { describe, expect, it } from 'vitest'
import { combinations } from '../combinations.ts'
import { linesWithMatches } from '../odds.ts'
import { u64 } from './bytes.ts'
import { nobleHash } from './hash.ts'
import { drawNumbers, type Sampling, streamBytes } from './sampler.ts'

const LOTTO: Sampling = { pick: 6, pool: 49 }

/** Number of draws; the environment variable `FAIRNESS_DRAWS` sets another one, such as 1,000,000 (trust section 2). */
const DRAWS = Number(environment('FAIRNESS_DRAWS') ?? 100_000)

/**
 * Statistics of draws of 6 of 49 with fixed seeds. If every set of numbers in every order is equally likely, each
 * statistic below has a χ² distribution, and with other seeds it would leave its 99.8% band once in 500 times. A
 * sampler that uses every byte favours low numbers, and must not pass.
 */
describe(`${DRAWS.toLocaleString('en')} draws of 6 of 49`, () => {
  const fair = statisticsOf((key) => drawNumbers(key, LOTTO))
  const biased = statisticsOf((key) => numbersByModulo(key, LOTTO))

  it.each(fair)('the statistic of $name is within its 99.8% band', ({ chiSquare, low, high }) => {
    expect(chiSquare).toBeGreaterThan(low)
    expect(chiSquare).toBeLessThan(high)
  })

  it.each(biased.filter(({ seesBias }) => seesBias))(
    'the statistic of $name is far outside its band if no bytes are discarded',
    (found) => {
      expect(found.chiSquare).toBeGreaterThan(2 * found.high)
    },
  )
}, 600_000)

/** One-sided 0.1%: the band between both quantiles has 99.8%. */
const NORMAL_QUANTILE = 3.0902

interface Statistic {
  readonly name: string
  readonly chiSquare: number
  readonly low: number
  readonly high: number
  readonly seesBias: boolean
}

function statisticsOf(draw: (key: Uint8Array) => number[]): Statistic[] {
  const { pick, pool } = LOTTO
  const numbers = new Float64Array(pool)
  const pairs = new Float64Array(pool * pool)
  const positions = Array.from({ length: pick }, () => new Float64Array(pool))
  const overlaps = new Float64Array(pick + 1)
  let before = new Set<number>()
  for (let count = 0; count < DRAWS; count += 1) {
    const balls = draw(nobleHash(u64(count)))
    balls.forEach((ball, place) => {
      add(numbers, ball - 1)
      add(positions[place] ?? numbers, ball - 1)
      for (const other of balls) if (other > ball) add(pairs, (ball - 1) * pool + other - 1)
    })
    if (count > 0) add(overlaps, balls.filter((ball) => before.has(ball)).length)
    before = new Set(balls)
  }
  return [
    { name: 'numbers', seesBias: true, ...band(chiSquareOfNumbers(numbers), pool - 1) },
    { name: 'pairs', seesBias: false, ...band(chiSquareOfPairs(pairs), (pool * (pool - 1)) / 2 - 1) },
    ...positions.map((counts, place) => ({
      name: `balls at position ${place + 1}`,
      seesBias: true,
      ...band(
        chiSquare(
          [...counts],
          Array.from(counts, () => DRAWS / pool),
        ),
        pool - 1,
      ),
    })),
    { name: 'overlaps with the previous draw', seesBias: false, ...overlapStatistic([...overlaps]) },
  ]
}

/** The counts of each number. A draw's numbers are distinct, which reduces the sum by the factor (N − k) / (N − 1). */
function chiSquareOfNumbers(counts: Float64Array): number {
  const { pick, pool } = LOTTO
  const expected = (DRAWS * pick) / pool
  return (
    (chiSquare(
      [...counts],
      Array.from(counts, () => expected),
    ) *
      (pool - 1)) /
    (pool - pick)
  )
}

/**
 * The counts of each pair drawn together. The covariance of pair counts has two eigenspaces (the Johnson scheme): the
 * one determined by the counts of numbers, of dimension N − 1, and the rest. Each is divided by its own variance.
 */
function chiSquareOfPairs(counts: Float64Array): number {
  const { pool } = LOTTO
  const [two, three, four] = [togetherOdds(2), togetherOdds(3), togetherOdds(4)]
  const deviations: { i: number; j: number; value: number }[] = []
  const sums = new Float64Array(pool)
  for (let i = 0; i < pool; i += 1) {
    for (let j = i + 1; j < pool; j += 1) {
      const value = (counts[i * pool + j] ?? 0) - DRAWS * two
      deviations.push({ i, j, value })
      sums[i] = (sums[i] ?? 0) + value
      sums[j] = (sums[j] ?? 0) + value
    }
  }
  let byNumbers = 0
  let all = 0
  for (const { i, j, value } of deviations) {
    byNumbers += (((sums[i] ?? 0) + (sums[j] ?? 0)) / (pool - 2)) ** 2
    all += value ** 2
  }
  const varianceByNumbers = two + (pool - 4) * three - (pool - 3) * four
  const varianceOfRest = two - 2 * three + four
  return byNumbers / (DRAWS * varianceByNumbers) + (all - byNumbers) / (DRAWS * varianceOfRest)
}

/** The probability that a number of given balls are all drawn. */
function togetherOdds(count: number): number {
  const { pick, pool } = LOTTO
  return Number(combinations(pool - count, pick - count)) / Number(combinations(pool, pick))
}

/** The count of numbers that a draw shares with the previous one; four and more are counted together. */
function overlapStatistic(counts: readonly number[]): ReturnType<typeof band> {
  const all = Number(combinations(LOTTO.pool, LOTTO.pick))
  const expected = counts.map((_, matches) => ((DRAWS - 1) * Number(linesWithMatches(LOTTO, matches))) / all)
  const joined = (list: readonly number[]): number[] => [...list.slice(0, 4), list.slice(4).reduce((a, b) => a + b, 0)]
  return band(chiSquare(joined(counts), joined(expected)), 4)
}

function chiSquare(counts: readonly number[], expected: readonly number[]): number {
  return counts.reduce((sum, count, place) => sum + (count - (expected[place] ?? 0)) ** 2 / (expected[place] ?? 1), 0)
}

/** The 99.8% band of χ² by its degrees of freedom, with the approximation of Wilson and Hilferty. */
function band(value: number, freedom: number): { chiSquare: number; low: number; high: number } {
  const at = (quantile: number): number => {
    const part = 2 / (9 * freedom)
    return freedom * Math.max(0, 1 - part + quantile * Math.sqrt(part)) ** 3
  }
  return { chiSquare: value, low: at(-NORMAL_QUANTILE), high: at(NORMAL_QUANTILE) }
}

/** The planted fault: it uses every byte, so low numbers are drawn more often. */
function numbersByModulo(key: Uint8Array, { pick, pool }: Sampling): number[] {
  const balls = Array.from({ length: pool }, (_, place) => place + 1)
  const numbers: number[] = []
  for (const byte of streamBytes(key)) {
    numbers.push(...balls.splice(byte % balls.length, 1))
    if (numbers.length === pick) break
  }
  return numbers
}

function add(counts: Float64Array, place: number): void {
  counts[place] = (counts[place] ?? 0) + 1
}

/** A variable of the test environment; the domain itself reads none. */
function environment(name: string): string | undefined {
  return (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env[name]
}
