import { type Findings, reasonsOf } from '@fairball/domain/protocol/report'
import type { DrawFacts } from '../../proof/draw-facts.ts'
import { LIMIT_TEXTS } from './limit-messages.ts'

/** A limit of a check: what it cannot prove, and who or what could. */
export interface Limit {
  readonly title: string
  readonly text: string
}

/** What a check of a draw cannot prove: only what applies to it. */
export function limitsOf(
  findings: Findings,
  { facts, isDemo }: { readonly facts: DrawFacts | null; readonly isDemo: boolean },
): Limit[] {
  const limits = reasonsOf(findings).map((reason) => limitOf(reason, facts?.witnesses ?? [], isDemo))
  const isPublic = facts?.round?.isPublic === true
  const all = [
    ...limits,
    ...(isPublic ? [LIMIT_TEXTS.collusion] : []),
    ...(facts?.published != null ? [LIMIT_TEXTS.paid] : []),
  ]
  return all.filter(({ title }, place) => all.findIndex((one) => one.title === title) === place)
}

function limitOf(reason: string, witnesses: readonly string[], isDemo: boolean): Limit {
  const [id = '', why = ''] = reason.split(': ', 2)
  if (id === 'beacon.chain') return isDemo ? LIMIT_TEXTS.demoBeacon : LIMIT_TEXTS.ownBeacon
  if (id === 'beacon.signature') return LIMIT_TEXTS.signature
  if (id === 'open.postponed') return LIMIT_TEXTS.postponed
  if (id === 'void.reason') return LIMIT_TEXTS.voidReason
  if (id.startsWith('seal.')) return LIMIT_TEXTS.sealed(witnesses)
  if (id.startsWith('open.')) return LIMIT_TEXTS.announced
  return LIMIT_TEXTS.counted(why)
}
