import { describe, expect, it } from 'vitest'
import { judgeRate } from './rate-jumps.ts'

const NOW = 1_735_732_800
const judge = (satsPerUnit: bigint, doubt: { sats: bigint; ago: number } | null = null, last: bigint | null = 2000n) =>
  judgeRate({
    satsPerUnit,
    lastSatsPerUnit: last,
    doubt: doubt === null ? null : { at: NOW - doubt.ago, satsPerUnit: doubt.sats },
    now: NOW,
  })

describe('a live rate', () => {
  it.each([
    ['the first ever', 2000n, null, null, 'believed'],
    ['10% more', 2200n, null, 2000n, 'believed'],
    ['10% and a satoshi of rounding more', 2201n, null, 2000n, 'believed'],
    ['more than that', 2202n, null, 2000n, 'doubted'],
    ['10% less', 1800n, null, 2000n, 'believed'],
    ['a tenth', 200n, null, 2000n, 'doubted'],
    ['ten times as much', 20_000n, null, 2000n, 'doubted'],
    ['a yen of six satoshis after one of seven', 6n, null, 7n, 'believed'],
    ['the same jump a minute later', 2600n, { sats: 2600n, ago: 60 }, 2000n, 'believed'],
    ['nearly the same jump', 2700n, { sats: 2600n, ago: 60 }, 2000n, 'believed'],
    ['another jump', 3000n, { sats: 2600n, ago: 60 }, 2000n, 'doubted'],
    ['the same jump at once, read by another process', 2600n, { sats: 2600n, ago: 1 }, 2000n, 'waiting'],
    ['the same jump long after', 2600n, { sats: 2600n, ago: 901 }, 2000n, 'doubted'],
    ['the old price after a jump', 2010n, { sats: 2600n, ago: 60 }, 2000n, 'believed'],
  ] as const)('a live rate that is %s is %s', (_, sats, doubt, last, verdict) => {
    expect(judge(sats, doubt, last)).toBe(verdict)
  })
})
