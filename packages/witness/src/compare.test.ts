import { fixedBytes } from '@fairball/domain/fairness/draw-fixture'
import { type LoggedNote, readLogged } from '@fairball/domain/fairness/log'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { resigned } from '@fairball/domain/fairness/resigned-fixture'
import { describe, expect, it } from 'vitest'
import { compareLogs } from './compare.ts'
import type { KeptNote } from './kept-log.ts'

function kept(notes: readonly string[]): KeptNote[] {
  return notes.map((note) => ({ logged: readLogged(note) as LoggedNote, seenAt: 1, lookedAt: null }))
}

function operatorWithDraws(keySeed = fixedBytes('operator key')): OperatorFixture {
  const operator = new OperatorFixture({ keySeed })
  for (const number of [1, 2, 3]) operator.open(number, [])
  return operator
}

describe('two logs', () => {
  it('are the same up to where the shorter ends', () => {
    const { notes } = operatorWithDraws()
    expect(compareLogs(kept(notes), kept(notes.slice(0, 3)))).toEqual({ outcome: 'same', inBoth: 3, onlyInOne: 2 })
  })

  it('are a fork at the first statement that differs, wherever that is', () => {
    const operator = operatorWithDraws()
    for (const seq of [0, 1, 2, 4]) {
      const other = resigned(operator.notes, operator, (statement) =>
        statement.seq >= seq ? { ...statement, time: statement.time + 1 } : statement,
      )
      const found = compareLogs(kept(operator.notes), kept(other))
      expect(found).toMatchObject({ outcome: 'fork', fork: { seq, notes: [operator.notes[seq], other[seq]] } })
    }
  })

  it('are a fork by a key that was changed in the part they share', () => {
    const operator = operatorWithDraws()
    operator.changeKey(fixedBytes('second key'))
    const before = [...operator.notes]
    operator.open(4, [])
    const another = new OperatorFixture()
    another.notes.splice(0, another.notes.length, ...before)
    another.changeKey(fixedBytes('second key'))
    another.notes.splice(before.length)
    another.open(5, [])
    expect(compareLogs(kept(operator.notes), kept(another.notes))).toMatchObject({
      outcome: 'fork',
      fork: { seq: 6 },
    })
  })

  it('are no fork when a stranger made one of them up: an operator cannot be accused with another key', () => {
    const real = operatorWithDraws()
    const stranger = operatorWithDraws(fixedBytes('stranger'))
    expect(compareLogs(kept(real.notes), kept(stranger.notes))).toMatchObject({ outcome: 'other-log', seq: 0 })
    const spliced = [...real.notes.slice(0, 2), ...stranger.notes.slice(2)]
    expect(compareLogs(kept(real.notes), kept(spliced))).toMatchObject({ outcome: 'other-log', seq: 2 })
  })
})
