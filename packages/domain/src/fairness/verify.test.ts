/** Fairness section 10, step by step. What single bits do is in verify-changes.test.ts. */
import { describe, expect, it } from 'vitest'
import example from '../../vectors/fairness.json'
import type { OwnRecord } from './bundle.ts'
import { toHex, fromHex } from './bytes.ts'
import { QUICKNET, roundDueAt } from './chain.ts'
import { readLogged, type LoggedNote, type VerifiedLog } from './log.ts'
import { fixedBytes, fixedPlay, gameOf } from './draw-fixture.ts'
import { OperatorFixture, WitnessFixture } from './operator-fixture.ts'
import { resigned, textOf } from './resigned-fixture.ts'
import { checkOf, failedIn } from './report-fixture.ts'
import type { Report } from './report.ts'
import { parseStatement } from './statements.ts'
import { verifyBundle, verifyDraw } from './verify.ts'

const LOTTO = gameOf('bitcoin-lotto')
const NOTHING: OwnRecord = { key: null, username: null, sights: [], receipts: [] }

function someDraw() {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay('alice', 2, LOTTO), fixedPlay('bob', 1, LOTTO)])
  return { operator, draw, open: operator.openOf(draw) }
}

function settledDraw() {
  const made = someDraw()
  const closeHash = made.operator.settle(made.draw)
  return { ...made, closeHash, bundle: made.operator.bundle(made.draw) }
}

describe('the worked example', () => {
  const notes = [example.open, example.close, example.result].map(({ note }) => readLogged(note))
  const statements = notes.filter((logged): logged is LoggedNote => typeof logged !== 'string')
  const publicKey = example.operator.ed25519_public_key
  // Its statements are 41, 58 and 61 of a log that is not written out.
  const log: VerifiedLog = {
    statements,
    problem: null,
    head: {
      operator: example.operator.name,
      seq: 61,
      hash: example.result.hash,
      time: 1_788_201_918,
      keys: [{ publicKey, fromAt: 0, untilAt: null }],
      seedHashes: [],
    },
  }
  const bundle = {
    game: 'bitcoin-lotto',
    draw: 17,
    rules: example.rules.text,
    witnesses: [],
    beacon: { round: BigInt(example.beacon.round), signature: example.beacon.signature },
    entries: fromHex(example.entries_bin),
    own: {
      key: publicKey,
      username: "O'Hara_7",
      sights: [{ hash: example.close.hash, seenAt: 1_788_201_400 }],
      receipts: [
        {
          receipt: example.receipt.note,
          close: example.close.note,
          entries: [{ id: example.entries[3]?.id ?? '', ...pathOf(3) }],
        },
      ],
    },
  }
  const verified = (): Report => verifyDraw(bundle, log, { own: bundle.own })

  it('verifies in every step, on the public beacon', () => {
    const report = verified()
    // Its free ticket was won before statement 41, in draws that are not written out.
    expect(failedIn(report)).toEqual(['prizes.free'])
    expect(report.steps.map(({ outcome }) => outcome)).toEqual(
      'passed passed passed passed passed failed passed'.split(' '),
    )
    expect(checkOf(report, 'open.chain').detail).toContain('public beacon')
    expect(checkOf(report, 'beacon.public').outcome).toBe('passed')
    expect(report.isPublicBeacon).toBe(true)
    expect(report.isSeen).toBe(true)
  })

  it('shows the way from the seed to the balls, with every byte that was thrown away', () => {
    const report = verified()
    expect(report.derivation).toMatchObject({
      seed: example.seed.seed,
      openHash: example.open.hash,
      closeHash: example.close.hash,
      randomness: example.beacon.randomness,
      key: example.draw_key,
      pool: 49,
    })
    expect(report.derivation?.balls.map(({ number }) => number)).toEqual(example.numbers)
    expect(report.derivation?.balls.flatMap(({ bytes }) => bytes)).toEqual(example.sampling)
    expect(report.derivation?.balls.map(({ place }) => place)).toEqual([33, 27, 32, 45, 25, 24])
  })

  it('pays what its tier lines say', () => {
    const report = verified()
    expect(report.tiers?.map(({ matches, winners, satsEach }) => `${matches} ${winners} ${satsEach}`)).toEqual(
      '6 0 0, 5 0 1800000, 4 0 60000, 3 1 6000, 2 1 0'.split(', '),
    )
    expect(report.fingerprint).toHaveLength(64)
  })
})

describe('a report', () => {
  it('has the seven steps in their order, tells of each as it is done, and no check twice', () => {
    const { bundle } = settledDraw()
    const told: string[] = []
    const report = verifyBundle(bundle, { onStep: ({ name }) => told.push(name) })
    expect(told).toEqual(['log', 'open', 'close', 'beacon', 'numbers', 'prizes', 'receipts'])
    const checks = report.steps.flatMap((step) => step.checks)
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
    expect(checks.every(({ title, detail }) => title.length > 0 && detail.length > 0)).toBe(true)
    for (const step of report.steps) for (const { id } of step.checks) expect(id.startsWith(`${step.name}.`)).toBe(true)
  })

  it('says that a private beacon shows the arithmetic, not the honesty, and passes', () => {
    const report = verifyBundle(settledDraw().bundle)
    expect(report.outcome).toBe('passed')
    expect(report.isPublicBeacon).toBe(false)
    expect(report.steps.find(({ name }) => name === 'beacon')?.outcome).toBe('passed')
    expect(checkOf(report, 'beacon.signature').outcome).toBe('passed')
    expect(checkOf(report, 'beacon.public')).toMatchObject({
      outcome: 'unchecked',
      detail: 'It is private: it shows the arithmetic, not the honesty.',
    })
  })

  it('is about the operator whose key it shows', () => {
    const { operator, bundle } = settledDraw()
    expect(verifyBundle(bundle)).toMatchObject({ operator: operator.name, game: 'bitcoin-lotto', draw: 1 })
  })

  it('never passes without the entries, or the rest of what a draw needs', () => {
    const { bundle } = settledDraw()
    const report = verifyBundle({ ...bundle, entries: null })
    expect(report.outcome).toBe('unchecked')
    expect(checkOf(report, 'close.root').outcome).toBe('unchecked')
    expect(checkOf(report, 'prizes.tiers').outcome).toBe('unchecked')
    expect(verifyBundle({ ...bundle, log: bundle.log.slice(0, -1), beacon: null }).outcome).toBe('unchecked')
  })

  it('leaves unchecked what follows from something that failed', () => {
    const { operator, bundle } = settledDraw()
    const seed = toHex(fixedBytes('another'))
    const log = resigned(bundle.log, operator, (one) => (one.type === 'close' ? { ...one, seed } : one))
    const report = verifyBundle({ ...bundle, log })
    expect(failedIn(report)).toEqual(['close.seed'])
    expect(checkOf(report, 'numbers.derived')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The seed is not the one that was fixed when the draw opened.',
    })
    expect(checkOf(report, 'prizes.tiers').outcome).toBe('unchecked')
    expect(report.steps.map(({ outcome }) => outcome)).toEqual(
      'passed passed failed passed unchecked unchecked unchecked'.split(' '),
    )
    expect(report.derivation).toBeNull()
  })

  it('fails for a draw that the log never opened, and checks nothing else of it', () => {
    const report = verifyBundle({ ...settledDraw().bundle, draw: 2 })
    expect(failedIn(report)).toEqual(['open.once'])
    expect(report).toMatchObject({ isSeen: false, isPublicBeacon: null })
    expect(report.steps.slice(2).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => 'unchecked'))
  })
})

describe('a draw on its way', () => {
  it('on sale is neither passed nor failed', () => {
    const { operator, draw, open } = someDraw()
    const report = verifyBundle(operator.bundle(draw), { nowAt: open.close - 60 })
    expect(report).toMatchObject({ state: 'open', outcome: 'unchecked', derivation: null, tiers: null })
    expect(failedIn(report)).toEqual([])
    expect(checkOf(report, 'close.found').detail).toContain('Sales are open until')
  })

  it('that is sealed is seen by who verifies before the round is due', () => {
    const { operator, draw, open } = someDraw()
    operator.close(draw)
    const dueAt = roundDueAt(open.round, operator.chain)
    const report = verifyBundle(operator.bundle(draw), { nowAt: dueAt - 1 })
    expect(report).toMatchObject({ state: 'closed', outcome: 'unchecked' })
    expect(checkOf(report, 'close.seen').outcome).toBe('passed')
    expect(checkOf(verifyBundle(operator.bundle(draw), { nowAt: dueAt }), 'close.seen').outcome).toBe('unchecked')
  })

  it('is not seen in time by a clock that says its round is not due, where its signature or its result is known', () => {
    const { operator, draw, open } = someDraw()
    const closeHash = operator.close(draw)
    const nowAt = roundDueAt(open.round, operator.chain) - 1
    const beacon = { round: open.round, signature: operator.signatureOf(open.round) }
    const known = operator.bundle(draw, { beacon })
    operator.result(draw, closeHash)
    for (const bundle of [known, operator.bundle(draw), operator.bundle(draw, { beacon: null })]) {
      const report = verifyBundle(bundle, { nowAt })
      expect(report.isSeen).toBe(false)
      expect(checkOf(report, 'close.seen')).toMatchObject({
        outcome: 'unchecked',
        detail: 'By the clock used here the round is not due yet, and yet its signature is known: the clock is wrong.',
      })
    }
  })

  it('whose round is known has its numbers before its result', () => {
    const { operator, draw, open } = someDraw()
    operator.close(draw)
    const beacon = { round: open.round, signature: operator.signatureOf(open.round) }
    const report = verifyBundle(operator.bundle(draw, { beacon }))
    expect(report).toMatchObject({ state: 'closed', outcome: 'unchecked' })
    expect(report.derivation?.balls).toHaveLength(6)
    expect(report.tiers).toHaveLength(5)
    expect(checkOf(report, 'numbers.derived').outcome).toBe('unchecked')
  })

  it('that nobody played is sealed over nothing and passes', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [])
    operator.settle(draw)
    const report = verifyBundle(operator.bundle(draw))
    expect(report.outcome).toBe('passed')
    expect(report.tiers?.every(({ winners }) => winners === 0)).toBe(true)
  })
})

describe('when the seal was seen', () => {
  it.each([
    ['a second before the round was due', 'passed', -1],
    ['when the round was due', 'unchecked', 0],
    ['a day later', 'unchecked', 86_400],
  ])('first %s, the check of it is %s', (_, outcome, after) => {
    const { operator, open, bundle, closeHash } = settledDraw()
    const seenAt = roundDueAt(open.round, operator.chain) + after
    const report = verifyBundle(bundle, { own: { ...NOTHING, sights: [{ hash: closeHash, seenAt }] } })
    expect(checkOf(report, 'close.seen').outcome).toBe(outcome)
    expect(report.isSeen).toBe(outcome === 'passed')
    expect(checkOf(report, 'log.fork').outcome).toBe('passed')
    expect(report.outcome).toBe('passed')
  })

  it('another seal that was seen proves the log false to who saw it', () => {
    const { open, bundle } = settledDraw()
    const own = { ...NOTHING, sights: [{ hash: '5e'.repeat(32), seenAt: open.close + 9 }] }
    expect(failedIn(verifyBundle(bundle, { own }))).toEqual(['log.fork'])
  })

  it('a statement newer than the log says nothing against it', () => {
    const { operator, draw, open } = someDraw()
    const own = { ...NOTHING, sights: [{ hash: '5e'.repeat(32), seenAt: open.close + 9 }] }
    const report = verifyBundle(operator.bundle(draw), { own })
    expect(failedIn(report)).toEqual([])
    expect(checkOf(report, 'log.fork').outcome).toBe('unchecked')
  })

  it('what the verifier remembers wins over what the bundle says', () => {
    const { operator, bundle } = settledDraw()
    const lied = { ...bundle, own: { ...NOTHING, key: toHex(operator.publicKey) } }
    expect(checkOf(verifyBundle(lied, { own: null }), 'log.key').detail).toContain('for the first time')
    const mine = { ...NOTHING, key: 'ab'.repeat(32) }
    expect(failedIn(verifyBundle(lied, { own: mine }))).toEqual(['log.key'])
    const doubted = { ...bundle, own: mine }
    expect(failedIn(verifyBundle(doubted, { own: { ...NOTHING, key: toHex(operator.publicKey) } }))).toEqual([])
  })
})

describe('what a file says of the memory of who saved it', () => {
  function claiming() {
    const { operator, open, bundle, closeHash } = settledDraw()
    const seenAt = roundDueAt(open.round, operator.chain) - 500
    const claims = { ...NOTHING, key: toHex(operator.publicKey), sights: [{ hash: closeHash, seenAt }] }
    return { bundle: { ...bundle, own: claims }, claims, closeHash, seenAt }
  }

  it('passes nothing, however well it fits', () => {
    const report = verifyBundle(claiming().bundle)
    for (const id of ['log.key', 'log.fork', 'close.seen']) {
      expect(checkOf(report, id).outcome, id).toBe('unchecked')
      expect(checkOf(report, id).detail, id).toMatch(/^The file says .*: that is the word of whoever saved it/)
    }
    expect(report).toMatchObject({ outcome: 'passed', isSeen: false })
  })

  it('passes nothing either beside a verifier who remembers nothing', () => {
    const report = verifyBundle(claiming().bundle, { own: NOTHING })
    expect(['log.key', 'log.fork', 'close.seen'].map((id) => checkOf(report, id).outcome)).toEqual(
      'unchecked unchecked unchecked'.split(' '),
    )
  })

  it('counts where the verifier remembers it as well', () => {
    const { bundle, claims } = claiming()
    const report = verifyBundle(bundle, { own: claims })
    expect(['log.key', 'log.fork', 'close.seen'].map((id) => checkOf(report, id).outcome)).toEqual(
      'passed passed passed'.split(' '),
    )
    expect(report.isSeen).toBe(true)
  })

  it('fails what it contradicts', () => {
    const { bundle, claims, seenAt } = claiming()
    const strange = { ...bundle, own: { ...claims, key: 'ab'.repeat(32) } }
    expect(failedIn(verifyBundle(strange))).toEqual(['log.key'])
    const forked = { ...bundle, own: { ...claims, sights: [{ hash: '5e'.repeat(32), seenAt }] } }
    expect(failedIn(verifyBundle(forked))).toEqual(['log.fork'])
    expect(failedIn(verifyBundle(forked, { own: claims }))).toEqual(['log.fork'])
  })
})

describe('witnesses', () => {
  const names = ['one.example', 'two.example', 'three.example'].map((name) => new WitnessFixture(name))
  const list = names.map(({ name, publicKey }) => ({ name, publicKey }))

  /** A draw that needs two of three, signed so many seconds before its round is due by each who signs. */
  function witnessed(before: readonly (number | null)[]): Report {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [fixedPlay('alice', 1, LOTTO)], { witness: { required: 2, list } })
    const note = operator.noteOf(operator.settle(draw))
    const dueAt = roundDueAt(operator.openOf(draw).round, operator.chain)
    const witnesses = names.flatMap((witness, place) => {
      const seconds = before[place] ?? null
      return seconds === null ? [] : [witness.line(note, dueAt - seconds)]
    })
    return verifyBundle(operator.bundle(draw, { witnesses: ['no line', ...witnesses] }))
  }

  it.each([
    [[300, 200, null], 'passed'],
    [[300, 61, 10], 'passed'],
    [[300, 60, 10], 'failed'],
    [[300, null, null], 'failed'],
    [[null, null, null], 'failed'],
  ])('who signed %j seconds before the round: %s', (before, outcome) => {
    expect(checkOf(witnessed(before), 'close.witnesses').outcome).toBe(outcome)
  })

  it('who signed show that the seal was public before the round', () => {
    const report = witnessed([300, 200, null])
    expect(checkOf(report, 'close.seen').outcome).toBe('passed')
    expect(report.isSeen).toBe(true)
  })

  it.each([
    ['a minute', 60, 'passed'],
    ['more than a minute', 61, 'failed'],
  ])('who date their signature %s before the seal was made: %s s, %s', (_, before, outcome) => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [], { witness: { required: 1, list: list.slice(0, 1) } })
    const close = operator.noteOf(operator.settle(draw))
    const line = names[0]?.line(close, operator.openOf(draw).close + 4 - before) ?? ''
    const report = verifyBundle(operator.bundle(draw, { witnesses: [line] }))
    expect(checkOf(report, 'close.witnesses').outcome).toBe(outcome)
    expect(report.isSeen).toBe(outcome === 'passed')
  })

  it('who sign twice are believed by the date that can be true', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [], { witness: { required: 1, list: list.slice(0, 1) } })
    const close = operator.noteOf(operator.settle(draw))
    const lines = [0, operator.openOf(draw).close + 20].map((at) => names[0]?.line(close, at) ?? '')
    expect(verifyBundle(operator.bundle(draw, { witnesses: lines })).outcome).toBe('passed')
  })

  it('who signed the first seal in time forbid a second one', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [], { witness: { required: 1, list: list.slice(0, 1) } })
    const first = operator.noteOf(operator.close(draw))
    const time = roundDueAt(operator.openOf(draw).round, operator.chain) - 50
    const round = operator.postpone(draw, 'witness', time)
    const second = operator.close(draw, { round, time: time + 300 })
    operator.result(draw, second, { time: time + 1300 })
    const line = names[0]?.line(operator.noteOf(second), time + 310) ?? ''
    expect(verifyBundle(operator.bundle(draw, { witnesses: [line] })).outcome).toBe('passed')
    const early = names[0]?.line(first, time - 100) ?? ''
    expect(failedIn(verifyBundle(operator.bundle(draw, { witnesses: [line, early] })))).toEqual(['close.once'])
  })

  it('cannot be replaced by others, nor by a signature of another text', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [], { witness: { required: 1, list: list.slice(0, 1) } })
    const close = operator.noteOf(operator.settle(draw))
    const at = operator.openOf(draw).close + 5
    const [one, two] = names
    const lines = [two?.line(close, at) ?? '', one?.line(operator.notes[0] ?? '', at) ?? '']
    expect(failedIn(verifyBundle(operator.bundle(draw, { witnesses: lines })))).toEqual(['close.witnesses'])
  })
})

describe('receipts', () => {
  const own = (receipts: OwnRecord['receipts'], username: string | null = 'alice'): OwnRecord => ({
    ...NOTHING,
    username,
    receipts,
  })

  it('before the seal are genuine, and their place in it is not checkable yet', () => {
    const { operator, draw } = someDraw()
    const report = verifyBundle(operator.bundle(draw, { own: own([operator.receipt(draw, 0, null)]) }))
    expect(checkOf(report, 'receipts.signature').outcome).toBe('passed')
    expect(checkOf(report, 'receipts.owner').outcome).toBe('passed')
    expect(checkOf(report, 'receipts.sealed').outcome).toBe('unchecked')
  })

  it('are found in the published entries, with their path or without', () => {
    const { operator, draw, bundle, closeHash } = settledDraw()
    for (const receipt of [operator.receipt(draw, 0, closeHash), operator.receipt(draw, 0, null)]) {
      expect(checkOf(verifyBundle(bundle, { own: own([receipt]) }), 'receipts.sealed').outcome).toBe('passed')
    }
    const byPath = verifyBundle({ ...bundle, entries: null }, { own: own([operator.receipt(draw, 0, closeHash)]) })
    expect(checkOf(byPath, 'receipts.sealed').outcome).toBe('passed')
    const byNothing = verifyBundle({ ...bundle, entries: null }, { own: own([operator.receipt(draw, 0, null)]) })
    expect(checkOf(byNothing, 'receipts.sealed').outcome).toBe('unchecked')
  })

  it('of somebody else fail, and without a username nobody can tell', () => {
    const { operator, draw, bundle, closeHash } = settledDraw()
    const receipt = operator.receipt(draw, 1, closeHash)
    expect(failedIn(verifyBundle(bundle, { own: own([receipt]) }))).toEqual(['receipts.owner'])
    expect(checkOf(verifyBundle(bundle, { own: own([receipt], null) }), 'receipts.owner').outcome).toBe('unchecked')
  })

  it('cannot show an entry to two players as theirs', () => {
    const { operator, draw, bundle, closeHash } = settledDraw()
    const sent = operator.receipt(draw, 0, closeHash)
    const renamed = operator.sign(textOf(sent.receipt).replace('player alice', 'player mallory'))
    const report = verifyBundle(bundle, { own: own([{ ...sent, receipt: renamed }], 'mallory') })
    expect(failedIn(report)).toEqual(['receipts.sealed'])
  })

  it('with other numbers than were sealed fail, though signed', () => {
    const { operator, draw, bundle, closeHash } = settledDraw()
    const sent = operator.receipt(draw, 0, closeHash)
    const other = textOf(sent.receipt).replace(/ 0 [\d,]+\n/, ' 0 1,2,3,4,5,6\n')
    const report = verifyBundle(bundle, { own: own([{ ...sent, receipt: operator.sign(other) }]) })
    expect(failedIn(report)).toEqual(['receipts.sealed'])
  })

  it('signed with a key that came later hold, with one that had been replaced they do not', () => {
    const { operator, draw, bundle: before } = settledDraw()
    const early = operator.receipt(draw, 0, null)
    const old = operator.keySeed
    operator.changeKey(fixedBytes('new key'))
    const bundle = { ...before, log: [...operator.notes] }
    const late = operator.sign(textOf(early.receipt))
    expect(failedIn(verifyBundle(bundle, { own: own([early]) }))).toEqual([])
    expect(failedIn(verifyBundle(bundle, { own: own([{ ...early, receipt: late }]) }))).toEqual([])
    const changedAt = parseStatement(textOf(operator.notes.at(-1) ?? ''))
    const time = ('time' in changedAt ? changedAt.time : 0) + 1
    const stale = resignedReceipt(operator, textOf(early.receipt).replace(/time \d+/, `time ${time}`), old)
    expect(failedIn(verifyBundle(bundle, { own: own([{ ...early, receipt: stale }]) }))).toEqual(['receipts.signature'])
  })

  it('signed with a key that the log here does not hold yet cannot be told from false ones', () => {
    const { operator, draw, bundle } = settledDraw()
    const early = operator.receipt(draw, 0, null)
    operator.changeKey(fixedBytes('new key'))
    const late = { ...early, receipt: operator.sign(textOf(early.receipt)) }
    const short = verifyBundle(bundle, { own: own([late]) })
    expect(failedIn(short)).toEqual([])
    expect(checkOf(short, 'receipts.signature')).toMatchObject({
      outcome: 'unchecked',
      detail: 'It is signed with a key that this log does not hold; the log here may end too early.',
    })
    const whole = verifyBundle({ ...bundle, log: [...operator.notes] }, { own: own([late]) })
    expect(checkOf(whole, 'receipts.signature').outcome).toBe('passed')
  })

  it('signed falsely under a key of the log, or by nobody of its name, fail', () => {
    const { operator, draw, bundle } = settledDraw()
    const sent = operator.receipt(draw, 0, null)
    const changed = { ...sent, receipt: sent.receipt.replace('order order-1-0', 'order order-1-9') }
    expect(failedIn(verifyBundle(bundle, { own: own([changed]) }))).toEqual(['receipts.signature'])
    const stranger = new OperatorFixture({ name: 'somebody.example' })
    const foreign = { ...sent, receipt: stranger.sign(textOf(sent.receipt)) }
    expect(failedIn(verifyBundle(bundle, { own: own([foreign]) }))).toEqual(['receipts.signature'])
  })

  it('of two orders for one entry are one promise too many, and one receipt given twice is one', () => {
    const { operator, draw, bundle, closeHash } = settledDraw()
    const sent = operator.receipt(draw, 0, closeHash)
    expect(checkOf(verifyBundle(bundle, { own: own([sent, sent]) }), 'receipts.once').outcome).toBe('passed')
    const second = { ...sent, receipt: operator.sign(textOf(sent.receipt).replace(/^order .*$/m, 'order other')) }
    const report = verifyBundle(bundle, { own: own([sent, second]) })
    expect(failedIn(report)).toEqual(['receipts.once'])
    expect(checkOf(report, 'receipts.once').detail).toContain('of order order-1-0 and of order other')
  })

  it('of two orders with one entry alike, or with one secret, or of two players, fail as well', () => {
    const { operator, draw, bundle } = settledDraw()
    const sent = operator.receipt(draw, 0, null)
    const text = textOf(sent.receipt).replace(/^order .*$/m, 'order other')
    const otherSecret = text.replace(/^secret .*$/m, `secret ${'cd'.repeat(32)}`)
    const otherEntries = text.replaceAll(/^entry [0-9a-f]{4}/gm, 'entry abcd')
    const otherPlayer = textOf(sent.receipt).replace('player alice', 'player bob')
    const entry = /^entry (\S+)/m.exec(text)?.[1]
    for (const [changed, what] of [
      [otherSecret, `Entry ${entry}`],
      [otherEntries, 'The secret of an entry'],
      [otherPlayer, 'The secret of an entry'],
    ] as const) {
      const receipts = [sent, { ...sent, receipt: operator.sign(changed) }]
      const report = verifyBundle(bundle, { own: own(receipts) })
      expect(failedIn(report)).toContain('receipts.once')
      expect(checkOf(report, 'receipts.once').detail).toContain(`${what} stands in two receipts: of order order-1-0`)
    }
  })

  it('of several orders of one player stand beside each other', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [fixedPlay('alice', 2, LOTTO), fixedPlay('alice', 1, LOTTO)])
    const closeHash = operator.settle(draw)
    const receipts = [0, 1].map((place) => operator.receipt(draw, place, closeHash))
    const report = verifyBundle(operator.bundle(draw, { own: own(receipts) }))
    expect(failedIn(report)).toEqual([])
    expect(checkOf(report, 'receipts.once').outcome).toBe('passed')
  })

  it('of a play that moved belong to another draw, which they say', () => {
    const { operator, draw } = someDraw()
    const [moved] = draw.plays
    operator.close(draw)
    operator.append(
      { type: 'void', open: draw.openHash, reason: 'beacon' },
      operator.openOf(draw).start + 7 * 86_400 + 1,
    )
    const next = operator.open(9, moved === undefined ? [] : [moved])
    operator.settle(next)
    const [old, renewed] = [operator.receipt(draw, 0, null), operator.receipt(next, 0, null)]
    const report = verifyBundle(operator.bundle(next), { own: own([old, renewed]) })
    expect(report.outcome).toBe('passed')
    expect(checkOf(report, 'receipts.found').detail).toContain('1 other is of another draw')
    const alone = verifyBundle(operator.bundle(next), { own: own([old]) })
    expect(checkOf(alone, 'receipts.found').outcome).toBe('unchecked')
  })

  it('of a draw that the log never opened are proof against it', () => {
    const { operator, draw, bundle, closeHash } = settledDraw()
    const sent = operator.receipt(draw, 0, closeHash)
    const ghost = operator.sign(textOf(sent.receipt).replace(draw.openHash, 'ab'.repeat(32)))
    const report = verifyBundle(bundle, { own: own([{ receipt: ghost, close: null, entries: [] }]) })
    expect(failedIn(report)).toEqual(['receipts.found'])
  })

  it('for equal lines are each sealed as an entry of its own', () => {
    const operator = new OperatorFixture()
    const line = [1, 2, 3, 4, 5, 6]
    const draw = operator.open(1, [{ username: 'alice', lines: [line, line, line] }])
    const closeHash = operator.settle(draw)
    const report = verifyBundle(operator.bundle(draw, { own: own([operator.receipt(draw, 0, closeHash)]) }))
    expect(report.outcome).toBe('passed')
    expect(checkOf(report, 'receipts.sealed').outcome).toBe('passed')
  })
})

describe('a draw called void because it was not sealed in time', () => {
  /** Given up after so many postponements, each just too late. */
  function missed(postpones: number) {
    const { operator, draw, open } = someDraw()
    let { round } = open
    for (let count = 0; count < postpones; count += 1) {
      round = operator.postpone(draw, 'outage', roundDueAt(round, operator.chain) - 30)
    }
    operator.append({ type: 'void', open: draw.openHash, reason: 'outage' }, roundDueAt(round, operator.chain) - 30)
    return { operator, draw }
  }

  it.each([
    [0, 'unchecked', 'failed'],
    [1, 'unchecked', 'failed'],
    [2, 'passed', 'passed'],
  ])('after %i postponements is %s, and for who was in it %s', (postpones, forAnybody, forPlayer) => {
    const { operator, draw } = missed(postpones)
    const receipts = [operator.receipt(draw, 0, null)]
    expect(checkOf(verifyBundle(operator.bundle(draw)), 'open.void').outcome).toBe(forAnybody)
    const own = { ...NOTHING, username: 'alice', receipts }
    expect(checkOf(verifyBundle(operator.bundle(draw), { own }), 'open.void').outcome).toBe(forPlayer)
  })

  it('is not shown to have had entries by a receipt that its operator never signed', () => {
    const { operator, draw } = missed(0)
    const sent = operator.receipt(draw, 0, null)
    const forged = new OperatorFixture({ keySeed: fixedBytes('a stranger') }).sign(textOf(sent.receipt))
    const own = { ...NOTHING, username: 'alice', receipts: [{ ...sent, receipt: forged }] }
    expect(checkOf(verifyBundle(operator.bundle(draw), { own }), 'open.void').outcome).toBe('unchecked')
  })
})

describe('free tickets', () => {
  it('may be used up to as many as were won before, and a void draw uses none', () => {
    const operator = new OperatorFixture()
    operator.settle(operator.open(1, [fixedPlay('alice', 30, LOTTO)]))
    const won = winnersOfFree(operator)
    expect(won).toBeGreaterThan(0)
    const voided = operator.open(2, [{ ...fixedPlay('alice', 30, LOTTO), free: won }])
    operator.close(voided)
    operator.append(
      { type: 'void', open: voided.openHash, reason: 'beacon' },
      operator.openOf(voided).start + 7 * 86_400 + 1,
    )
    const next = operator.open(10, [{ ...fixedPlay('bob', 30, LOTTO), free: won }])
    operator.settle(next)
    expect(verifyBundle(operator.bundle(next)).outcome).toBe('passed')
    const more = operator.open(11, [{ ...fixedPlay('carol', 30, LOTTO), free: winnersOfFree(operator) - won + 1 }])
    operator.settle(more)
    expect(failedIn(verifyBundle(operator.bundle(more)))).toEqual(['prizes.free'])
  })

  it('of another game do not count', () => {
    const operator = new OperatorFixture()
    operator.settle(operator.open(1, [fixedPlay('alice', 30, LOTTO)]))
    const hero = gameOf('bitcoin-hero')
    const draw = operator.open(2, [{ ...fixedPlay('alice', 3, hero), free: 1 }], { game: 'bitcoin-hero' })
    operator.settle(draw)
    expect(failedIn(verifyBundle(operator.bundle(draw)))).toEqual(['prizes.free'])
  })
})

function pathOf(index: number) {
  const found = example.paths.find((one) => one.index === index)
  return { index, size: found?.size ?? 0, path: found?.path ?? [] }
}

function winnersOfFree(operator: OperatorFixture): number {
  return operator.notes
    .map((note) => parseStatement(textOf(note)))
    .flatMap((statement) => (statement.type === 'result' ? statement.tiers : []))
    .reduce((sum, { kind, winners }) => sum + (kind === 'free' ? winners : 0), 0)
}

/** A receipt's text signed with a key of before. */
function resignedReceipt(operator: OperatorFixture, text: string, keySeed: Uint8Array): string {
  return new OperatorFixture({ name: operator.name, keySeed, chain: QUICKNET }).sign(text)
}
