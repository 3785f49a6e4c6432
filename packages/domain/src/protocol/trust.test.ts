import { describe, expect, it } from 'vitest'
import { toBase64 } from './bytes.ts'
import { checkpointText } from './checkpoint.ts'
import { writeNote } from './note.ts'
import { TEST_POLICY } from './operator-fixture.ts'
import { readPolicy } from './policy.ts'
import { refusalOf } from './refusal-fixture.ts'
import { NO_TRUST, readTrust } from './trust.ts'

const HASH = 'ab'.repeat(32)
/** A signed head of a log. */
const HEAD = writeNote(checkpointText('a.example/fairball', { size: 1, root: new Uint8Array(32) }), [
  `— a.example/fairball ${toBase64(new Uint8Array(68))}`,
])

describe('a trust file', () => {
  it('is trust in nothing if it omits every key', () => {
    const nothing = { policy: null, key: null, sights: [], heads: [] }
    expect(readTrust('{}')).toEqual(nothing)
    expect(NO_TRUST).toEqual(nothing)
    expect(readTrust(JSON.stringify({ heads: [HEAD] }))).toEqual({ ...nothing, heads: [HEAD] })
  })

  it('has a policy, the key of the log, sights and heads', () => {
    const sights = [{ open: HASH, hash: HASH, at: 1_700_000_000 }]
    const file = { policy: TEST_POLICY, key: HASH, sights, heads: [HEAD, HEAD] }
    expect(readTrust(JSON.stringify(file))).toEqual({ ...file, policy: readPolicy(TEST_POLICY) })
  })

  it.each([
    ['[]', 'ShapeError: The trust is not an object.'],
    ['{"more":1}', 'ShapeError: The trust has the unknown key "more".'],
    ['{"key":"ab"}', 'ShapeError: The trust, key is not 64 lowercase hex digits.'],
    ['{"policy":1}', 'ShapeError: The trust, policy is not a text.'],
    ['{"policy":"quorum q\\n"}', 'ShapeError: The trust, policy: "q" is not defined above the quorum.'],
    ['{"heads":["x"]}', 'ShapeError: The trust, heads, item 1 is not a signed head of a log.'],
    ['{"sights":[{"open":1}]}', 'ShapeError: The trust, sights, item 1, open is not a text.'],
  ])('is refused with a reason: %s', (file, reason) => {
    expect(refusalOf(() => readTrust(file))).toBe(reason)
  })

  it('has at most 10,000 heads and 100,000 sights', () => {
    const heads = (count: number) => refusalOf(() => readTrust(JSON.stringify({ heads: Array(count).fill(HEAD) })))
    expect(heads(10_000)).toBe('accepted')
    expect(heads(10_001)).toBe('ShapeError: The trust, heads has 10001 items; 0 to 10000 are allowed.')
    const sights = (count: number) => refusalOf(() => readTrust(`{"sights":[${Array(count).fill('{}').join()}]}`))
    expect(sights(100_000)).toBe('ShapeError: The trust, sights, item 1 lacks the key "open".')
    expect(sights(100_001)).toBe('ShapeError: The trust, sights has 100001 items; 0 to 100000 are allowed.')
  })
})
