import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMAND_LIST, readArguments } from './operator-commands.ts'

it('docs/operations.md lists every command of the operator, in the words of its help', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const list = /<!-- commands -->([\s\S]*)<!-- \/commands -->/.exec(text)?.[1] ?? ''
  expect(list.trim().split('\n'), 'run: npm run configuration').toEqual(COMMAND_LIST)
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
