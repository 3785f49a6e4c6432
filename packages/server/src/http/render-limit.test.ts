import { expect, it } from 'vitest'
import { renderLimit } from './render-limit.ts'

it('an address may have 100 pages rendered at once and 20 a second, whatever others do', () => {
  let nowMs = 5000
  const mayRender = renderLimit(() => nowMs)
  const granted = (address: string, count: number) =>
    Array.from({ length: count }, () => mayRender(address)).filter(Boolean).length
  expect(granted('192.0.2.1', 150)).toBe(100)
  expect(granted('192.0.2.2', 1)).toBe(1)
  nowMs += 1000
  expect(granted('192.0.2.1', 30)).toBe(20)
  nowMs += 3_600_000
  expect(granted('192.0.2.1', 150)).toBe(100)
})

it('remembers a bounded number of addresses, the latest ones', () => {
  const mayRender = renderLimit(() => 0)
  const use = (address: string) => Array.from({ length: 101 }, () => mayRender(address)).at(-1)
  expect(use('old')).toBe(false)
  for (let nr = 0; nr < 9_999; nr += 1) mayRender(`address ${nr}`)
  expect(mayRender('old')).toBe(false)
  for (let nr = 0; nr < 10_000; nr += 1) mayRender(`another ${nr}`)
  expect(mayRender('old')).toBe(true)
})
