import { expect, it } from 'vitest'
import { readPolicy } from './policy.ts'
import { readOrNull } from './read-or-null.ts'
import { readStatement } from './statements.ts'

it('a text that is no statement or policy reads as null, and a fault of the program is thrown', () => {
  expect(readOrNull(() => 'a value')).toBe('a value')
  expect(readOrNull(() => readStatement('no statement'))).toBeNull()
  expect(readOrNull(() => readPolicy('no policy'))).toBeNull()
  const fault = new RangeError('a fault')
  expect(() =>
    readOrNull(() => {
      throw fault
    }),
  ).toThrow(fault)
})
