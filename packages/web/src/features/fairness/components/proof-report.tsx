import { gameByKey } from '@fairball/domain/games'
import type { Bundle } from '@fairball/domain/fairness/bundle'
import { caveatsOf } from '@fairball/domain/fairness/caveats'
import { useConfig } from '../../../shared/config.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { useRemembered } from '../../../proof/memory.ts'
import type { Proof } from '../../../proof/prove.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DownloadIcon, RefreshIcon } from '../../../ui/icons.tsx'
import { Link } from '../../../ui/link.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { PROOF_TEXTS } from '../messages.ts'
import { saveBundle, saveEvidence } from '../save-proof.ts'
import type { ProofState } from '../use-proof.ts'
import { DerivationCard } from './derivation-card.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import styles from './proof-report.module.css'
import { StepList } from './step-list.tsx'
import { TiersCard } from './tiers-card.tsx'

/** Props of {@link ProofReport}. */
interface ProofReportProps {
  state: ProofState
  /** Fetches and checks anew; null for a file. */
  onCheckAgain: (() => void) | null
}

/** A draw's check as it goes on, and what came of it. */
export function ProofReport({ state, onCheckAgain }: ProofReportProps) {
  const proof = state.kind === 'done' ? state.proof : null
  return (
    <>
      <Summary state={state} onCheckAgain={onCheckAgain} />
      {state.kind !== 'failed' && state.kind !== 'wrong-file' && <StepList {...stepsOf(state)} />}
      {proof?.report.derivation != null && (
        <div data-game={gameByKey(proof.report.game)?.key} className={styles['world']}>
          <DerivationCard derivation={proof.report.derivation} />
        </div>
      )}
      {proof?.report.tiers != null && <TiersCard tiers={proof.report.tiers} signed={proof.facts.signedTiers} />}
      {proof !== null && <Fingerprint proof={proof} />}
    </>
  )
}

function stepsOf(state: ProofState) {
  switch (state.kind) {
    case 'computing':
      return { started: true, steps: state.steps }
    case 'done':
      return { started: true, steps: state.proof.report.steps }
    case 'fetching':
    case 'failed':
    case 'wrong-file':
      return { started: false, steps: [] }
  }
}

function Summary({ state, onCheckAgain }: ProofReportProps) {
  return (
    <Card title={PROOF_TEXTS.summary} className={styles['summary']}>
      <div className={styles['sentence']}>
        <div role="status" className={styles['words']}>
          <SummaryWords state={state} />
        </div>
        {onCheckAgain !== null && <RoomOfVerdict />}
      </div>
      {state.kind === 'done' && <ResultActions {...state} onCheckAgain={onCheckAgain} />}
      {isRunning(state) && onCheckAgain !== null && <ActionsToCome />}
      {state.kind === 'failed' && onCheckAgain !== null && (
        <div className={styles['actions']}>
          <Button onClick={onCheckAgain}>{PROOF_TEXTS.tryAgain}</Button>
        </div>
      )}
    </Card>
  )
}

function isRunning({ kind }: ProofState): boolean {
  return kind === 'fetching' || kind === 'computing'
}

/** Keeps the room of the verdict that is to be expected, so that nothing moves when it comes. Nobody sees or hears it. */
function RoomOfVerdict() {
  const { testMode } = useConfig()
  const caveats = caveatsOf({ outcome: 'passed', isSeen: false, isPublicBeacon: !testMode })
  return (
    <div className={styles['room']} aria-hidden>
      {[PROOF_TEXTS.holds, ...caveats].map((words) => (
        <div key={words} data-words={words} />
      ))}
    </div>
  )
}

function SummaryWords({ state }: { state: ProofState }) {
  switch (state.kind) {
    case 'fetching':
      return (
        <>
          <OutcomeMark state="running" />
          <p>{state.stage === null ? PROOF_TEXTS.starting : PROOF_TEXTS.stages[state.stage]}</p>
        </>
      )
    case 'computing':
      return (
        <>
          <OutcomeMark state="running" />
          <p>{PROOF_TEXTS.verifying(state.steps.length, STEP_COUNT)}</p>
        </>
      )
    case 'failed':
      return (
        <>
          <OutcomeMark state="unchecked" />
          <p>{state.reason === 'fetching' ? PROOF_TEXTS.couldNotFetch : PROOF_TEXTS.couldNotCompute}</p>
        </>
      )
    case 'wrong-file':
      return (
        <>
          <OutcomeMark state="unchecked" />
          <p>{state.why}</p>
        </>
      )
    case 'done': {
      const { report } = state.proof
      return (
        <>
          <Verdict report={report} />
          <p className={styles['verdict']}>{verdictOf(report)}</p>
          {caveatsOf(report).map((caveat) => (
            <p key={caveat}>{caveat}</p>
          ))}
          {report.outcome === 'failed' && <p>{PROOF_TEXTS.failsLead}</p>}
          <DemoHint report={report} />
        </>
      )
    }
  }
}

function Verdict({ report: { outcome, state } }: { report: Proof['report'] }) {
  const isToCome = outcome === 'unchecked' && (state === 'open' || state === 'closed')
  return isToCome ? <OutcomeMark state="waiting" word={PROOF_TEXTS.notYet} /> : <OutcomeMark state={outcome} />
}

/** The actions while the check goes on: in their place already, and to be pressed once it is done. */
function ActionsToCome() {
  return (
    <>
      <div className={styles['actions']}>
        <Button variant="secondary" icon={<DownloadIcon size={18} />} disabled>
          {PROOF_TEXTS.downloadBundle}
        </Button>
        <Button variant="soft" icon={<RefreshIcon size={18} />} busy>
          {PROOF_TEXTS.checkAgain}
        </Button>
      </div>
      <p className={styles['note']}>{PROOF_TEXTS.bundleNote}</p>
    </>
  )
}

/** A demo that was set up anew contradicts what the browser knows of the one before. */
function DemoHint({ report }: { report: Proof['report'] }) {
  const { testMode } = useConfig()
  const isForgotten = report.steps.some(({ checks }) =>
    checks.some(({ id, outcome }) => outcome === 'failed' && MEMORY_CHECKS.includes(id)),
  )
  if (!testMode || !isForgotten) return null
  return (
    <p className={styles['note']}>
      {PROOF_TEXTS.demoHint} <Link href={`${paths.fairness()}#memory`}>{PROOF_TEXTS.demoHintLink}</Link>
    </p>
  )
}

/** The checks that hold the log against what this browser remembers. */
const MEMORY_CHECKS = ['log.remembered', 'log.key', 'log.fork']

const STEP_COUNT = Object.keys(PROOF_TEXTS.steps).length

function verdictOf({ outcome, state }: Proof['report']): string {
  switch (outcome) {
    case 'passed':
      return PROOF_TEXTS.holds
    case 'failed':
      return PROOF_TEXTS.fails
    case 'unchecked':
      return PROOF_TEXTS.states[state]
  }
}

function ResultActions({
  proof,
  bundle,
  onCheckAgain,
}: {
  proof: Proof
  bundle: Bundle
  onCheckAgain: (() => void) | null
}) {
  const hasReceipts = (bundle.own?.receipts.length ?? 0) > 0
  return (
    <>
      <div className={styles['actions']}>
        {proof.evidence !== null && (
          <Button icon={<DownloadIcon size={18} />} onClick={() => void saveEvidence(bundle, proof.evidence ?? '')}>
            {PROOF_TEXTS.downloadEvidence}
          </Button>
        )}
        {onCheckAgain !== null && (
          <>
            <Button variant="secondary" icon={<DownloadIcon size={18} />} onClick={() => void saveBundle(bundle)}>
              {PROOF_TEXTS.downloadBundle}
            </Button>
            <Button variant="soft" icon={<RefreshIcon size={18} />} onClick={onCheckAgain}>
              {PROOF_TEXTS.checkAgain}
            </Button>
          </>
        )}
      </div>
      {onCheckAgain !== null && (
        <p className={styles['note']}>
          {PROOF_TEXTS.bundleNote} {hasReceipts && PROOF_TEXTS.bundlePrivate}
        </p>
      )}
    </>
  )
}

function Fingerprint({ proof: { report, facts } }: { proof: Proof }) {
  const { dateTime } = usePlayerView()
  const { key, keySeenAt } = useRemembered()
  const isKnown = keySeenAt !== null && key === facts.key
  return (
    <Card title={PROOF_TEXTS.fingerprint} lead={PROOF_TEXTS.fingerprintLead(report.operator)}>
      <div className={styles['fingerprint']}>
        <Mono text={report.fingerprint} />
        <CopyButton text={report.fingerprint} label={PROOF_TEXTS.fingerprintLabel} />
      </div>
      {isKnown && <p className={styles['note']}>{PROOF_TEXTS.keySeen(dateTime(keySeenAt))}</p>}
    </Card>
  )
}
