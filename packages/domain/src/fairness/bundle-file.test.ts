import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BundleError,
  bundleFileName,
  bundleText,
  evidenceText,
  parseBundle,
  parseReceipts,
  reportJson,
} from './bundle-file.ts'
import type { Bundle } from './bundle.ts'
import { fixedPlay, gameOf } from './draw-fixture.ts'
import { OperatorFixture } from './operator-fixture.ts'
import { resigned } from './resigned-fixture.ts'
import { verifyBundle } from './verify.ts'

const operator = new OperatorFixture()
const draw = operator.open(7, [fixedPlay('alice', 3, gameOf('bitcoin-lotto'))])
const closeHash = operator.settle(draw)
const bundle = operator.bundle(draw, {
  witnesses: ['— witness.example AAAAAAAA'],
  own: {
    key: 'ab'.repeat(32),
    username: 'alice',
    sights: [{ hash: closeHash, seenAt: 1_800_000_000 }],
    receipts: [operator.receipt(draw, 0, closeHash), operator.receipt(draw, 0, null)],
  },
})

describe('a bundle as a file', () => {
  it('is read back the same', () => {
    expect(parseBundle(bundleText(bundle))).toEqual(bundle)
    const open: Bundle = { ...bundle, beacon: null, entries: null, own: null }
    expect(parseBundle(bundleText(open))).toEqual(open)
  })

  it('has a name that says its draw', () => {
    expect(bundleFileName(bundle)).toBe('fairball-bitcoin-lotto-7.bundle.json')
  })

  it('has the names of the protocol in it, and rounds as texts', () => {
    expect(JSON.parse(bundleText(bundle))).toMatchObject({
      format: 'fairball/bundle/v1',
      beacon: { round: String(bundle.beacon?.round) },
      own: { sights: [{ hash: closeHash, seen_at: 1_800_000_000 }] },
    })
  })

  it.each([
    ['nothing', '', 'JSON'],
    ['a file cut off', bundleText(bundle).slice(0, 500), 'JSON'],
    ['a list', '[]', 'not an object'],
    ['another format', '{"format":"fairball/bundle/v2"}', 'format'],
    ['no game', changed({ game: undefined }), 'game'],
    ['a draw that is no number', changed({ draw: '7' }), 'number of the draw'],
    ['a negative draw', changed({ draw: -1 }), 'number of the draw'],
    ['a log that is none', changed({ log: 'text' }), 'log'],
    ['a number in the log', changed({ log: [1] }), 'statement'],
    ['an endless statement', changed({ log: ['x'.repeat(30_000)] }), 'too long'],
    ['too many statements', changed({ log: Array.from({ length: 500_001 }, () => '') }), 'more than'],
    ['endless rules', changed({ rules: 'x'.repeat(30_000) }), 'too long'],
    ['too many witness lines', changed({ witnesses: Array.from({ length: 101 }, () => 'x') }), 'more than'],
    ['a round that is a number', changed({ beacon: { round: 1, signature: '00' } }), 'round'],
    ['a round with a leading zero', changed({ beacon: { round: '01', signature: '00' } }), 'round'],
    ['a signature that is none', changed({ beacon: { round: '1', signature: null } }), 'signature'],
    ['entries that are not base64', changed({ entries: 'ä' }), 'base64'],
    ['entries that are a list', changed({ entries: [] }), 'entries'],
    ['an own record that is a text', changed({ own: 'alice' }), 'own record'],
    ['a path without end', changed({ own: ownWith(Array.from({ length: 65 }, () => '00')) }), 'more than'],
    ['a place that is no number', changed({ own: ownWith([], 1.5) }), 'place'],
  ])('is refused with %s, with a sentence that says why', (_, text, said) => {
    expect(() => parseBundle(text)).toThrow(BundleError)
    expect(() => parseBundle(text)).toThrow(said)
  })

  it('is refused or read whatever JSON is in its place, and never breaks the verifier', () => {
    const whole = JSON.parse(bundleText({ ...bundle, own: null })) as Record<string, unknown>
    const keys = fc.constantFrom(...Object.keys(whole))
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => {
        const text = JSON.stringify({ ...whole, [key]: value })
        try {
          parseBundle(text)
        } catch (error) {
          expect(error).toBeInstanceOf(BundleError)
        }
      }),
    )
  })
})

describe('evidence', () => {
  it('holds the report, the bundle, what failed, and two statements signed with one number', () => {
    const forked = resigned(operator.notes, operator, (statement) =>
      statement.type === 'close' ? { ...statement, stake: 1n } : statement,
    )
    const other = forked.find((note) => note.startsWith('fairball/close/v1')) ?? ''
    const own = {
      key: null,
      username: 'alice',
      sights: [],
      receipts: [{ ...operator.receipt(draw, 0, null), close: other }],
    }
    const suspect = { ...bundle, own }
    const report = verifyBundle(suspect)
    const text = evidenceText(report, suspect)
    expect(JSON.parse(text)).toMatchObject({
      format: 'fairball/evidence/v1',
      failed: ['log.fork', 'receipts.close'],
      report: reportJson(report),
      fork: [operator.noteOf(closeHash), other],
    })
    expect(parseBundle(text)).toEqual(suspect)
    expect(verifyBundle(parseBundle(text))).toEqual(report)
    const byOthers = JSON.parse(evidenceText(report, { ...bundle, own: null }, { notes: [other] })) as { fork: unknown }
    expect(byOthers.fork).toEqual([operator.noteOf(closeHash), other])
  })
})

describe('a receipt as a file', () => {
  const receipt = operator.receipt(draw, 0, closeHash)

  it('is what the call answers, a list of such, or the signed note alone', () => {
    expect(parseReceipts(JSON.stringify(receipt))).toEqual([receipt])
    expect(parseReceipts(JSON.stringify([receipt, receipt]))).toEqual([receipt, receipt])
    expect(parseReceipts(receipt.receipt)).toEqual([{ receipt: receipt.receipt, close: null, entries: [] }])
  })

  it.each(['', 'hello', '3', '{}', '{"receipt":1,"close":null,"entries":[]}'])('is not %j', (text) => {
    expect(() => parseReceipts(text)).toThrow(BundleError)
  })
})

function changed(change: object): string {
  return JSON.stringify({ ...(JSON.parse(bundleText(bundle)) as object), ...change })
}

function ownWith(path: readonly string[], index = 0) {
  const receipts = [{ receipt: '', close: null, entries: [{ id: '', index, size: 1, path }] }]
  return { key: null, username: null, sights: [], receipts }
}
