import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BundleError,
  bundleFileName,
  bundleText,
  evidenceFileName,
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
    expect(evidenceFileName(bundle)).toBe('fairball-bitcoin-lotto-7.evidence.json')
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

  it.each<[string, object]>([
    ['This file is not a bundle of the format fairball/bundle/v1.', { format: 'fairball/bundle/v2' }],
    ['The game is not a short text.', { game: 7 }],
    ['The game is not a short text.', { game: 'x'.repeat(1025) }],
    ['The number of the draw is not a whole number from 0.', { draw: 0.5 }],
    ['The number of the draw is not a whole number from 0.', { draw: 2 ** 53 }],
    ['The log: not a list.', { log: null }],
    ['The log: more than 500000.', { log: Array.from({ length: 500_001 }, () => '') }],
    ['A statement is not a text.', { log: [null] }],
    ['A statement is too long.', { log: ['x'.repeat(4096 + 16_385)] }],
    ['The text of the rules is not a text.', { rules: null }],
    ['The text of the rules is too long.', { rules: 'x'.repeat(4096 + 16_385) }],
    ['The witness lines: not a list.', { witnesses: {} }],
    ['The witness lines: more than 100.', { witnesses: Array.from({ length: 101 }, () => '') }],
    ['A witness line is not a short text.', { witnesses: [1] }],
    ['The beacon is not an object.', { beacon: [] }],
    ['The beacon is not an object.', { beacon: 'x' }],
    ['The round of the beacon is not a number.', { beacon: { round: 1, signature: '' } }],
    ['The round of the beacon is not a number.', { beacon: { round: '0', signature: '' } }],
    ['The round of the beacon is not a number.', { beacon: { round: ' 1', signature: '' } }],
    ['The round of the beacon is not a number.', { beacon: { round: '1 ', signature: '' } }],
    ['The round of the beacon is not a number.', { beacon: { round: '1'.repeat(21), signature: '' } }],
    ['The signature of the beacon is not a short text.', { beacon: { round: '1', signature: null } }],
    ['The entries are not a text.', { entries: 5 }],
    ['The entries are not base64: the file may have been changed.', { entries: '!' }],
    ['The own record is not an object.', { own: 5 }],
    ['The key seen first is not a short text.', { own: { ...emptyOwn(), key: 1 } }],
    ['The username is not a short text.', { own: { ...emptyOwn(), username: 1 } }],
    ['The sights: not a list.', { own: { ...emptyOwn(), sights: null } }],
    ['The sights: more than 10000.', { own: { ...emptyOwn(), sights: Array.from({ length: 10_001 }, () => 0) } }],
    ['A sight is not an object.', { own: { ...emptyOwn(), sights: [null] } }],
    ['The hash of a sight is not a short text.', { own: { ...emptyOwn(), sights: [{ hash: 1, seen_at: 1 }] } }],
    ['The time of a sight is not a whole number', { own: { ...emptyOwn(), sights: [{ hash: '', seen_at: -1 }] } }],
    ['The receipts: not a list.', { own: { ...emptyOwn(), receipts: null } }],
    ['The receipts: more than 1000.', { own: { ...emptyOwn(), receipts: Array.from({ length: 1001 }, () => 0) } }],
    ['A receipt is not an object.', { own: { ...emptyOwn(), receipts: [null] } }],
    ['A receipt is not a text.', { own: withReceipt({ receipt: 1 }) }],
    ['A receipt is too long.', { own: withReceipt({ receipt: 'x'.repeat(65_536 + 16_385) }) }],
    ['The seal with a receipt is not a text.', { own: withReceipt({ close: 1 }) }],
    ['The seal with a receipt is too long.', { own: withReceipt({ close: 'x'.repeat(4096 + 16_385) }) }],
    ['The entries of a receipt: not a list.', { own: withReceipt({ entries: null }) }],
    [
      'The entries of a receipt: more than 5000.',
      { own: withReceipt({ entries: Array.from({ length: 5001 }, () => 0) }) },
    ],
    ['An entry of a receipt is not an object.', { own: withReceipt({ entries: [null] }) }],
    ['The id of an entry is not a short text.', { own: withReceipt({ entries: [{ ...emptyEntry(), id: 1 }] }) }],
    ['The place of an entry is not a whole', { own: withReceipt({ entries: [{ ...emptyEntry(), index: -1 }] }) }],
    ['The number of entries is not a whole', { own: withReceipt({ entries: [{ ...emptyEntry(), size: '1' }] }) }],
    ['The path of an entry: not a list.', { own: withReceipt({ entries: [{ ...emptyEntry(), path: '' }] }) }],
    ['A hash of a path is not a short text.', { own: withReceipt({ entries: [{ ...emptyEntry(), path: [1] }] }) }],
  ])('is refused with the words: %s', (said, change) => {
    const text = changed(change)
    expect(() => parseBundle(text)).toThrow(BundleError)
    expect(() => parseBundle(text)).toThrow(said)
  })

  it.each<[string, object]>([
    ['statements as long as they may be', { log: ['x'.repeat(4096 + 16_384)] }],
    ['500,000 statements', { log: Array.from({ length: 500_000 }, () => '') }],
    ['rules as long as they may be', { rules: 'x'.repeat(4096 + 16_384) }],
    ['draw 0 and a game of 1024 letters', { draw: 0, game: 'x'.repeat(1024) }],
    ['100 witness lines', { witnesses: Array.from({ length: 100 }, () => '') }],
    ['a round of 20 digits', { beacon: { round: '9'.repeat(20), signature: '' } }],
    [
      '10,000 sights',
      { own: { ...emptyOwn(), sights: Array.from({ length: 10_000 }, () => ({ hash: '', seen_at: 0 })) } },
    ],
    ['1,000 receipts', { own: { ...emptyOwn(), receipts: Array.from({ length: 1000 }, () => emptyReceipt()) } }],
    ['a receipt as long as it may be', { own: withReceipt({ receipt: 'x'.repeat(65_536 + 16_384) }) }],
    ['5,000 entries in a receipt', { own: withReceipt({ entries: Array.from({ length: 5000 }, () => emptyEntry()) }) }],
    [
      '64 hashes in a path',
      { own: withReceipt({ entries: [{ ...emptyEntry(), path: Array.from({ length: 64 }, () => '') }] }) },
    ],
    ['an own record without a key and a username', { own: emptyOwn() }],
    ['no own record', { own: undefined }],
  ])('may have %s', (_, change) => {
    expect(parseBundle(changed(change))).toMatchObject({ rules: expect.any(String) })
  })

  it('of an own record is what its owner has', () => {
    expect(parseBundle(changed({ own: undefined })).own).toBeNull()
    expect(parseBundle(changed({ own: emptyOwn() })).own).toEqual({
      key: null,
      username: null,
      sights: [],
      receipts: [],
    })
  })

  it('larger than any bundle is refused unread', () => {
    // A text that says its length without having it: 400 million characters would fill the memory.
    const endless = { length: 400_000_001 } as unknown as string
    expect(() => parseBundle(endless)).toThrow('This file is too large to be a bundle.')
    expect(() => parseReceipts(endless)).toThrow('This file is too large to be a receipt.')
  })

  it('is refused as evidence that holds none', () => {
    expect(() => parseBundle('{"format":"fairball/evidence/v1"}')).toThrow(
      'The bundle in the evidence is not an object.',
    )
    expect(() => parseBundle('3')).toThrow('The file is not an object.')
    expect(() => parseBundle('{')).toThrow('This file is not JSON: it may have been cut off or changed.')
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
  it('of a log that is one and the same holds no fork, whatever else is shown', () => {
    const stranger = new OperatorFixture({ keySeed: new Uint8Array(32).fill(9) })
    const foreign = stranger.notes[0] ?? ''
    const later = operator.sign(operator.textOf(closeHash).replace(/^seq \d+$/m, 'seq 900'))
    const report = verifyBundle({ ...bundle, own: null })
    for (const notes of [[], ['no note'], [operator.noteOf(closeHash)], [foreign], [later]]) {
      const evidence = JSON.parse(evidenceText(report, { ...bundle, own: null }, { notes })) as { fork: unknown }
      expect(evidence.fork).toBeNull()
    }
    expect(JSON.parse(evidenceText(report, { ...bundle, log: [], own: null }, { notes: [foreign] }))).toMatchObject({
      failed: [],
      fork: null,
    })
    expect(evidenceText(report, bundle).endsWith('}\n')).toBe(true)
    expect(bundleText(bundle).endsWith('}\n')).toBe(true)
  })

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

  it('is refused with the reason', () => {
    expect(() => parseReceipts(`fairball/receipt/v1\n${'x'.repeat(65_536 + 16_384)}`)).toThrow(
      'The receipt is too long.',
    )
    const thousand = Array.from({ length: 1000 }, () => emptyReceipt())
    expect(parseReceipts(JSON.stringify(thousand))).toHaveLength(1000)
    expect(() => parseReceipts(JSON.stringify([...thousand, emptyReceipt()]))).toThrow('The receipts: more than 1000.')
    expect(() => parseReceipts('fairball/receipt/v2\n')).toThrow('not JSON')
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

function emptyOwn() {
  return { key: null, username: null, sights: [], receipts: [] }
}

function emptyReceipt() {
  return { receipt: '', close: null, entries: [] }
}

function emptyEntry() {
  return { id: '', index: 0, size: 0, path: [] }
}

function withReceipt(change: object) {
  return { ...emptyOwn(), receipts: [{ ...emptyReceipt(), ...change }] }
}
