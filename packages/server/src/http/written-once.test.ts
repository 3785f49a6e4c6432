import { expect, it, vi } from 'vitest'
import { tagOf, writtenOnce } from './written-once.ts'

it('writes an answer that many get once, and another one anew', () => {
  const write = vi.fn((answer: object) => JSON.stringify(answer))
  const writer = writtenOnce(write)
  const shared = { name: 'Bitcoin Lötto' }

  const first = writer(shared)
  expect(String(first.body)).toBe('{"name":"Bitcoin Lötto"}')
  expect(writer(shared)).toBe(first)
  expect(write).toHaveBeenCalledTimes(1)

  expect(writer({ ...shared })).toEqual(first)
  expect(write).toHaveBeenCalledTimes(2)
})

it('names what it wrote as the text itself would be named, and other words otherwise', () => {
  const writer = writtenOnce((answer) => JSON.stringify(answer))
  expect(writer({ a: 'ö' }).tag).toBe(tagOf('{"a":"ö"}'))
  expect(writer({ a: 'o' }).tag).not.toBe(tagOf('{"a":"ö"}'))
})
