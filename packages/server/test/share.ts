/** Whether long tests run all their cases, as `npm run trials -- cases` does. `npm test` runs a share. */
const IS_FULL_LENGTH = process.env['FULL_LENGTH'] === '1'

/** How many cases a long test runs. */
export function casesOf({ all, share }: { all: number; share: number }): number {
  return IS_FULL_LENGTH ? all : share
}

/** Which ways a step of a long test is tried in: all of them, or the share, one after the other from step to step. */
export function waysOf<Way>(ways: readonly Way[], step: number): readonly Way[] {
  return IS_FULL_LENGTH ? ways : ways.filter((_, place) => place === step % ways.length)
}

/** The death of a process at its n-th call, with that call undone or with its answer lost. */
interface Death {
  dieAt: number
  when: 'before' | 'after'
}

/**
 * The deaths to test if a process makes this many calls: before and after each of them. The share is a sixth: of six
 * calls in a row one dies before it is done, and the third after that with its answer lost.
 */
export function deathsAmong(calls: number): Death[] {
  const all = Array.from({ length: calls }, (_, index) => index + 1)
  if (IS_FULL_LENGTH) return all.flatMap((dieAt) => [deathBefore(dieAt), deathAfter(dieAt)])
  return all
    .filter((dieAt) => dieAt % 3 === 1)
    .map((dieAt) => (dieAt % 6 === 1 ? deathBefore(dieAt) : deathAfter(dieAt)))
}

function deathBefore(dieAt: number): Death {
  return { dieAt, when: 'before' }
}

function deathAfter(dieAt: number): Death {
  return { dieAt, when: 'after' }
}
