import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import * as protocol from '@fairball/domain/protocol/numbers'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const PYTHON = process.env['PYTHON']

const { BUNDLE_LIMITS, ...NUMBERS } = { ...protocol }

/**
 * The names of the protocol's numbers in the Python program. The domain's tests compare the numbers with
 * docs/fairness.md.
 */
const IN_PYTHON: Partial<Record<keyof typeof NUMBERS, string>> = {
  LOWEST_RATE: 'statements.MIN_RATE',
  RATE_LIMIT: 'statements.MAX_RATE + 1',
  MAX_SATS: 'statements.MAX_SATS',
  STATEMENT_BYTES: 'statements.MAX_BYTES',
  LONG_STATEMENT_BYTES: 'statements.MAX_LONG_BYTES',
  POLICY_BYTES: 'policy.MAX_BYTES',
  NOTE_BYTES: 'notes.MAX_NOTE_BYTES',
  NOTE_SIGNATURES: 'notes.MAX_SIGNATURE_LINES',
  TILE_WIDTH: 'collect.TILE',
  SECTION_LEAVES: 'plays.SECTION',
  MAX_LINES_OF_PLAY: 'plays.MAX_LINES',
  RANGE_STATEMENTS: 'bundle.MAX_RANGE',
  SHORTEST_CLOSING_SECONDS: 'draw.MIN_CLOSES',
  SEALED_BEFORE_DUE_SECONDS: 'draw.WITNESS_MARGIN',
  COSIGNED_BEFORE_SECONDS: 'draw.WITNESS_MARGIN',
  POSTPONED_BY_SECONDS: 'draw.POSTPONED_BY',
  MAX_POSTPONEMENTS: 'draw.MAX_POSTPONES',
  VOID_AFTER_SECONDS: 'draw.BEACON_PATIENCE',
  RULES_NOTICE_SECONDS: 'draw.WEEK',
  MONDAY_OFFSET_SECONDS: 'draw.MONDAY',
  WEEK_SECONDS: 'draw.WEEK',
  QUOTE_AGE_SECONDS: 'accounts.QUOTE_AGE',
}

// Without Python, `npm test` reports that this is skipped.
it.runIf(PYTHON !== undefined)('both programs use the same numbers', () => {
  const modules = 'accounts, bundle, collect, draw, notes, plays, policy, statements, strict_json'
  const expressions = [...Object.values(IN_PYTHON), 'strict_json.MAX_CHARACTERS', 'strict_json.MAX_DEPTH']
  const code = `from fairball import ${modules}\nfor number in (${expressions.join(', ')}): print(number)`
  const { stdout, stderr } = spawnSync(PYTHON ?? '', ['-B', '-c', code], {
    cwd: join(ROOT, 'packages/verifier/python'),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const figures = stdout.trim().split('\n').map(BigInt)
  const own = (Object.keys(IN_PYTHON) as (keyof typeof NUMBERS)[]).map((name) => BigInt(NUMBERS[name]))
  expect(figures).toEqual([...own, BigInt(BUNDLE_LIMITS.characters), BigInt(BUNDLE_LIMITS.depth)])
})

it('each number of the protocol is defined only once', () => {
  const again =
    /\bconst (?:\w*POSTPON\w*|\w*VOID_AFTER\w*|\w*BEFORE_(?:ROUND|DUE)\w*|\w*(?:SLOW|FAST)_CLOCK\w*|MAX_POOL|SHORTEST_CLOSING\w*|COSIGNED\w*|TILE_WIDTH|SECTION_LEAVES|QUOTE_AGE\w*|BATCH_SECONDS) = [\d_*\s]+$/gm
  const found = globSync('packages/*/src/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/protocol/numbers.ts'],
  })
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => (readFileSync(join(ROOT, path), 'utf8').match(again) ?? []).map((line) => `${path}: ${line}`))
  expect(found).toEqual([])
})
