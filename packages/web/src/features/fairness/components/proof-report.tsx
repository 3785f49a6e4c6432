import { usePlayerView } from '../../../shared/player-view.ts'
import { useKept } from '../../../proof/kept-store.ts'
import type { LogFacts } from '../../../proof/draw-facts.ts'
import type { ProvenDraw } from '../../../proof/prove.ts'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { PROOF_TEXTS } from '../messages.ts'
import type { DoneProof, ProofState } from '../use-proof.ts'
import { CheckList } from './check-list.tsx'
import { DerivationCard } from './derivation-card.tsx'
import { PlaysCard } from './plays-card.tsx'
import { ProofSummary } from './proof-summary.tsx'
import styles from './proof-report.module.css'
import { TiersCard } from './tiers-card.tsx'

/** Props of {@link ProofReport}. */
interface ProofReportProps {
  state: ProofState
  /** Fetches and checks again; null for a file. */
  onCheckAgain: (() => void) | null
}

/** The progress of a draw's check, and its result. A file may have several draws, each with an outcome of its own. */
export function ProofReport({ state, onCheckAgain }: ProofReportProps) {
  if (state.kind !== 'done') {
    return (
      <>
        <ProofSummary state={state} draw={null} onCheckAgain={onCheckAgain} />
        {state.kind === 'running' && onCheckAgain !== null && <CheckList findings={null} />}
      </>
    )
  }
  const { draws, report } = state.proof
  const log = draws[0]?.facts.log ?? null
  return (
    <>
      {draws.length === 0 && <ProofSummary state={state} draw={null} onCheckAgain={onCheckAgain} />}
      {draws.map((draw) => (
        <DrawReportOf key={draw.report.open} state={state} draw={draw} onCheckAgain={onCheckAgain} />
      ))}
      {draws.length === 0 && <CheckList findings={report.checks} />}
      {log !== null && <LogKey log={log} />}
    </>
  )
}

function DrawReportOf({
  state,
  draw,
  onCheckAgain,
}: {
  state: { readonly kind: 'done' } & DoneProof
  draw: ProvenDraw
  onCheckAgain: (() => void) | null
}) {
  const { report, facts } = draw
  const { proof } = state
  return (
    <>
      <ProofSummary state={state} draw={draw} onCheckAgain={onCheckAgain} />
      {onCheckAgain !== null && proof.plays.length > 0 && <PlaysCard plays={proof.plays} />}
      <CheckList findings={{ ...proof.report.checks, ...report.checks }} />
      {facts.derivation !== null && (
        <div data-game={facts.game} className={styles['world']}>
          <DerivationCard derivation={facts.derivation} />
        </div>
      )}
      {facts.tiers !== null && <TiersCard tiers={facts.tiers} status={report.checks['result.tiers']?.status ?? null} />}
    </>
  )
}

/** The key of the checked log, and the time since when this browser knows it. */
function LogKey({ log: { origin, keys } }: { log: LogFacts }) {
  const { dateTime } = usePlayerView()
  const known = useKept('logs').find((one) => one.origin === origin)
  const key = keys.at(-1) ?? ''
  return (
    <Card title={PROOF_TEXTS.fingerprint} lead={PROOF_TEXTS.fingerprintLead(origin)}>
      <div className={styles['fingerprint']}>
        <Mono text={key} />
        <CopyButton text={key} label={PROOF_TEXTS.fingerprintLabel} />
      </div>
      {known?.keys.includes(key) === true && (
        <p className={styles['note']}>{PROOF_TEXTS.keySeen(dateTime(known.seenAt))}</p>
      )}
    </Card>
  )
}
