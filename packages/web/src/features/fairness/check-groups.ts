import {
  CHECKS,
  type CheckId,
  type Finding,
  type Findings,
  reasonsOf,
  type Status,
} from '@fairball/domain/protocol/report'
import type { VerifyStep } from '@fairball/domain/protocol/verify'
import { PROOF_TEXTS } from './proof-messages.ts'

/** The groups of a draw's checks: a verifier works on one after the other. */
export type CheckGroup = VerifyStep

/** The checks of each group, by the prefixes of their ids. */
const GROUPS: readonly (readonly [CheckGroup, RegExp])[] = [
  ['log', /^log\./],
  ['open', /^open\./],
  ['seal', /^(?:seal|plays)\./],
  ['beacon', /^beacon\./],
  ['numbers', /^result\.(?:form|numbers)/],
  ['money', /^(?:money|result|void|paid)\./],
  ['papers', /^(?:papers|receipt|promise)\./],
]
const WORST_FIRST: readonly Status[] = ['broken', 'fail', 'wait', 'unknown', 'warn', 'pass']

/** A check and its outcome. */
interface EndedCheck extends Finding {
  readonly id: CheckId
  /** The checked fact. */
  readonly title: string
}

/** Related checks of a draw. */
export interface GroupOfChecks {
  readonly name: CheckGroup
  /** The worst of its checks; null if none of them was judged. */
  readonly status: Status | null
  readonly checks: readonly EndedCheck[]
}

/** The findings of a draw and its log in groups, in the order of the protocol. */
export function groupsOf(findings: Findings): GroupOfChecks[] {
  const groups = new Map<CheckGroup, EndedCheck[]>(GROUPS.map(([name]) => [name, []]))
  for (const [id, finding] of Object.entries(findings) as [CheckId, Finding][]) {
    const name = GROUPS.find(([, pattern]) => pattern.test(id))?.[0]
    if (name !== undefined) groups.get(name)?.push({ id, title: CHECKS[id], ...finding })
  }
  return [...groups].map(([name, found]) => {
    const checks = found.some(({ id, status }) => id !== 'papers.form' || status !== 'pass') ? found : [] // no papers
    const status = WORST_FIRST.find((one) => checks.some((it) => it.status === one && !isExcused(it, findings))) ?? null
    return { name, status, checks }
  })
}

/** A browser that saw the sealed list in time does not need the operator's witnesses. */
function isExcused({ id, status }: EndedCheck, findings: Findings): boolean {
  return id === 'seal.witnesses' && status === 'unknown' && findings['seal.seen']?.status === 'pass'
}

/** The reasons why a draw is not proved, in plain words, each once. */
export function plainReasons(findings: Findings): string[] {
  return [...new Set(reasonsOf(findings).map(plainReason))]
}

function plainReason(reason: string): string {
  const [id = '', why = ''] = reason.split(': ', 2)
  const known: Readonly<Record<string, string>> = PROOF_TEXTS.reasons
  if (known[id] !== undefined) return known[id]
  if (id.startsWith('seal.')) return PROOF_TEXTS.notSealedInTime
  return id.startsWith('open.') ? PROOF_TEXTS.notAnnounced : why
}

/** The warnings of a verifier, as sentences. */
export function warningsOf(findings: Findings): string[] {
  return (Object.entries(findings) as [CheckId, Finding][])
    .filter(([, { status }]) => status === 'warn')
    .map(([id, { why }]) => `${CHECKS[id]}: ${why}.`)
}
