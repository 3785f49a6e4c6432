import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMAND_LIST } from './operator-commands.ts'

it('docs/operations.md lists every command of the operator, in the words of its help', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const list = /<!-- commands -->([\s\S]*)<!-- \/commands -->/.exec(text)?.[1] ?? ''
  expect(list.trim().split('\n'), 'run: npm run configuration').toEqual(COMMAND_LIST)
})
