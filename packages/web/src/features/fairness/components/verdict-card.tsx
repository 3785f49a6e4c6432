import type { VerifyStep } from '@fairball/domain/protocol/verify'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ReactNode } from 'react'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { DemoHint } from '../../../proof/demo-hint.tsx'
import type { ProvenDraw } from '../../../proof/prove.ts'
import type { DoneProof, ProofState } from '../../../proof/draw-check.ts'
import { stepText } from '../../../proof/verify-steps.ts'
import { useConfig } from '../../../shared/config.ts'
import { runtime } from '../../../shared/runtime.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { AlertIcon, CheckIcon, ClockIcon, DownloadIcon, InfoIcon, RefreshIcon } from '@fairball/ui/icons.tsx'
import { PROOF_TEXTS, type VerdictWords } from '../proof-messages.ts'
import { type FileOf, saveEvidence } from '../save-proof.ts'
import { ownLinesOf, verdictOf } from '../verdict.ts'
import { ComparedBalls } from './compared-balls.tsx'
import { Contradictions } from './contradictions.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import { Spinner } from '@fairball/ui/spinner.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import styles from './verdict-card.module.css'

/** Props of {@link VerdictCard}. */
interface VerdictCardProps {
  state: ProofState
  /** The draw; null before there is a report, and for a file without one. */
  draw: ProvenDraw | null
  /** The number of balls of the draw, while they are not known. */
  pick: number
  /** Null for a file. */
  onCheckAgain: (() => void) | null
}

/** The verdict on a draw: in words, by its balls, and for the player's own lines. */
export function VerdictCard({ state, draw, pick, onCheckAgain }: VerdictCardProps) {
  const { testMode } = useConfig()
  const verdict = state.kind === 'done' ? verdictOf(state.proof, draw) : null
  return (
    <section className={styles['verdict']} data-tone={verdict?.tone ?? state.kind} data-demo={testMode}>
      <div className={styles['head']}>
        <span className={styles['badge']}>
          <Badge tone={verdict?.tone ?? state.kind} />
        </span>
        <div className={styles['words']}>
          <DrawName state={state} draw={draw} />
          <div role="status" className={styles['words']}>
            <Words state={state} draw={draw} />
          </div>
          {state.kind === 'running' && <Progress state={state} />}
        </div>
      </div>
      <Balls state={state} draw={draw} pick={pick} isFile={onCheckAgain === null} />
      {state.kind === 'done' && <OfPlayer proof={state} draw={draw} isFile={onCheckAgain === null} />}
      {state.kind === 'done' && <Faults proof={state} of={fileOf(draw)} />}
      {(state.kind === 'failed' || state.kind === 'broken') && onCheckAgain !== null && (
        <p className={styles['action']}>
          <Button icon={<RefreshIcon size={18} />} onClick={onCheckAgain}>
            {PROOF_TEXTS.tryAgain}
          </Button>
        </p>
      )}
    </section>
  )
}

function fileOf(draw: ProvenDraw | null): FileOf {
  return { game: draw?.facts.game ?? null, number: draw?.facts.number ?? null }
}

function Badge({ tone }: { tone: NonNullable<ReturnType<typeof verdictOf>>['tone'] | ProofState['kind'] }) {
  switch (tone) {
    case 'proved':
    case 'holds':
      return <CheckIcon size={32} />
    case 'failed':
      return <AlertIcon size={32} />
    case 'running':
      return <Spinner />
    case 'waiting':
      return <ClockIcon size={32} />
    case 'open':
    case 'broken':
    case 'wrong-file':
    case 'done':
      return <InfoIcon size={32} />
  }
}

/** If a file has several draws, each verdict names its own. */
function DrawName({ state, draw }: Pick<VerdictCardProps, 'state' | 'draw'>) {
  const { game, number } = fileOf(draw)
  const name = useGameName(game ?? '')
  if (state.kind !== 'done' || state.proof.draws.length < 2 || number === null) return null
  return <p className={styles['of']}>{PROOF_TEXTS.drawOf(name, number)}</p>
}

/** The step of the check, as it is seen. */
function Progress({ state: { stage, step } }: { state: ProofState & { readonly kind: 'running' } }) {
  const title = step === null ? PROOF_TEXTS.checking : stepText(step)
  const text = stage === null ? PROOF_TEXTS.starting : PROOF_TEXTS.stages[stage]
  return <Sentence title={title} text={text} timing="verdict frame" />
}

/** How often a check that takes long is announced, in ms: its steps can be faster than they can be read out. */
const SPOKEN_MS = 4_000

/** The step of the check for those who do not see it: the one that it is at every few seconds. */
function SpokenStep({ step }: { step: VerifyStep | null }) {
  const [spoken, setSpoken] = useState<VerifyStep | null>(null)
  const say = useEffectEvent(() => setSpoken(step))
  useEffect(() => runtime.every(SPOKEN_MS, () => say()), [])
  return <VisuallyHidden>{spoken === null ? PROOF_TEXTS.checking : stepText(spoken)}</VisuallyHidden>
}

function Words({ state, draw }: Pick<VerdictCardProps, 'state' | 'draw'>) {
  switch (state.kind) {
    case 'running':
      return <SpokenStep step={state.step} />
    case 'failed':
      return <Sentence {...(state.reason === 'fetching' ? PROOF_TEXTS.couldNotFetch : PROOF_TEXTS.couldNotCompute)} />
    case 'broken':
      return (
        <Sentence {...PROOF_TEXTS.outcomes.broken}>
          <p className={styles['note']}>{state.why}</p>
        </Sentence>
      )
    case 'wrong-file':
      return <Sentence title={PROOF_TEXTS.notJudged} text={state.why} />
    case 'done':
      return <DoneWords proof={state} draw={draw} />
  }
}

function DoneWords({ proof, draw }: { proof: DoneProof; draw: ProvenDraw | null }) {
  const { title, text, missing, warnings } = verdictOf(proof.proof, draw)
  return (
    <Sentence title={title} text={text} timing="verdict">
      {missing.length > 0 && <List items={missing} />}
      {warnings.length > 0 && (
        <>
          <p>{PROOF_TEXTS.warnings}</p>
          <List items={warnings} />
        </>
      )}
    </Sentence>
  )
}

/** @param props.timing the name by which a browser reports when the title was painted (Element Timing) */
function Sentence({ title, text, timing, children }: VerdictWords & { timing?: string; children?: ReactNode }) {
  return (
    <>
      <h2 className={styles['title']} {...{ elementtiming: timing }}>
        {title}
      </h2>
      <p className={styles['text']}>{text}</p>
      {children}
    </>
  )
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul className={styles['missing']}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}

/** Slots while the balls are not known; nothing where there are none to come. */
function Balls({ state, draw, pick, isFile }: { isFile: boolean } & Omit<VerdictCardProps, 'onCheckAgain'>) {
  if (state.kind === 'running') {
    return isFile ? null : <ComparedBalls published={null} recalculated={null} pick={pick} />
  }
  if (state.kind !== 'done' || draw === null || draw.facts.isVoid) return null
  const { facts, report } = draw
  if (report.outcome === 'broken') return null
  return <ComparedBalls published={facts.published} recalculated={report.numbers} pick={pick} />
}

/** The player's own lines; a file is of nobody. */
function OfPlayer({ proof: { proof }, draw, isFile }: { proof: DoneProof; draw: ProvenDraw | null; isFile: boolean }) {
  const { profile } = useSession()
  if (isFile) return null
  if (proof.plays.some(({ where }) => where === 'missing')) {
    return <Banner kind="danger">{PROOF_TEXTS.playMissing}</Banner>
  }
  const own = ownLinesOf(proof, draw, profile !== null)
  if (own === null) return null
  return (
    <p className={styles['own']} data-kind={own.kind}>
      <OutcomeMark state={own.kind === 'sealed' ? 'pass' : 'unjudged'} isWordHidden />
      <span>{own.text}</span>
    </p>
  )
}

/** What contradicts the operator, and the evidence of it. */
function Faults({ proof: { proof, contradictions }, of }: { proof: DoneProof; of: FileOf }) {
  const { evidence } = proof
  return (
    <>
      <Contradictions found={contradictions} of={of} />
      <ResetHint proof={{ proof, contradictions }} />
      {evidence !== null && (
        <p className={styles['action']}>
          <Button icon={<DownloadIcon size={18} />} onClick={() => saveEvidence(of, evidence)}>
            {PROOF_TEXTS.downloadEvidence}
          </Button>
        </p>
      )}
    </>
  )
}

/** A reset demo contradicts the browser's record of the earlier one. */
function ResetHint({ proof: { proof, contradictions } }: { proof: Pick<DoneProof, 'proof' | 'contradictions'> }) {
  const { 'log.keys': keys, 'log.remembered': remembered } = proof.report.checks
  const isOther = [keys, remembered].some((finding) => finding !== undefined && finding.status !== 'pass')
  if (!isOther && contradictions.length === 0) return null
  return (
    <p className={styles['note']}>
      <DemoHint />
    </p>
  )
}
