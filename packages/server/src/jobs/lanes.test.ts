import { expect, it } from 'vitest'
import { consoleJobs } from '../modules/console/jobs.ts'
import type { CarryOutContext } from '../modules/console/context.ts'
import { LANES, takesKind } from './lanes.ts'

it('a check that waits for an answer from outside delays no other job', () => {
  const kinds = consoleJobs({} as CarryOutContext).map(({ kind }) => kind)
  const lanesOf = (kind: string): readonly string[] => LANES.filter((lane) => takesKind(lane, kind))
  expect(kinds.map((kind) => [kind, lanesOf(kind)])).toEqual([
    ['console.carry-out', ['common', 'common', 'common']],
    ['console.sweep', ['common', 'common', 'common']],
    ['health.look', ['health']],
    ['health.check-invariants', ['health']],
  ])
})
