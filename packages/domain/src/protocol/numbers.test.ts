import { expect, it } from 'vitest'
import * as numbers from './numbers.ts'

const [PAGE = ''] = Object.values(
  import.meta.glob('../../../../docs/fairness.md', { query: '?raw', import: 'default', eager: true }),
)

/** A row of docs/fairness.md, section 13: description, figure, name in the code. */
const ROW = /^\| [^|]+ \| ([\d,]+) +\| `([\w.]+)` +\|$/gm

it('the numbers of the protocol match its document', () => {
  const { BUNDLE_LIMITS, ...others } = numbers
  const limits = Object.entries(BUNDLE_LIMITS).map(([name, limit]) => [`BUNDLE_LIMITS.${name}`, limit] as const)
  const figures = [...PAGE.matchAll(ROW)].map(([, figure = '', name = '']) => [
    name,
    BigInt(figure.replaceAll(',', '')),
  ])

  expect(Object.fromEntries(figures)).toEqual(
    Object.fromEntries([...Object.entries(others), ...limits].map(([name, number]) => [name, BigInt(number)])),
  )
})
