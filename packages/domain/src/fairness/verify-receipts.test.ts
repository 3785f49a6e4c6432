/** Fairness section 10, step 7, and what receipts and sights say of the log: each sentence of it with the case that it is for. */
import { describe, expect, it } from 'vitest'
import type { OwnReceipt, OwnRecord } from './bundle.ts'
import { timeText } from './checks.ts'
import { fixedBytes, fixedPlay, gameOf } from './draw-fixture.ts'
import { OperatorFixture, type OpenFixture, WitnessFixture } from './operator-fixture.ts'
import type { Check, Report } from './report.ts'
import { checkOf, failedIn } from './report-fixture.ts'
import { resigned, textOf } from './resigned-fixture.ts'
import { noteOf, signatureLine, signingPublicKey, signText } from './signed-note.ts'
import { verifyBundle } from './verify.ts'

const LOTTO = gameOf('bitcoin-lotto')
const witness = new WitnessFixture('one.example')
const witnessed: OpenFixture = {
  witness: { required: 1, list: [{ name: witness.name, publicKey: witness.publicKey }] },
}

function opened(options: OpenFixture = {}) {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay('alice', 2, LOTTO), fixedPlay('alice', 1, LOTTO)], options)
  const report = (receipts: readonly OwnReceipt[], more: Partial<OwnRecord> = {}): Report =>
    verifyBundle(operator.bundle(draw), { own: { key: null, username: 'alice', sights: [], receipts, ...more } })
  /** A receipt with a piece of its text replaced, signed again. */
  const changed = (sent: OwnReceipt, from: string | RegExp, to: string): OwnReceipt => ({
    ...sent,
    receipt: operator.sign(textOf(sent.receipt).replace(from, to)),
  })
  return { operator, draw, open: operator.openOf(draw), report, changed }
}

function settled(options: OpenFixture = {}) {
  const made = opened(options)
  const closeHash = made.operator.settle(made.draw)
  return { ...made, closeHash, sent: made.operator.receipt(made.draw, 0, closeHash) }
}

describe('what receipts show', () => {
  it('is their order, player, time, draw and lines', () => {
    const { draw, open, report, sent } = settled()
    const [one, two] = draw.plays[0]?.lines ?? []
    const [first, second] = sent.entries.map(({ id }) => id)
    expect(checkOf(report([sent]), 'receipts.found').inputs).toEqual([
      { name: 'order', value: 'order-1-0' },
      { name: 'player', value: 'alice' },
      { name: 'receipt made', value: timeText(open.time + 60) },
      { name: 'of the draw', value: draw.openHash },
      { name: `entry ${first}`, value: `${one?.join(', ')} (paid)` },
      { name: `entry ${second}`, value: `${two?.join(', ')} (paid)` },
    ])
    const free = new OperatorFixture()
    const its = free.open(1, [{ ...fixedPlay('alice', 1, LOTTO), free: 1 }])
    const own = { key: null, username: 'alice', sights: [], receipts: [free.receipt(its, 0, null)] }
    const [entry] = checkOf(verifyBundle(free.bundle(its), { own }), 'receipts.found').inputs.slice(-1)
    expect(entry?.value).toMatch(/\(free ticket\)$/)
  })

  it('is nothing where there are none', () => {
    const { report } = settled()
    const step = report([]).steps.at(-1)
    expect(step).toMatchObject({ name: 'receipts', outcome: 'unchecked' })
    expect(step?.checks).toHaveLength(1)
    expect(step?.checks[0]?.detail).toContain('No receipts were given.')
  })
})

describe('receipts are told apart', () => {
  it('from what is none, which is counted', () => {
    const { report, sent } = settled()
    const none = { receipt: 'hello', close: null, entries: [] }
    const found = (receipts: readonly OwnReceipt[]): Check => checkOf(report(receipts), 'receipts.found')
    expect(found([none])).toMatchObject({ outcome: 'failed', detail: '1 of them is no receipt.' })
    expect(found([none, sent, none])).toMatchObject({ outcome: 'failed', detail: '2 of them are no receipt.' })
    expect(found([sent])).toMatchObject({ outcome: 'passed', detail: '1 receipt of this draw.' })
    expect(found([sent, sent])).toMatchObject({ outcome: 'passed', detail: '2 receipts of this draw.' })
  })

  it('from those of other draws, which are not looked at', () => {
    const { operator, report, sent } = settled()
    const next = operator.open(2, [fixedPlay('alice', 1, LOTTO)])
    const [other] = [operator.receipt(next, 0, null)]
    const both = report([sent, other, other])
    expect(checkOf(both, 'receipts.found').detail).toBe(
      '1 receipt of this draw. 2 others are of another draw and not looked at.',
    )
    const alone = report([other])
    expect(alone.steps.at(-1)?.checks.map(({ id }) => id)).toEqual(['receipts.found'])
    expect(checkOf(alone, 'receipts.found')).toMatchObject({
      outcome: 'unchecked',
      detail: 'They belong to other draws. Entries that moved have a new receipt for their new draw.',
    })
  })

  it('from those of a draw that the log may only not hold yet', () => {
    const { operator, open, report, changed, sent } = settled()
    const ghost = changed(sent, `open ${sent.receipt.match(/^open (.*)$/m)?.[1]}`, `open ${'ab'.repeat(32)}`)
    expect(checkOf(report([ghost]), 'receipts.found')).toMatchObject({
      outcome: 'failed',
      detail: 'The receipt of order order-1-0 is signed, but of a draw that this log never opened.',
    })
    // As old as the newest statement it should be in the log, a second younger it need not be.
    const newest = open.start + 125
    const at = (time: number): Check =>
      checkOf(report([changed(ghost, /^time .*$/m, `time ${time}`)]), 'receipts.found')
    expect(at(newest).outcome).toBe('failed')
    expect(at(newest + 1).outcome).toBe('unchecked')
    const unsigned = { ...ghost, receipt: ghost.receipt.replace('order-1-0', 'order-1-7') }
    expect(checkOf(report([unsigned]), 'receipts.found').outcome).toBe('unchecked')
    const broken = verifyBundle(
      { ...operator.bundle(operator.open(5, []), {}), draw: 1, log: [...operator.notes, 'no note'] },
      { own: { key: null, username: 'alice', sights: [], receipts: [ghost] } },
    )
    expect(checkOf(broken, 'receipts.found').outcome).toBe('unchecked')
  })
})

describe('of several receipts', () => {
  it('a failure is told before what cannot be told, and that before success, with its order', () => {
    const { operator, draw, report, closeHash } = settled()
    const [one, two] = [0, 1].map((place) => operator.receipt(draw, place, closeHash)) as [OwnReceipt, OwnReceipt]
    const bare = { ...two, close: null }
    const strange = { ...two, close: 'no note' }
    expect(checkOf(report([one, two]), 'receipts.close')).toMatchObject({
      outcome: 'passed',
      detail: 'It is the same seal.',
    })
    expect(checkOf(report([one, bare]), 'receipts.close')).toMatchObject({
      outcome: 'unchecked',
      detail: 'Order order-1-1: It came before the draw was sealed.',
    })
    expect(checkOf(report([bare, strange, one]), 'receipts.close')).toMatchObject({
      outcome: 'failed',
      detail: 'Order order-1-1: What came with it is no seal.',
    })
    expect(checkOf(report([strange]), 'receipts.close').detail).toBe('What came with it is no seal.')
  })
})

describe('a receipt', () => {
  it('is of the operator of the log', () => {
    const { report, sent } = settled()
    const foreign = new OperatorFixture({ name: 'other.example' }).sign(
      textOf(sent.receipt).replace('operator lottery.example', 'operator other.example'),
    )
    expect(checkOf(report([{ ...sent, receipt: foreign }]), 'receipts.signature')).toMatchObject({
      outcome: 'failed',
      detail: 'It names another operator.',
    })
    expect(checkOf(report([sent]), 'receipts.signature')).toMatchObject({
      outcome: 'passed',
      detail: 'Signed with the key of the log.',
    })
  })

  it('names its player', () => {
    const { report, sent } = settled()
    expect(checkOf(report([sent]), 'receipts.owner').detail).toBe('They name alice.')
    expect(checkOf(report([sent], { username: 'bob' }), 'receipts.owner')).toMatchObject({
      outcome: 'failed',
      detail: 'It names alice.',
    })
    expect(checkOf(report([sent], { username: null }), 'receipts.owner')).toMatchObject({
      outcome: 'unchecked',
      detail: 'Whose they should be was not given.',
    })
  })

  it('has lines of the game, each once', () => {
    const { report, changed, sent } = settled()
    const [id] = sent.entries.map((entry) => entry.id)
    const lines = (...numbers: string[]): Check => {
      const entries = numbers.map((line, place) => `entry ${`${place}`.repeat(32)} 0 ${line}\n`).join('')
      return checkOf(report([changed(sent, /(entry .*\n)+/, entries)]), 'receipts.lines')
    }
    expect(lines('1,2,3,4,5,49', '44,45,46,47,48,49').outcome).toBe('passed')
    expect(lines('1,2,3,4,5,50').outcome).toBe('failed')
    expect(lines('1,2,3,4,5').outcome).toBe('failed')
    expect(lines('1,2,3,4,5,6', '1,2,3,4,5,6,7')).toMatchObject({
      outcome: 'failed',
      detail: 'It has an entry that is no line of this game.',
    })
    const twice = changed(sent, /(entry .*\n)+/, `entry ${id} 0 1,2,3,4,5,6\n`.repeat(2))
    expect(checkOf(report([twice]), 'receipts.lines')).toMatchObject({
      outcome: 'failed',
      detail: 'It lists an entry twice.',
    })
  })
})

describe('the key that signed a receipt', () => {
  it('was in force at its time, or came later; that it was replaced in the same second is no fault', () => {
    const { operator, draw, open } = opened()
    const old = operator.keySeed
    const changedAt = open.time + 500
    operator.changeKey(fixedBytes('new key'), changedAt)
    const text = textOf(operator.receipt(draw, 0, null).receipt)
    const byOld = (time: number): Report => {
      const stranger = new OperatorFixture({ name: operator.name, keySeed: old })
      const receipt = stranger.sign(text.replace(/^time .*$/m, `time ${time}`))
      const own = { key: null, username: 'alice', sights: [], receipts: [{ receipt, close: null, entries: [] }] }
      return verifyBundle(operator.bundle(draw), { own })
    }
    expect(checkOf(byOld(changedAt), 'receipts.signature').outcome).toBe('passed')
    expect(checkOf(byOld(changedAt + 1), 'receipts.signature').outcome).toBe('failed')
  })

  it('is not unknown where a key of the log is claimed beside it', () => {
    const { operator, draw, report, sent } = settled()
    const text = textOf(sent.receipt)
    const stranger = fixedBytes('stranger')
    const line = (publicKey: Uint8Array): string =>
      signatureLine({ name: operator.name, publicKey }, signText(text, stranger))
    const unknown = line(signingPublicKey(stranger))
    const falsely = line(operator.publicKey)
    const signer = (lines: string[]) =>
      checkOf(report([{ ...sent, receipt: noteOf(text, lines) }]), 'receipts.signature')
    expect(signer([unknown]).outcome).toBe('unchecked')
    expect(signer([unknown, falsely]).outcome).toBe('failed')
    expect(draw.number).toBe(1)
  })
})

describe('the seal that came with a receipt', () => {
  const closeCheck = (report: Report): Pick<Check, 'outcome' | 'detail'> => checkOf(report, 'receipts.close')

  it('is a seal of the log', () => {
    const { operator, report, sent } = settled()
    expect(closeCheck(report([{ ...sent, close: operator.notes[0] ?? '' }]))).toMatchObject({
      outcome: 'failed',
      detail: 'What came with it is no seal.',
    })
    const other = operator.open(2, [])
    const otherSeal = operator.noteOf(operator.close(other))
    expect(closeCheck(report([{ ...sent, close: otherSeal }]))).toMatchObject({
      outcome: 'failed',
      detail: 'The seal that came with it is not in the log.',
    })
  })

  it('may be newer than the log where the draw is not sealed yet, or may be sealed again', () => {
    for (const [options, isSealed, outcome] of [
      [{}, false, 'unchecked'],
      [witnessed, false, 'unchecked'],
      [witnessed, true, 'unchecked'],
      [{}, true, 'failed'],
    ] as const) {
      const { operator, draw, report } = opened(options)
      if (isSealed) operator.close(draw)
      const later = operator.unpublished(() => operator.close(draw, { pool: 7n }))
      const sent = { ...operator.receipt(draw, 0, null), close: later }
      expect(closeCheck(report([sent])).outcome, JSON.stringify([options, isSealed])).toBe(outcome)
    }
  })

  it('is of this draw', () => {
    const { operator, draw, report } = opened()
    const other = operator.open(2, [])
    const later = operator.unpublished(() => operator.close(other))
    expect(closeCheck(report([{ ...operator.receipt(draw, 0, null), close: later }])).outcome).toBe('failed')
  })

  it('that the operator signed in the place of another is proof of fraud', () => {
    const { operator, draw, report, sent, closeHash } = settled()
    const forked = resigned(operator.notes, operator, (one) => (one.type === 'close' ? { ...one, stake: 1n } : one))
    const other = forked.find((note) => note.startsWith('fairball/close/v1')) ?? ''
    const fraud = report([{ ...sent, close: other }])
    expect(failedIn(fraud)).toEqual(['log.fork', 'receipts.close'])
    const seq = operator.notes.indexOf(operator.noteOf(closeHash))
    expect(checkOf(fraud, 'log.fork').detail).toMatch(
      new RegExp(`^The operator signed two different statements ${seq}: ${closeHash} in this log and [0-9a-f]{64} `),
    )
    // Signed by nobody of the log it proves nothing.
    const stranger = new OperatorFixture({ keySeed: fixedBytes('stranger') })
    const forged = report([{ ...sent, close: stranger.sign(textOf(other)) }])
    expect(failedIn(forged)).toEqual(['receipts.close'])
    expect(checkOf(forged, 'log.fork')).toMatchObject({
      outcome: 'unchecked',
      detail: 'Nothing of this draw was seen before.',
    })
    expect(checkOf(report([{ ...sent, close: 'no note' }]), 'log.fork').outcome).toBe('unchecked')
    expect(draw.number).toBe(1)
  })

  it('that is newer than the log is a second seal, or of what is still to come', () => {
    for (const [options, isSealed, outcome] of [
      [{}, true, 'failed'],
      [{}, false, 'unchecked'],
      [witnessed, true, 'unchecked'],
    ] as const) {
      const { operator, draw, report } = opened(options)
      if (isSealed) operator.close(draw)
      const later = operator.unpublished(() => operator.close(draw, { pool: 7n }))
      const found = checkOf(report([{ ...operator.receipt(draw, 0, null), close: later }]), 'log.fork')
      expect(found.outcome).toBe(outcome)
      expect(found.detail).toContain(outcome === 'failed' ? 'signed another seal for this draw' : 'newer than this log')
    }
    const { operator, report, sent } = settled()
    const other = operator.unpublished(() => operator.close(operator.open(2, [])))
    expect(checkOf(report([{ ...sent, close: other }]), 'log.fork')).toMatchObject({
      outcome: 'unchecked',
      detail: 'A statement that came with a receipt is newer than this log.',
    })
  })
})

describe('statements that were seen before', () => {
  const strange = 'ab'.repeat(32)

  it('are counted where they stand in the log', () => {
    const { report, sent, closeHash, draw } = settled()
    const sights = [
      { hash: closeHash, seenAt: 5 },
      { hash: draw.openHash, seenAt: 6 },
    ]
    expect(checkOf(report([], { sights: sights.slice(0, 1) }), 'log.fork')).toMatchObject({
      outcome: 'passed',
      detail: '1 statement seen before stand in it, unchanged.',
    })
    expect(checkOf(report([sent], { sights }), 'log.fork').detail).toBe(
      '3 statements seen before stand in it, unchanged.',
    )
  })

  it('and are not in it show it false as far as it goes, and nothing of what comes after it', () => {
    const { operator, draw, open } = opened()
    const sighted = (seenAt: number): Check => {
      const own = { key: null, username: null, receipts: [], sights: [{ hash: strange, seenAt }] }
      return checkOf(verifyBundle(operator.bundle(draw), { own }), 'log.fork')
    }
    expect(sighted(open.time)).toMatchObject({
      outcome: 'failed',
      detail: `The statement ${strange}, seen ${timeText(open.time)}, is not in this log: another one was shown then.`,
    })
    expect(sighted(open.time + 1)).toMatchObject({
      outcome: 'unchecked',
      detail: `A statement seen ${timeText(open.time + 1)} is newer than this log.`,
    })
    operator.close(draw)
    expect(sighted(open.close + 1_000_000).outcome).toBe('failed')
  })

  it('of a draw that may be sealed again may be newer', () => {
    const { operator, draw, open } = opened(witnessed)
    operator.close(draw)
    const own = { key: null, username: null, receipts: [], sights: [{ hash: strange, seenAt: open.close + 5000 }] }
    expect(checkOf(verifyBundle(operator.bundle(draw), { own }), 'log.fork').outcome).toBe('unchecked')
  })

  it('say nothing of a log that does not hold so far', () => {
    const { operator, draw, open } = opened()
    const own = { key: null, username: null, receipts: [], sights: [{ hash: strange, seenAt: open.time }] }
    const log = [...operator.notes, 'no note']
    expect(checkOf(verifyBundle({ ...operator.bundle(draw), log }, { own }), 'log.fork')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The log does not hold as far as the statement that was seen before.',
    })
  })

  it('by the file alone can fail it, and what the verifier remembers is not doubted by it', () => {
    const { operator, draw, closeHash } = settled()
    const claims = (hash: string): OwnRecord => ({
      key: null,
      username: null,
      receipts: [],
      sights: [{ hash, seenAt: 5 }],
    })
    const own = claims(closeHash)
    const asked = (claimed: OwnRecord): Check =>
      checkOf(verifyBundle(operator.bundle(draw, { own: claimed }), { own }), 'log.fork')
    expect(asked(claims(closeHash)).outcome).toBe('passed')
    expect(asked(claims(strange)).outcome).toBe('failed')
    expect(asked(claims(draw.openHash)).outcome).toBe('passed')
  })
})

describe('the key that was seen first', () => {
  it('is the first of the log, as far as the verifier or the file knows', () => {
    const { operator, draw } = settled()
    const first = operator.notes[0]?.match(/^key (.*)$/m)?.[1] ?? ''
    operator.changeKey(fixedBytes('new key'))
    const known = (key: string | null): OwnRecord => ({ key, username: null, sights: [], receipts: [] })
    const keyCheck = (own: OwnRecord | null, claimed: OwnRecord | null): Check =>
      checkOf(verifyBundle(operator.bundle(draw, { own: claimed }), { own }), 'log.key')
    expect(keyCheck(known(first), null)).toMatchObject({
      outcome: 'passed',
      detail: 'It is the first key that is on record for this operator.',
    })
    expect(keyCheck(known('ab'.repeat(32)), null).detail).toContain('Another first key is on record')
    expect(keyCheck(known(null), known(first)).outcome).toBe('unchecked')
    expect(keyCheck(known(null), known(first)).detail).toContain('The file says that this key was seen first')
    expect(keyCheck(known(null), known('ab'.repeat(32))).detail).toContain('another first key was seen')
    expect(keyCheck(known(null), known(null)).detail).toContain('for the first time')
    const values = Object.fromEntries(
      keyCheck(known(first), known('cd'.repeat(32))).inputs.map(({ name, value }) => [name, value]),
    )
    expect(values).toMatchObject({
      'first key': first,
      'key on record': first,
      'key on record, as the file says': 'cd'.repeat(32),
      'changes of the key': '1',
    })
    expect(values['key in force']).not.toBe(first)
    expect(keyCheck(known(first), known(first)).inputs.map(({ name }) => name)).not.toContain(
      'key on record, as the file says',
    )
  })
})

describe('entries of a receipt', () => {
  it('lead to the root by their path, or stand among the published ones', () => {
    const { operator, draw, report, sent, closeHash } = settled()
    const sealed = (receipt: OwnReceipt): Pick<Check, 'outcome' | 'detail'> =>
      checkOf(report([receipt]), 'receipts.sealed')
    const [first, ...others] = sent.entries
    if (first === undefined) throw new Error('the receipt has entries')
    expect(sealed(sent)).toMatchObject({
      outcome: 'passed',
      detail: 'Each is sealed with its numbers and with your owner tag.',
    })
    const wrong = [
      { ...first, path: ['no hash'] },
      { ...first, path: [...first.path, 'ab'.repeat(32)] },
      { ...first, index: first.index + 1 },
      { ...first, size: first.size + 1 },
      { ...first, path: first.path.map(() => 'ab'.repeat(32)) },
    ]
    for (const entry of wrong) {
      expect(sealed({ ...sent, entries: [entry, ...others] })).toMatchObject({
        outcome: 'failed',
        detail: `The path of entry ${first.id} does not lead to the root in the seal.`,
      })
    }
    // A path of an entry that the receipt does not name is none of its.
    expect(sealed({ ...sent, entries: [{ ...first, id: 'ab'.repeat(16), path: [] }] }).outcome).toBe('passed')
    const named = operator.sign(textOf(sent.receipt).replaceAll(/^entry [0-9a-f]{4}/gm, 'entry abcd'))
    expect(sealed({ receipt: named, close: null, entries: [] }).detail).toMatch(/^Entry abcd.* is not among the sealed/)
    const free = operator.sign(textOf(sent.receipt).replace(/^(entry \S+) 0/m, '$1 1'))
    expect(sealed({ receipt: free, close: null, entries: [] }).detail).toContain('was sealed with other numbers')
    const bare = verifyBundle(
      { ...operator.bundle(draw), entries: null },
      { own: { key: null, username: 'alice', sights: [], receipts: [{ ...sent, entries: sent.entries.slice(0, 1) }] } },
    )
    expect(checkOf(bare, 'receipts.sealed')).toMatchObject({
      outcome: 'unchecked',
      detail: 'Neither a path nor the sealed entries are here.',
    })
    expect(closeHash).toHaveLength(64)
  })

  it('of a draw that is not sealed, or void, are nowhere yet', () => {
    const { operator, draw, open, report } = opened()
    const sent = operator.receipt(draw, 0, null)
    expect(checkOf(report([sent]), 'receipts.sealed').detail).toBe('The draw is not sealed yet.')
    operator.append({ type: 'void', open: draw.openHash, reason: 'outage' }, open.start)
    expect(checkOf(report([sent]), 'receipts.sealed').detail).toBe(
      'The draw is void; its entries move to another draw.',
    )
  })
})
