import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as protocol from '@fairball/domain/fairness/protocol'
import { expect, it } from 'vitest'

/** By name, so that none is left out. */
const NUMBERS: Readonly<Record<keyof typeof protocol, number>> = { ...protocol }

const ROOT = join(import.meta.dirname, '../../..')
const TEXT = readFileSync(join(ROOT, 'docs/fairness.md'), 'utf8')
const PYTHON = globSync('packages/verifier/python/fairball/*.py', { cwd: ROOT })
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')

/** Where each number stands in docs/fairness.md, and in the verifier in Python where that needs it. */
const STANDS_IN: Readonly<Record<keyof typeof protocol, { text: RegExp; python: RegExp | null }>> = {
  LARGEST_POOL: { text: /1 ≤ pick ≤ pool ≤ (\d+)\./, python: /_SIZE = _between\(1, (\d+)\)/ },
  SHORTEST_CLOSING_SECONDS: { text: /times \(`start − close` ≥ (\d+)\)/, python: /^SALES_SECONDS = (\d+)$/m },
  CLOSE_BEFORE_ROUND_SECONDS: {
    text: /committed at least (\d+) seconds before its round is due/,
    python: /^SECONDS_BEFORE_ROUND = (\d+)$/m,
  },
  WITNESS_AHEAD_SECONDS: {
    text: /a date before the close's own `time` − (\d+) does not count/,
    python: /^WITNESS_CLOCK_SECONDS = (\d+)$/m,
  },
  VOID_AFTER_SECONDS: { text: /no valid signature (\d+) days after `start`/, python: /^VOID_DAYS = (\d+)$/m },
  POSTPONED_BY_SECONDS: { text: /first whole minute ≥ `time` \+ (\d+)/, python: /^POSTPONE_SECONDS = (\d+)$/m },
  MAX_POSTPONEMENTS: { text: /(Third) time: `void`, reason outage/, python: /^MAX_POSTPONES = (\d+)$/m },
  // Nothing a verifier judges by.
  CLOCK_TOLERANCE_SECONDS: { text: /due more than (\d+) s after the local time, the clock is slow/, python: null },
}

function figureIn(source: string, pattern: RegExp, name: string): number {
  const figure = pattern.exec(source)?.[1] ?? expect.fail(`${name} stands nowhere as ${pattern}`)
  if (figure === 'Third') return 2 // the third failure is one too many
  return Number(figure) * (name === 'VOID_AFTER_SECONDS' ? 86_400 : 1)
}

it.each(Object.entries(STANDS_IN))(
  'the protocol’s %s is what docs/fairness.md and the verifier in Python say',
  (name, { text, python }) => {
    const number = NUMBERS[name as keyof typeof protocol]
    expect(figureIn(TEXT, text, name)).toBe(number)
    if (python !== null) expect(figureIn(PYTHON, python, name)).toBe(number)
  },
)

it('witnesses have until the last moment of a close', () => {
  expect(TEXT).toContain(`due time of round − ${protocol.CLOSE_BEFORE_ROUND_SECONDS}`)
})

it('no number of the protocol stands anywhere else', () => {
  expect(Object.keys(STANDS_IN).toSorted()).toEqual(Object.keys(NUMBERS).toSorted())
  const again =
    /\bconst (?:\w*POSTPON\w*|\w*VOID_AFTER\w*|\w*BEFORE_ROUND\w*|\w*(?:SLOW|FAST)_CLOCK\w*|LARGEST_POOL|SHORTEST_CLOSING\w*|(?:WITNESS|MOST)_AHEAD\w*|CLOCK_TOLERANCE\w*) = [\d_*\s]+$/gm
  const found = globSync('packages/*/src/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/protocol.ts', '**/protocol/numbers.ts'],
  })
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => (readFileSync(join(ROOT, path), 'utf8').match(again) ?? []).map((line) => `${path}: ${line}`))
  expect(found).toEqual([])
})
