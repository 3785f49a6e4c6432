import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMAND_LIST, OPERATOR_COMMANDS, readArguments, signaturesFor } from './operator-commands.ts'

it('docs/operations.md lists every command of the operator, in the words of its help', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const list = /<!-- commands -->([\s\S]*)<!-- \/commands -->/.exec(text)?.[1] ?? ''
  expect(list.trim().split('\n'), 'run: npm run configuration').toEqual(COMMAND_LIST)
})

it('an acting command is run for a reason, by a person, and alone only where two would sign', () => {
  const typed = ['5', '--reason', 'Agreed.', '--as', '3', '--alone-in-emergency']
  const options = { reason: 'Agreed.', as: '3', 'alone-in-emergency': 'yes' }
  expect(readArguments({ args: ['batch'], signatures: 2 }, typed)).toEqual({ args: ['5'], options })
  expect(readArguments({ args: ['batch'], signatures: 1 }, typed)).toBe(null)
  expect(readArguments({ args: ['batch'], signatures: 1 }, ['5', '--reason', 'Agreed.'])).not.toBe(null)
  expect(readArguments({ args: ['batch'], signatures: 1 }, ['5'])).toBe(null)
  expect(readArguments({ args: ['batch'] }, ['5', '--reason', 'Agreed.'])).toBe(null)
})

it('two people resume all payouts, and one a batch or an address', () => {
  const command = OPERATOR_COMMANDS['payouts-retry']
  if (command === undefined) throw new Error('there is no such command')
  const alone = (what: string) =>
    readArguments(command, [what, '--reason', 'Agreed.', '--as', '3', '--alone-in-emergency'])
  expect(signaturesFor(command, ['all'])).toBe(2)
  expect(alone('all')).not.toBe(null)
  for (const what of ['5', 'ln:5', 'bcrt1q5n2k3frgpxces3dsw4qfpqk4kksv0cz96pldxd']) {
    expect([what, signaturesFor(command, [what])]).toEqual([what, 1])
    expect([what, alone(what)]).toEqual([what, null])
  }
})

it.each<[typed: string[], given: Record<string, string> | null]>([
  [['1', '--reason', 'a b'], { reason: 'a b' }],
  [['--reason=a b', '1', '--stops'], { reason: 'a b', stops: 'yes' }],
  [['1'], null],
  [['1', '2', '--reason', 'a'], null],
  [['1', '--reason'], null],
  [['1', '--reason', 'a', '--force'], null],
])('a command takes its arguments and options, and no others: %j', (typed, given) => {
  const command = { args: ['plan'], options: ['reason'], flags: ['stops'] }
  const taken = given === null ? null : { args: ['1'], options: given }
  expect(readArguments(command, typed)).toEqual(taken)
})
