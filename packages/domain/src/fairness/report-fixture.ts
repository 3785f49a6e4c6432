import type { Check, Report } from './report.ts'

/** The checks of a report that failed, in their order. */
export function failedIn({ steps }: Report): string[] {
  return steps.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id))
}

/** A check of a report by its id. */
export function checkOf({ steps }: Report, id: string): Check {
  const check = steps.flatMap(({ checks }) => checks).find((one) => one.id === id)
  if (check === undefined) throw new Error(`the report has no check ${id}`)
  return check
}
