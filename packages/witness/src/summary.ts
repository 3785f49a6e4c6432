import type { Alarms } from './alarms.ts'
import type { KeptLog } from './kept-log.ts'
import { clockText } from './teller.ts'
import type { VerifiedDraw } from './verified-draws.ts'

/** A summary of a kept log, for `check`. */
interface Summary {
  readonly origin: string
  readonly statements: number
  readonly cosigned: { readonly size: number; readonly at: number }
  readonly breaches: readonly string[]
  readonly doubts: readonly string[]
  readonly alarms: readonly { readonly at: number; readonly kind: string; readonly text: string }[]
  /** number of draws by outcome */
  readonly draws: Readonly<Record<string, number>>
}

export function summarise(origin: string, kept: KeptLog, alarms: Alarms, draws: readonly VerifiedDraw[]): Summary {
  const textsOf = (wanted: 'breach' | 'doubt') =>
    kept.faults.flatMap(({ grade, text }) => (grade === wanted ? [text] : []))
  const outcomes: Record<string, number> = {}
  for (const { outcome } of draws) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  return {
    origin,
    statements: kept.size,
    cosigned: { size: kept.cosigned.size, at: kept.cosigned.at },
    breaches: textsOf('breach'),
    doubts: textsOf('doubt'),
    alarms: alarms.raised.map(({ at, kind, text }) => ({ at, kind, text })),
    draws: outcomes,
  }
}

/** The lines of a summary, for people. */
export function summaryLines({ origin, statements, cosigned, breaches, doubts, alarms, draws }: Summary): string[] {
  const { size, at } = cosigned
  const outcomes = Object.entries(draws).map(([outcome, count]) => `${count} ${outcome}`)
  return [
    `${origin}: ${statements} statements read, ${size === 0 ? 'none cosigned' : `${size} cosigned ${clockText(at)}`}.`,
    `  Draws verified: ${outcomes.join(', ') || 'none'}.`,
    ...breaches.map((text) => `  Breach: ${text}`),
    ...doubts.map((text) => `  Doubt: ${text}`),
    ...alarms.map((alarm) => `  Alarm (${alarm.kind}) of ${clockText(alarm.at)}: ${alarm.text}`),
  ]
}
