import { gunzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { takesCoding } from './accepted-coding.ts'
import { writtenOf, writtenOnce } from './written-once.ts'

it('a shared answer is serialised once, and another one again', () => {
  const write = vi.fn((answer: object) => JSON.stringify(answer))
  const writer = writtenOnce(write)
  const shared = { name: 'Bitcoin Lötto' }

  const first = writer(shared)
  expect(String(first.body)).toBe('{"name":"Bitcoin Lötto"}')
  expect(writer(shared)).toBe(first)
  expect(write).toHaveBeenCalledTimes(1)

  expect(writer({ ...shared })).toMatchObject({ body: first.body, hash: first.hash })
  expect(write).toHaveBeenCalledTimes(2)
})

it('an answer is named like the text itself, and another text differently', () => {
  const writer = writtenOnce((answer) => JSON.stringify(answer))
  expect(writer({ a: 'ö' }).hash).toBe(writtenOf('{"a":"ö"}').hash)
  expect(writer({ a: 'o' }).hash).not.toBe(writtenOf('{"a":"ö"}').hash)
})

it('a long answer is compressed once, for clients that accept it', () => {
  const writer = writtenOnce((answer) => JSON.stringify(answer))
  const long = { words: Array.from({ length: 500 }, (_, place) => `word ${place}`) }
  const zipped = writer(long).zipped()
  expect(JSON.parse(String(gunzipSync(zipped ?? '')))).toEqual(long)
  expect(writer(long).zipped()).toBe(zipped)
  expect(writer({ words: ['few'] }).zipped()).toBeNull()
})

it.each([
  ['gzip, deflate, br', true],
  ['GZIP;q=0, gzip;q=0', false],
  ['br, gzip;q=0.5', true],
  ['identity', false],
  ['x-gzip', false],
  [undefined, false],
])('Accept-Encoding %j accepts gzip: %j', (accepted, isTaken) => {
  expect(takesCoding(accepted, 'gzip')).toBe(isTaken)
})
