import { type Check, fail, type Finding, messageOf, type Patient, RUNBOOK } from './check.ts'
import { DATABASE_CHECKS, KEY_CHECKS } from './database-checks.ts'
import { BOOK_CHECKS, MONEY_CHECKS } from './money-checks.ts'
import { OUTSIDE_LIMIT_MS, SITE_CHECKS, STATE_CHECKS } from './site-checks.ts'

/** Everything that selling, drawing and paying rest on, in the order in which an operator puts it right. */
const CHECKS: Readonly<Record<string, Check>> = {
  ...DATABASE_CHECKS,
  ...MONEY_CHECKS,
  ...SITE_CHECKS,
  ...BOOK_CHECKS,
  ...STATE_CHECKS,
  ...KEY_CHECKS,
}

/** The finding of a check by its name. */
export interface NamedFinding extends Finding {
  readonly id: string
  /** its place among all checks */
  readonly position: number
}

/**
 * Runs every check, one after the other. None takes longer than the outside may.
 *
 * @param only the id of the one check that is run; null for all
 */
export async function examine(patient: Patient, only: string | null = null): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = []
  for (const [position, [id, check]] of Object.entries(CHECKS).entries())
    if (only === null || id === only) findings.push({ id, position, ...(await timed(patient, check)) })
  return findings
}

async function timed(patient: Patient, check: Check): Promise<Finding> {
  const over = new AbortController()
  const late = patient.runtime.monotonic
    .sleep(2 * OUTSIDE_LIMIT_MS, over.signal)
    .then(() => fail(`It gave no answer within ${(2 * OUTSIDE_LIMIT_MS) / 1000} s.`, RUNBOOK.monitoring))
  const found = check(patient).catch((error: unknown) => fail(`${messageOf(error)}. See the log.`, RUNBOOK.monitoring))
  try {
    return await Promise.race([found, late])
  } finally {
    over.abort()
    late.catch(() => undefined)
  }
}
