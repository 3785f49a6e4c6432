import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Latencies } from '../trials/bench/load/latencies.ts'
import { slopeOf } from '../trials/bench/load/slope.ts'
import { luckyMask } from '../trials/bench/load/fill.ts'

const ROOT = join(import.meta.dirname, '..')
const SCRIPT = join(ROOT, 'scripts/bench.cjs')

describe('npm run bench', () => {
  it('every bench of the folder runs when none is named', () => {
    const files = readdirSync(join(ROOT, 'trials/bench')).filter((file) => file.endsWith('.ts'))
    const [, listed] = /const MINUTES = \{([^}]+)\}/.exec(readFileSync(SCRIPT, 'utf8'))
    const names = [...listed.matchAll(/'?([\w-]+)'?: \d+/g)].map(([, name]) => `${name}.ts`)
    expect(names.toSorted()).toEqual(files.toSorted())
  })

  it('an unknown name is answered with the list of benches', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, 'nonsense'], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('There is no bench nonsense. There are baselines, reads, purchase,')
  })
})

describe('the parts of the figures', () => {
  it('a quantile of latencies is exact to a fiftieth of a millisecond', () => {
    const latencies = new Latencies()
    for (let ms = 1; ms <= 1000; ms += 1) latencies.add(ms)
    expect(latencies.quantile(0.5)).toBeCloseTo(500, 1)
    expect(latencies.quantile(0.99)).toBeCloseTo(990, 1)
    expect(latencies.quantile(1)).toBe(1000)
    expect(latencies.mostMs).toBe(1000)
    latencies.add(1e9) // beyond the finest bucket: the maximum is still exact
    expect(latencies.quantile(1)).toBe(1e9)
    expect(new Latencies().quantile(0.99)).toBeNaN()
  })

  it('growth is measured independently of the level', () => {
    const points = [0, 1, 2, 3].map((x) => ({ x, y: 200 + 1.5 * x }))
    expect(slopeOf(points)).toBeCloseTo(1.5)
    expect(slopeOf(points.map(({ x }) => ({ x, y: 200 })))).toBeCloseTo(0)
  })

  it('random lines are lines of the game, with numbers above 32 too', () => {
    for (const game of [
      { pick: 5, pool: 36 },
      { pick: 6, pool: 64 },
    ])
      for (let times = 0; times < 500; times += 1) {
        const mask = BigInt.asUintN(64, BigInt(luckyMask(game)))
        const numbers = Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => (mask >> BigInt(bit)) & 1n)
        expect(numbers).toHaveLength(game.pick)
        expect(Math.max(...numbers)).toBeLessThan(game.pool)
      }
  })
})
