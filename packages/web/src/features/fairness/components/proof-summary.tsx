import type { Outcome } from '@fairball/domain/protocol/report'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { DemoHint } from '../../../proof/demo-hint.tsx'
import type { Contradiction } from '../../../proof/memory.ts'
import type { ProvenDraw } from '../../../proof/prove.ts'
import { BallRow } from '../../../ui/ball-row.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DownloadIcon, RefreshIcon } from '../../../ui/icons.tsx'
import { plainReasons, warningsOf } from '../check-groups.ts'
import { PROOF_TEXTS } from '../messages.ts'
import { type FileOf, saveBundle, saveEvidence, saveNotes, saveTrust } from '../save-proof.ts'
import type { DoneProof, ProofState } from '../use-proof.ts'
import { MARK_OF, OutcomeMark } from './outcome-mark.tsx'
import styles from './proof-report.module.css'

/** Props of {@link ProofSummary}. */
interface ProofSummaryProps {
  state: ProofState
  /** The draw; null before there is a report, and for a file without one. */
  draw: ProvenDraw | null
  /** Null for a file. */
  onCheckAgain: (() => void) | null
}

/** The result of a check in words, and the files that can be saved. */
export function ProofSummary({ state, draw, onCheckAgain }: ProofSummaryProps) {
  const of: FileOf = { game: draw?.facts.game ?? null, number: draw?.facts.number ?? null }
  const name = useGameName(of.game ?? '')
  return (
    <Card title={titleOf(state, of, name)} className={styles['summary']}>
      <div className={styles['sentence']}>
        <div role="status" className={styles['words']}>
          <Words state={state} draw={draw} />
        </div>
      </div>
      {state.kind === 'done' &&
        state.contradictions.map((contradiction) => (
          <Contradicted key={contradiction.notes.join()} contradiction={contradiction} of={of} />
        ))}
      {state.kind === 'done' && state.proof.plays.some(({ where }) => where === 'missing') && (
        <Banner kind="danger">{PROOF_TEXTS.playMissing}</Banner>
      )}
      {state.kind === 'done' && <ResetHint proof={state} />}
      {state.kind === 'done' && <Actions proof={state} of={of} onCheckAgain={onCheckAgain} />}
      {state.kind === 'running' && onCheckAgain !== null && <ActionsToCome />}
      {state.kind === 'failed' && onCheckAgain !== null && (
        <div className={styles['actions']}>
          <Button onClick={onCheckAgain}>{PROOF_TEXTS.tryAgain}</Button>
        </div>
      )}
    </Card>
  )
}

/** If a file has several draws, each result names its own. */
function titleOf(state: ProofState, { game, number }: FileOf, name: string): string {
  const areMany = state.kind === 'done' && state.proof.draws.length > 1
  return areMany && game !== null && number !== null ? PROOF_TEXTS.summaryOf(name, number) : PROOF_TEXTS.summary
}

function Words({ state, draw }: Pick<ProofSummaryProps, 'state' | 'draw'>) {
  switch (state.kind) {
    case 'running':
      return (
        <>
          <OutcomeMark state="running" />
          <p>{state.stage === null ? PROOF_TEXTS.starting : PROOF_TEXTS.stages[state.stage]}</p>
        </>
      )
    case 'failed':
      return (
        <>
          <OutcomeMark state="unjudged" />
          <p>{state.reason === 'fetching' ? PROOF_TEXTS.couldNotFetch : PROOF_TEXTS.couldNotCompute}</p>
        </>
      )
    case 'wrong-file':
      return (
        <>
          <OutcomeMark state="unjudged" />
          <p>{state.why}</p>
        </>
      )
    case 'done':
      return <Verdict outcome={draw?.report.outcome ?? state.proof.report.outcome} proof={state} draw={draw} />
  }
}

function Verdict({ outcome, proof, draw }: { outcome: Outcome; proof: DoneProof; draw: ProvenDraw | null }) {
  const findings = { ...proof.proof.report.checks, ...draw?.report.checks }
  const { title, text } = verdictOf(outcome, draw?.facts.isVoid ?? false)
  const reasons = outcome === 'holds' ? plainReasons(findings) : []
  const warnings = warningsOf(findings)
  const numbers = draw?.report.numbers ?? null
  return (
    <>
      <OutcomeMark state={MARK_OF[outcome]} word={PROOF_TEXTS.words[outcome]} />
      <p className={styles['verdict']}>{title}</p>
      <p>{text}</p>
      {reasons.length > 0 && <List items={reasons} />}
      {numbers !== null && <BallRow places={numbers} size={48} label={PROOF_TEXTS.balls} />}
      {warnings.length > 0 && (
        <>
          <p className={styles['note']}>{PROOF_TEXTS.warnings}</p>
          <List items={warnings} />
        </>
      )}
    </>
  )
}

function verdictOf(outcome: Outcome, isVoid: boolean) {
  const ofVoid: Partial<typeof PROOF_TEXTS.outcomes> = PROOF_TEXTS.voidOutcomes
  return (isVoid ? ofVoid[outcome] : undefined) ?? PROOF_TEXTS.outcomes[outcome]
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul className={styles['reasons']}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}

/** A contradiction between earlier and later statements of the operator. */
function Contradicted({ contradiction: { kind, notes }, of }: { contradiction: Contradiction; of: FileOf }) {
  return (
    <Banner
      kind="danger"
      action={
        <Button variant="danger" size="small" icon={<DownloadIcon size={18} />} onClick={() => saveNotes(of, notes)}>
          {PROOF_TEXTS.downloadNotes}
        </Button>
      }
    >
      {PROOF_TEXTS.contradiction[kind]} {PROOF_TEXTS.contradictionKeep}
    </Banner>
  )
}

/** A reset demo contradicts the browser's record of the earlier one. */
function ResetHint({ proof: { proof, contradictions } }: { proof: DoneProof }) {
  const { 'log.keys': keys, 'log.remembered': remembered } = proof.report.checks
  const isOther = [keys, remembered].some((finding) => finding !== undefined && finding.status !== 'pass')
  if (!isOther && contradictions.length === 0) return null
  return (
    <p className={styles['note']}>
      <DemoHint />
    </p>
  )
}

/** The actions during the check: already in their place, but disabled until it is done. */
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

function Actions({
  proof: { proof, bundle, trust },
  of,
  onCheckAgain,
}: {
  proof: DoneProof
  of: FileOf
  onCheckAgain: (() => void) | null
}) {
  const { evidence } = proof
  return (
    <>
      <div className={styles['actions']}>
        {evidence !== null && (
          <Button icon={<DownloadIcon size={18} />} onClick={() => saveEvidence(of, evidence)}>
            {PROOF_TEXTS.downloadEvidence}
          </Button>
        )}
        {onCheckAgain !== null && (
          <>
            <Button variant="secondary" icon={<DownloadIcon size={18} />} onClick={() => void saveBundle(of, bundle)}>
              {PROOF_TEXTS.downloadBundle}
            </Button>
            <Button variant="secondary" icon={<DownloadIcon size={18} />} onClick={() => void saveTrust(of, trust)}>
              {PROOF_TEXTS.downloadTrust}
            </Button>
            <Button variant="soft" icon={<RefreshIcon size={18} />} onClick={onCheckAgain}>
              {PROOF_TEXTS.checkAgain}
            </Button>
          </>
        )}
      </div>
      {onCheckAgain !== null && (
        <p className={styles['note']}>
          {PROOF_TEXTS.bundleNote} {bundle.papers.length > 0 && PROOF_TEXTS.bundlePrivate}
        </p>
      )}
    </>
  )
}
