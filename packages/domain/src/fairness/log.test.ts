import { describe, expect, it } from 'vitest'
import { toHex } from './bytes.ts'
import { findFork, LogVerifier, verifyLog } from './log.ts'
import { fixedBytes, gameOf } from './draw-fixture.ts'
import { OperatorFixture } from './operator-fixture.ts'
import { resigned, textOf } from './resigned-fixture.ts'
import { noteOf, signatureLine, signingPublicKey, signNote, signText } from './signed-note.ts'
import { parseStatementOf, rulesText, statementHash, statementText } from './statements.ts'

function someLog() {
  const operator = new OperatorFixture()
  const draws = [1, 2].map((number) => operator.open(number, []))
  for (const draw of draws) operator.settle(draw)
  return { operator, draws, notes: operator.notes }
}

describe('a log', () => {
  it('holds from its first statement to its newest, with the key it began with', () => {
    const { operator, notes } = someLog()
    const { head, problem, statements } = verifyLog(notes)
    expect(problem).toBeNull()
    expect(statements.map(({ statement }) => statement.seq)).toEqual(notes.map((_, seq) => seq))
    expect(head).toMatchObject({ operator: operator.name, seq: notes.length - 1 })
    expect(head?.hash).toBe(statementHash(textOf(notes.at(-1) ?? '')))
    expect(head?.keys.map(({ publicKey }) => publicKey)).toEqual([toHex(operator.publicKey)])
  })

  it('can be gone on with from what was remembered of it, kept as JSON', () => {
    const { notes } = someLog()
    for (let stop = 1; stop < notes.length; stop += 1) {
      const first = verifyLog(notes.slice(0, stop))
      const head = JSON.parse(JSON.stringify(first.head)) as typeof first.head
      const second = verifyLog(notes.slice(stop), { head })
      expect(second.problem).toBeNull()
      expect(second.head).toEqual(verifyLog(notes).head)
      expect(verifyLog(notes.slice(stop + 1), { head }).problem?.fault).toBe(
        stop + 1 < notes.length ? 'order' : undefined,
      )
    }
  })

  it('remembers every seed hash, so that none comes again after a pause', () => {
    const operator = new OperatorFixture()
    operator.open(1, [], { seed: fixedBytes('one') })
    const { head } = verifyLog(operator.notes)
    const before = operator.notes.length
    operator.open(2, [], { seed: fixedBytes('one') })
    expect(verifyLog(operator.notes.slice(before), { head }).problem).toMatchObject({ seq: before, fault: 'seed' })
  })

  it('stops at the first problem and takes nothing after it', () => {
    const { notes } = someLog()
    const log = new LogVerifier()
    const taken = notes.toSpliced(2, 1).map((note) => log.add(note) !== null)
    expect(taken).toEqual([true, true, ...notes.slice(3).map(() => false)])
    expect(log.problem).toMatchObject({ seq: 2, fault: 'order' })
    expect(log.head?.seq).toBe(1)
  })

  it.each([
    ['that begins in its middle', (notes: string[]) => notes.slice(1), 0, 'order'],
    ['with a statement twice', (notes: string[]) => notes.toSpliced(2, 0, notes[1] ?? ''), 2, 'order'],
    [
      'with two statements the other way round',
      ([a = '', b = '', c = '', d = '']: string[]) => [a, b, d, c],
      2,
      'order',
    ],
    ['with a note that is none', (notes: string[]) => notes.with(1, 'hello'), 1, 'form'],
    ['with a receipt in it', (notes: string[]) => notes.with(1, receiptNote()), 1, 'form'],
    ['with a note without signature', (notes: string[]) => notes.with(1, textOf(notes[1] ?? '')), 1, 'form'],
  ])('%s does not hold', (_, change, seq, fault) => {
    expect(verifyLog(change(someLog().notes)).problem).toMatchObject({ seq, fault })
  })

  it('never goes back in time, changes its operator, or leaves out a number, however well it is signed', () => {
    const { operator, notes } = someLog()
    const asked = [{ time: 5 }, { operator: 'other.example' }, { seq: 9 }, { prev: 'ab'.repeat(32) }]
    for (const change of asked) {
      const changed = resigned(notes, operator, (statement) =>
        statement.seq === 3 ? { ...statement, ...change } : statement,
      )
      expect(verifyLog(changed).problem).toMatchObject({ seq: 3, fault: 'order' })
    }
  })
})

describe('what is wrong with a log is said as the end of a sentence', () => {
  const { operator, notes } = someLog()
  const seqOf = (type: string): number => notes.findIndex((note) => note.startsWith(`fairball/${type}/v1`))
  const changed = (change: object): string[] =>
    resigned(notes, operator, (statement) => (statement.seq === 3 ? { ...statement, ...change } : statement))

  it.each<[string, () => readonly string[]]>([
    ['is not a signed note', () => ['hello']],
    ['is not a statement: a rules does not stand in a log', () => [signed('rules', operator)]],
    ['is not a statement: not a kind of statement: nonsense', () => [signed('nonsense', operator)]],
    ['has the number 1, but a log begins with 0', () => notes.slice(1)],
    ['has the number 4, but 3 follows 2', () => notes.toSpliced(3, 1)],
    ['is of another operator', () => changed({ operator: 'other.example' })],
    ['does not name the hash of the statement before it', () => changed({ prev: 'ab'.repeat(32) })],
    ['is earlier than the statement before it', () => changed({ time: 5 })],
    ['is not signed with the key in force', () => notes.with(seqOf('close'), unsigned(notes[seqOf('close')] ?? ''))],
  ])('%s', (message, log) => {
    expect(verifyLog(log()).problem?.message).toBe(message)
  })

  it('of its keys and its seeds as well', () => {
    const same = new OperatorFixture()
    same.append({ type: 'key', key: toHex(same.publicKey) })
    expect(verifyLog(same.notes).problem?.message).toBe('changes the key to the one that is in force')
    const alone = new OperatorFixture()
    alone.append({ type: 'key', key: 'ab'.repeat(32) })
    expect(verifyLog(alone.notes).problem?.message).toBe('is not signed with the new key as well')
    const again = new OperatorFixture()
    again.open(1, [], { seed: fixedBytes('one') })
    again.open(2, [], { seed: fixedBytes('one') })
    expect(verifyLog(again.notes).problem?.message).toBe('opens a draw with the seed hash of an earlier draw')
  })

  it('once: nothing after it is taken, however well it fits', () => {
    const log = new LogVerifier()
    for (const note of notes.slice(0, 2)) expect(log.add(note)).not.toBeNull()
    expect(log.add('hello')).toBeNull()
    expect(log.add(notes[2] ?? '')).toBeNull()
    expect(log.problem).toMatchObject({ seq: 2, fault: 'form' })
    expect(log.statements).toHaveLength(2)
  })
})

describe('a change of the key', () => {
  it('is signed by the old and the new key, and from then on only the new one counts', () => {
    const operator = new OperatorFixture()
    const old = { name: operator.name, keySeed: operator.keySeed }
    operator.changeKey(fixedBytes('new'), 1_799_000_000)
    operator.open(1, [])
    const { head, problem } = verifyLog(operator.notes)
    expect(problem).toBeNull()
    expect(head?.keys).toMatchObject([{ untilAt: 1_799_000_000 }, { fromAt: 1_799_000_000, untilAt: null }])
    const last = textOf(operator.notes.at(-1) ?? '')
    const byOld = operator.notes.with(-1, signNote(last, { name: old.name, secretSeed: old.keySeed }))
    expect(verifyLog(byOld).problem).toMatchObject({ fault: 'signature' })
    const byBoth = operator.notes.with(-1, signedByBoth(last, [old.keySeed, operator.keySeed]))
    expect(verifyLog(byBoth).problem).toBeNull()
  })

  it('does not hold with one signature, nor to the key that is in force', () => {
    const operator = new OperatorFixture()
    const old = operator.keySeed
    operator.changeKey(fixedBytes('new'))
    const text = textOf(operator.notes.at(-1) ?? '')
    for (const secretSeed of [old, operator.keySeed]) {
      const alone = signNote(text, { name: operator.name, secretSeed })
      expect(verifyLog(operator.notes.with(-1, alone)).problem).toMatchObject({ fault: 'signature' })
    }
    const same = new OperatorFixture()
    same.append({ type: 'key', key: toHex(same.publicKey) })
    expect(verifyLog(same.notes).problem).toMatchObject({ fault: 'signature' })
  })
})

describe('a fork', () => {
  const { operator, notes } = someLog()
  const keys = [toHex(operator.publicKey)]
  const other = resigned(notes, operator, (statement) =>
    statement.seq === 3 ? { ...statement, time: statement.time + 1 } : statement,
  )

  it('is two different statements with one number, both signed', () => {
    const fork = findFork(notes[3] ?? '', other[3] ?? '', keys)
    expect(fork).toMatchObject({ seq: 3, notes: [notes[3], other[3]] })
    expect(new Set(fork?.hashes).size).toBe(2)
    const more = [toHex(signingPublicKey(fixedBytes('x'))), ...keys]
    expect(findFork(notes[3] ?? '', other[3] ?? '', more)).toEqual(fork)
  })

  it.each([
    ['the same statement', notes[3], notes[3]],
    ['statements with different numbers', notes[3], other[4]],
    ['a statement nobody signed', notes[3], other[3]?.replace(/— .*\n$/, notes[3]?.slice(notes[3].indexOf('—')) ?? '')],
    ['a text that is none', notes[3], 'hello'],
    ['none of two', 'hello', notes[3]],
    ['statements of two operators', notes[3], someLogOf('other.example')[3]],
  ])('is not %s', (_, a = '', b = '') => {
    expect(findFork(a, b, keys)).toBeNull()
  })

  it('is nothing under keys that are not the operator’s', () => {
    expect(findFork(notes[3] ?? '', other[3] ?? '', [toHex(signingPublicKey(fixedBytes('x'))), 'no key'])).toBeNull()
  })
})

function receiptNote(): string {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [{ username: 'alice', lines: [[1, 2, 3, 4, 5, 6]] }])
  return operator.receipt(draw, 0, null).receipt
}

function signedByBoth(text: string, seeds: readonly Uint8Array[]): string {
  expect(statementText(parseStatementOf('open', text))).toBe(text)
  const lines = seeds.map((seed) =>
    signatureLine({ name: 'lottery.example', publicKey: signingPublicKey(seed) }, signText(text, seed)),
  )
  return noteOf(text, lines)
}

/** The log of an operator of another name with the same key. */
function someLogOf(name: string): string[] {
  const operator = new OperatorFixture({ name })
  for (const number of [1, 2]) operator.open(number, [])
  return operator.notes
}

/** A text that stands in no log, signed. */
function signed(kind: 'rules' | 'nonsense', operator: OperatorFixture): string {
  return operator.sign(kind === 'rules' ? rulesText(gameOf('treasure')) : 'nonsense\n')
}

/** A note with the signature of another text. */
function unsigned(note: string): string {
  return note.replace('free 0', 'free 1').replace('entries 0', 'entries 1')
}
