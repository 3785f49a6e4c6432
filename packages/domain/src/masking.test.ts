import { expect, it } from 'vitest'
import { maskMiddle } from './masking.ts'

it.each([
  ['', ''],
  ['abcd', ''],
  ['abcde', 'a***e'],
  ['abcdef', 'a***f'],
  ['abcdefg', 'ab***fg'],
  ['abcdefgh', 'ab***gh'],
  ['abcdefghi', 'abc***ghi'],
  ['abcdefghijklmno', 'abc***mno'],
  ['abcdefghijklmnop', 'abcd***mnop'],
  ['😀bcde', '😀***e'],
])('%j is shown as %j', (text, masked) => {
  expect(maskMiddle(text)).toBe(masked)
})
