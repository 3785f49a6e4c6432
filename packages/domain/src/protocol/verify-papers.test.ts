import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import type { BundleDraw, BundlePaper } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import { linesBlind, linesText } from './commitments.ts'
import { nobleHash, textHash } from './hash.ts'
import { TEST_LOG_SEED, TEST_ORIGIN, TestOperator } from './operator-fixture.ts'
import { leafOfPlay, type Order, type OrderPlay, promiseOf, signPaper } from './papers.ts'
import { playId, playSecret } from './plays.ts'
import { plays } from './read-log-fixture.ts'
import { Checks } from './report.ts'
import { NO_HASH } from './statement-codecs.ts'
import { type PayBy, type StatementOf, writeStatement } from './statements.ts'
import { inclusionNodes, leafHash, proofOf, rootOf } from './tree.ts'
import { changedDraw, closedDraw, closeOf, findingsOf } from './verify-fixture.ts'
import { readPapers, verifyOtherPapers, verifyPapers, verifySignatures } from './verify-papers.ts'
import { type SealedPlays, verifyPlays } from './verify-plays.ts'

type Receipt = StatementOf<'receipt'>
type Promised = StatementOf<'promise'>

const HASH = 'ab'.repeat(32)
const THIEF = new Uint8Array(32).fill(7)
const SOLD = plays(3)
const DRAWN = closedDraw(new TestOperator(), SOLD)
const [BUNDLE_DRAW] = (await DRAWN.operator.bundle()).draws as [BundleDraw]
const OPEN = DRAWN.draw.open.hash
const NOW = DRAWN.operator.now
/** The place of the player's play in the draw. */
const PLACE = 1
const OWN = SOLD[PLACE]
assert(OWN !== undefined && DRAWN.draw.sold !== null && DRAWN.draw.close !== null, 'nothing is sold')
const PLAY: OrderPlay = { open: OPEN, lines: OWN.lines, free: OWN.free, price: 100 }
const ORDER: Order = { secret: OWN.secret, payto: '', plays: [PLAY] }
const SECRET = playSecret(OWN.secret, fromHex(OPEN))
const OFFER = {
  log: TEST_ORIGIN,
  time: NOW,
  order: 'o-1',
  pay: [{ by: 'none' }] as PayBy[],
  rate: { currency: 'GBP', value: OWN.rate },
  confirmations: 1,
  expires: NOW + 900,
}
const LEAVES = DRAWN.draw.leaves.map((leaf) => leafHash(nobleHash, leaf))
const PATH = proofOf(nobleHash, inclusionNodes(PLACE, LEAVES.length), ({ level, index }) =>
  rootOf(nobleHash, LEAVES.slice(index * 2 ** level, (index + 1) * 2 ** level)),
).map(toHex)
const NOTHING: Omit<BundlePaper, 'note'> = { secret: null, username: null, lines: null, path: [], preimage: null }

/** An honest promise for the play, with some values changed. */
const promised = (changes: Partial<Promised> = {}, order = ORDER): Promised => ({
  ...promiseOf(order, OFFER),
  ...changes,
})
const hashOf = (statement: Receipt | Promised) =>
  textHash(statement.type === 'promise' ? writeStatement(statement) : writeStatement(statement))

/** An honest receipt for the play, with some values changed. */
function received(changes: Partial<Receipt> = {}): Receipt {
  return {
    type: 'receipt',
    log: TEST_ORIGIN,
    time: NOW,
    order: 'o-1',
    promise: hashOf(promised()),
    open: OPEN,
    play: toHex(playId(SECRET)),
    leaf: toHex(LEAVES[PLACE] ?? new Uint8Array()),
    index: PLACE,
    statement: DRAWN.draw.sold?.hash ?? NO_HASH,
    supersedes: NO_HASH,
    reason: 'none',
    ...changes,
  }
}

/** A paper of the bundle, with what its owner reveals. */
const paperOf = (statement: Receipt | Promised, shown: Partial<BundlePaper> = {}, seed = TEST_LOG_SEED) => ({
  ...NOTHING,
  note: signPaper(statement, seed),
  ...shown,
})
/** A receipt whose owner reveals everything. */
const ownReceipt = (changes: Partial<Receipt> = {}, shown: Partial<BundlePaper> = {}) =>
  paperOf(received(changes), { secret: toHex(SECRET), username: OWN.username, path: PATH, ...shown })

/** What is found in the papers. @param sealedAs what the verifier has of the plays; null if they cannot be counted */
function judge(
  papers: readonly BundlePaper[],
  sealedAs: (plays: SealedPlays) => SealedPlays | null = (honest) => honest,
  changes = {},
): string[] {
  const { log, opened } = changedDraw(DRAWN)
  const sealed = verifyPlays(log, opened, closeOf(log), BUNDLE_DRAW, { hash: nobleHash, checks: new Checks() })
  const checks = new Checks()
  const context = { log, papers: readPapers(log, papers, checks), open: OPEN, hash: nobleHash, checks }
  verifySignatures(context)
  verifyPapers(context, closeOf(changedDraw(DRAWN, changes).log), sealedAs(sealed))
  return findingsOf(checks)
}

const partly = (sealed: SealedPlays): SealedPlays => ({ ...sealed, sections: [], areAll: false })
const invalid = (sealed: SealedPlays): SealedPlays => ({ ...sealed, fault: 'leaf 0: it is of another draw' })
const revoked = (sealed: SealedPlays): SealedPlays => ({ ...sealed, inForce: [{ index: PLACE, by: 2 }] })

describe('papers', () => {
  it('honest papers pass', () => {
    expect(judge([ownReceipt(), paperOf(promised())])).toEqual([])
  })

  const FORM = 'papers.form broken: a paper is no promise or receipt of this operator'

  it('what is no promise or receipt of the operator breaks a bundle', () => {
    const game = DRAWN.operator.statements.find(({ statement }) => statement.type === 'game')
    assert(game !== undefined, 'no game')
    for (const note of [
      'no note',
      `${game.text}\n`,
      signPaper(received({ log: 'other.example/fairball' }), TEST_LOG_SEED),
    ])
      expect(judge([{ ...NOTHING, note }, ownReceipt()]), note).toEqual([FORM])
  })

  const UNSIGNED = {
    receipt: 'receipt.signature broken: a receipt is not signed by the key of its time',
    promise: 'promise.signature broken: a promise is not signed by the key of its time',
  }

  it('what the operator did not sign breaks a bundle, and is not compared', () => {
    const early = DRAWN.operator.statements[0]?.statement.time ?? 0
    expect(judge([paperOf(received({ index: 0 }), {}, THIEF)])).toEqual([UNSIGNED.receipt])
    expect(judge([ownReceipt({ time: early - 1 })])).toEqual([UNSIGNED.receipt])
    expect(judge([paperOf(promised({ rate: { currency: 'GBP', value: 1 } }), {}, THIEF)])).toEqual([UNSIGNED.promise])
  })

  it('papers of draws that are not here are signed too', () => {
    const { log } = changedDraw(DRAWN)
    const found = (papers: readonly BundlePaper[], opens = [OPEN]) => {
      const checks = new Checks()
      verifyOtherPapers(log, readPapers(log, papers, checks), opens, checks)
      return findingsOf(checks)
    }
    const elsewhere = { ...ORDER, plays: [{ ...PLAY, open: HASH }] }
    const other = [received({ open: HASH }), promised({}, elsewhere)]
    expect(found(other.map((one) => paperOf(one)))).toEqual([])
    expect(found(other.map((one) => paperOf(one, {}, THIEF)))).toEqual([UNSIGNED.receipt, UNSIGNED.promise])
    // Those of the draws that are here are looked at with them.
    expect(found([received(), promised()].map((one) => paperOf(one, {}, THIEF)))).toEqual([])
    const both = { ...ORDER, plays: [PLAY, { ...PLAY, open: HASH }] }
    expect(found([paperOf(promised({}, both), {}, THIEF)])).toEqual([])
  })
})

describe('a receipt', () => {
  const WORDLESS = 'receipt.moved fail: a play was moved to this draw without a word'
  const TWICE = 'receipt.moved fail: two receipts give one play two places'
  const UNSIGNED = 'promise.signature broken: a promise is not signed by the key of its time'

  it('a play that its promise does not name has a reason to be in the draw', () => {
    const other = promised({}, { ...ORDER, plays: [{ ...PLAY, open: HASH }] })
    const moved = (changes: Partial<Receipt>) =>
      judge([ownReceipt({ promise: hashOf(other), ...changes }), paperOf(other)])
    expect(moved({})).toEqual([WORDLESS])
    expect(moved({ supersedes: hashOf(other) })).toEqual([WORDLESS])
    expect(moved({ reason: 'late' })).toEqual([WORDLESS])
    expect(moved({ supersedes: hashOf(other), reason: 'late' })).toEqual([])
    // Without its promise nothing is known of it.
    expect(judge([ownReceipt({ promise: HASH })])).toEqual([])
    const ofOther = promised({ play: promised().play.map((play) => ({ ...play, play: '00'.repeat(16) })) })
    expect(judge([ownReceipt({ promise: hashOf(ofOther) }), paperOf(ofOther, {}, THIEF)])).toEqual([WORDLESS, UNSIGNED])
  })

  it('of two receipts for one play, one takes the place of the other', () => {
    const first = received({ leaf: toHex(LEAVES[0] ?? new Uint8Array()), index: 0 })
    const found = (second: Partial<Receipt>) =>
      judge([paperOf(first, { secret: toHex(SECRET), username: OWN.username }), ownReceipt(second)])
    const ABOUT_FIRST = 'receipt.owner unknown: the play was bought under another name'
    expect(found({})).toEqual([TWICE, ABOUT_FIRST])
    const LATER = 'receipt.leaf unknown: a later receipt takes its place'
    expect(found({ supersedes: hashOf(first) })).toEqual([LATER, ABOUT_FIRST])
    // The same receipt twice says one thing.
    expect(judge([ownReceipt(), ownReceipt({ time: NOW + 1 })])).toEqual([])
    const otherLeaf = ownReceipt({ leaf: HASH })
    expect(judge([ownReceipt(), otherLeaf])).toContain(TWICE)
  })

  const ELSE = (place: number) => `receipt.leaf fail: the place ${place} of a receipt holds another play`
  const AWAY = 'receipt.leaf unknown: its place in the draw is not here'
  const NO_OWNER = 'receipt.owner unknown: the play, or the name of its owner, is not here'

  it.each<[string, Partial<Receipt>, string[]]>([
    ['of another place', { index: 0 }, [ELSE(0), 'receipt.owner unknown: the play was bought under another name']],
    ['of a place beyond the draw', { index: 3 }, [ELSE(3), NO_OWNER]],
    ['of another leaf', { leaf: HASH }, [ELSE(PLACE)]],
  ])('a receipt %s is the operator’s fault', (_what, changes, found) => {
    expect(judge([ownReceipt(changes)])).toEqual(found)
  })

  it('a play whose payment left the chain does not count', () => {
    expect(judge([ownReceipt()], revoked)).toEqual([
      'receipt.leaf warn: its payment left the chain, so it does not count',
    ])
  })

  it('a place that the close does not reach is not in the draw', () => {
    expect(judge([ownReceipt()], undefined, { close: { size: PLACE } })).toEqual([
      'receipt.leaf fail: its place is not in the draw',
    ])
    expect(judge([ownReceipt()], undefined, { close: { size: PLACE + 1 } })).toEqual([])
  })

  it('without its section a receipt is held to the batch or close that it names', () => {
    const found = (changes: Partial<Receipt>, shown: Partial<BundlePaper> = {}) =>
      judge([ownReceipt(changes, shown)], partly)
    expect(found({})).toEqual([NO_OWNER])
    expect(found({ statement: DRAWN.draw.close?.hash ?? '' })).toEqual([NO_OWNER])
    expect(found({}, { path: [] })).toEqual([AWAY, NO_OWNER])
    expect(found({ statement: HASH })).toEqual([AWAY, NO_OWNER])
    expect(found({ statement: OPEN })).toEqual([AWAY, NO_OWNER])
    expect(judge([ownReceipt(), ownReceipt({ supersedes: hashOf(received()) })], partly)).toEqual([AWAY, NO_OWNER])
    const elsewhere = judge([ownReceipt()], (sealed) => ({ ...sealed, areAll: false }))
    expect(elsewhere).toEqual([])
  })

  it('plays that cannot be counted say nothing of a receipt', () => {
    expect(judge([ownReceipt({ index: 0 })], () => null)).toEqual([NO_OWNER])
  })

  it.each<[string, Partial<BundlePaper>, string[]]>([
    ['without its secret', { secret: null }, ['receipt.owner unknown: the secret of the play is not here']],
    ['with another secret', { secret: HASH }, ['receipt.owner broken: the secret is not that of the play']],
    ['without a name', { username: null }, [NO_OWNER]],
    ['under another name', { username: 'someone' }, ['receipt.owner unknown: the play was bought under another name']],
    [
      'under a name beyond ASCII',
      { username: 'plâyer' },
      ['receipt.owner unknown: the play was bought under another name'],
    ],
  ])('a receipt %s does not prove its owner', (_what, shown, found) => {
    expect(judge([ownReceipt({}, shown)])).toEqual(found)
  })

  it('an invalid leaf has no owner', () => {
    expect(judge([ownReceipt()], invalid)).toEqual([NO_OWNER])
  })
})

describe('a promise', () => {
  const UNPAID = 'promise.kept unknown: nothing here shows that it was paid'
  const ABSENT = 'promise.kept fail: a paid play is not in the draw'
  const OTHERWISE = 'promise.kept fail: a paid play has other lines, free tickets or rate'
  const unsold = { ...ORDER, secret: new Uint8Array(32).fill(5) }

  it.each<[string, PayBy, string | null, string[]]>([
    ['nothing', { by: 'none' }, null, []],
    ['a preimage', { by: 'lightning', hash: toHex(nobleHash(fromHex(HASH))) }, HASH, []],
    ['another preimage', { by: 'lightning', hash: HASH }, HASH, [UNPAID]],
    ['no preimage', { by: 'lightning', hash: HASH }, null, [UNPAID]],
    ['an address', { by: 'bitcoin', address: 'bc1qexample' }, HASH, [UNPAID]],
  ])('a promise is shown to be paid by what it asks for: %s', (_what, pay, preimage, found) => {
    expect(judge([paperOf(promised({ pay: [pay] }), { preimage })])).toEqual(found)
    expect(judge([paperOf(promised({ pay: [pay] }, unsold), { preimage })])).toEqual(
      found.length > 0 ? found : [ABSENT],
    )
  })

  it('one of several ways to pay is enough', () => {
    const ways: PayBy[] = [
      { by: 'bitcoin', address: 'bc1qexample' },
      { by: 'lightning', hash: toHex(nobleHash(fromHex(HASH))) },
    ]
    expect(judge([paperOf(promised({ pay: ways }), { preimage: HASH })])).toEqual([])
    expect(judge([paperOf(promised({ pay: ways }))])).toEqual([UNPAID])
  })

  it('only the plays of the draw are looked for', () => {
    const elsewhere = { ...unsold, plays: [PLAY, { ...PLAY, open: HASH }] }
    expect(judge([paperOf(promised({}, { ...elsewhere, secret: ORDER.secret }))])).toEqual([])
    expect(judge([paperOf(promised({}, { ...unsold, plays: [{ ...PLAY, open: HASH }] }))])).toEqual([])
  })

  it('a promise is kept with its lines, free tickets and rate', () => {
    const [play] = promised().play
    assert(play !== undefined, 'no play')
    const found = (changes: Partial<Promised>) => judge([paperOf(promised(changes))])
    expect(found({ play: [{ ...play, lines: play.lines + 1 }] })).toEqual([OTHERWISE])
    expect(found({ play: [{ ...play, free: 1 }] })).toEqual([OTHERWISE])
    expect(found({ rate: { currency: 'GBP', value: OWN.rate + 1 } })).toEqual([OTHERWISE])
    expect(judge([paperOf(promised())], revoked)).toEqual(['promise.kept fail: a paid play was revoked'])
  })

  it.each<[string, OrderPlay['lines'], string[]]>([
    ['the lines of the play', OWN.lines, []],
    ['lines in another order', OWN.lines.toReversed(), [OTHERWISE]],
    ['a line less', OWN.lines.slice(1), [OTHERWISE]],
    ['the first line alone', OWN.lines.slice(0, 1), [OTHERWISE]],
    ['a number beyond the pools', [OWN.lines[0] ?? [], [1, 2, 65]], [OTHERWISE]],
    ['a number twice', [OWN.lines[0] ?? [], [1, 2, 2]], [OTHERWISE]],
  ])('a promise that reveals what it committed to is kept with it: %s', (_what, lines, found) => {
    const honest = promised()
    const text = linesText([lines])
    const blind = toHex(linesBlind(ORDER.secret))
    const committed = { ...honest, lines: commitmentOf(lines) }
    expect(judge([paperOf(committed, { lines: text, secret: blind })])).toEqual(found)
    // What it did not commit to says nothing of it, and what is not revealed neither.
    expect(judge([paperOf(honest, { lines: text, secret: blind })])).toEqual(found.length > 0 ? [] : found)
    expect(judge([paperOf(committed, { lines: text })])).toEqual([])
    expect(judge([paperOf(committed, { secret: blind })])).toEqual([])
  })

  /** The commitment of an order to other lines than those sold. */
  function commitmentOf(lines: OrderPlay['lines']): string {
    return promiseOf({ ...ORDER, plays: [{ ...PLAY, lines }] }, OFFER).lines
  }

  it('a play that was moved is looked for elsewhere', () => {
    const gone = promised({}, unsold)
    const play = gone.play[0]?.play ?? ''
    const receiptFor = (changes: Partial<Receipt>) =>
      paperOf(
        received({ promise: hashOf(gone), play, open: HASH, supersedes: hashOf(gone), reason: 'late', ...changes }),
      )
    const found = (...receipts: BundlePaper[]) =>
      judge([paperOf(gone), ...receipts]).filter((one) => one.startsWith('promise'))
    const MOVED = 'promise.kept unknown: the play was moved'
    expect(found(receiptFor({}))).toEqual([MOVED])
    expect(found(receiptFor({ promise: HASH }))).toEqual([ABSENT])
    expect(found(receiptFor({ supersedes: HASH }))).toEqual([ABSENT])
    expect(found(receiptFor({ open: OPEN }))).toEqual([ABSENT])
    // By a receipt for the draw, which another one takes the place of.
    const own = received({ promise: hashOf(gone), play })
    expect(found(paperOf(own), receiptFor({ supersedes: hashOf(own) }))).toEqual([MOVED])
    const ofOther = received({ promise: hashOf(gone), play: '00'.repeat(16) })
    expect(found(paperOf(ofOther), receiptFor({ supersedes: hashOf(ofOther) }))).toEqual([ABSENT])
  })

  it('nothing is said of a promise unless all plays are here and valid', () => {
    const PART = 'promise.kept unknown: not all plays of the draw are here'
    const gone = [paperOf(promised({}, unsold))]
    expect(judge(gone, partly)).toEqual([PART])
    expect(judge(gone, invalid)).toEqual([PART])
    expect(judge(gone, () => null)).toEqual([])
  })

  it('the leaf is the one that the order has', () => {
    expect(toHex(leafHash(nobleHash, leafOfPlay(OWN.secret, PLAY, OWN.rate, OWN.username)))).toBe(received().leaf)
  })
})
