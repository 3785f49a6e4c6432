import { expect, it } from 'vitest'
import { framesOf } from './pages.ts'

const FORM = 'https://forms.example:8443/f/1?x=2'

it.each([
  ['/feedback', ['https://forms.example:8443']],
  ['/feedback/', ['https://forms.example:8443']],
  ['/feedback?from=footer', ['https://forms.example:8443']],
  ['/', []],
  ['/feedback/more', []],
  ['/terms?x=/feedback', []],
  ['/game/feedback', []],
  ['//feedback', []],
])('the page %s may frame %j: the feedback form belongs only on the feedback page', (url, origins) => {
  expect(framesOf(url, FORM)).toEqual(origins)
  expect(framesOf(url, null)).toEqual([])
})
