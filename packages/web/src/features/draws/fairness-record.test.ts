import { TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { expect, it } from 'vitest'
import { fairnessValues } from './fairness-record.ts'

const operator = new TestOperator()
const draw = operator.openDraw()
operator.closeDraw(draw)
operator.settle(draw)

it('the record shows the hashes of the statements about a draw, and the inputs of its numbers', () => {
  const { open, close, final } = draw
  const values = fairnessValues(operator.statements)
  expect(values.map(({ name }) => name)).toEqual([
    'Announcement (hash)',
    'Seed hash',
    'Sealed list (hash of its statement)',
    'Seed',
    'Root of all plays',
    'Random number’s round',
    'Random number’s signature',
    'Result (hash)',
  ])
  expect(values.map(({ value }) => value)).toEqual([
    open.hash,
    open.statement.seedhash,
    close?.hash,
    close?.statement.seed,
    close?.statement.root,
    String(draw.round),
    final?.statement.type === 'result' ? final.statement.signature : null,
    final?.hash,
  ])
})

it('the record leaves out statements that cannot be read', () => {
  expect(fairnessValues([{ hash: 'ab', text: 'nonsense' }])).toEqual([])
})
