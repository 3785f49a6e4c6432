import { expect, it } from 'vitest'
import { shownValue } from './setting-text.ts'

it('a text is shown as it is, and a picture without its bytes', () => {
  expect(shownValue('Fairball')).toBe('Fairball')
  expect(shownValue(null)).toBe('not set')
  expect(shownValue({ date: '2026-11-28', markdown: '# Terms' })).toBe('2026-11-28\n\n# Terms')
  expect(shownValue({ light: 'A'.repeat(3000) })).toContain('"3000 signs"')
})
