import { expect, it } from 'vitest'
import { consoleJobs } from '../modules/console/jobs.ts'
import type { CarryOutContext } from '../modules/console/context.ts'
import { LANES, takesKind } from './lanes.ts'

it('a look at everything, which waits for whoever does not answer, keeps no lane of other work', () => {
  const kinds = consoleJobs({} as CarryOutContext).map(({ kind }) => kind)
  const lanesOf = (kind: string): readonly string[] => LANES.filter((lane) => takesKind(lane, kind))
  expect(kinds.map((kind) => [kind, lanesOf(kind)])).toEqual([
    ['console.carry-out', ['common', 'common', 'common']],
    ['console.sweep', ['common', 'common', 'common']],
    ['health.look', ['health']],
    ['health.check-invariants', ['health']],
  ])
})
