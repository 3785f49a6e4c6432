import { exactTimeLabel, timeLabel, momentLabel } from '@fairball/domain/draw-time-label'
import { type ReactNode, useDeferredValue } from 'react'
import type { ProvenDraw } from '../../../proof/prove.ts'
import type { DoneProof, ProofState } from '../../../proof/draw-check.ts'
import { useClockValue } from '../../../shared/use-clock.ts'
import { useConfig } from '../../../shared/config.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { useUtcOffset } from '../../../shared/player-view.ts'
import { answeredGroups, type AnswerContext } from '../answers.ts'
import { limitsOf } from '../limits.ts'
import { momentsOf } from '../moments.ts'
import { findingsOf } from '../verdict.ts'
import { KeepCard } from './keep-card.tsx'
import { LimitsCard } from './limits-card.tsx'
import { MomentsCard } from './moments-card.tsx'
import { ProofDetails } from './proof-details.tsx'
import styles from './proof-report.module.css'
import { PendingQuestions, QuestionList } from './question-list.tsx'
import { VerdictCard } from './verdict-card.tsx'

/** Props of {@link ProofReport}. */
interface ProofReportProps {
  state: ProofState
  /** Balls of the draw, as long as they are not known. */
  pick: number
  /** Fetches and checks again; null for a file. */
  onCheckAgain: (() => void) | null
  /** Whether a visitor has scanned a ticket of this draw. */
  isScanned?: boolean
  /** Blocks under the verdict, and under the files to keep. */
  underVerdict?: ReactNode
  underFiles?: ReactNode
}

/**
 * The progress of a draw's check, and its result. A file may have several draws, each with an outcome of its own. The
 * verdict is rendered first, then what is beside it.
 */
export function ProofReport({ state, ...props }: ProofReportProps) {
  const later = useDeferredValue(state)
  const laterDraws = drawsOf(later)
  return (
    <>
      {drawsOf(state).map((draw, place) => (
        <div
          key={place === 0 ? '' : draw?.report.open}
          className={styles['columns']}
          data-game={props.onCheckAgain === null ? draw?.facts.game : undefined}
        >
          <Columns
            {...props}
            state={later}
            draw={laterDraws[place] ?? null}
            verdict={<VerdictCard state={state} draw={draw} pick={props.pick} onCheckAgain={props.onCheckAgain} />}
          />
        </div>
      ))}
      {later.kind === 'done' && <ProofDetails proof={later.proof} />}
    </>
  )
}

/** The draws of a check, or null in the place of the one that has no report. */
function drawsOf(state: ProofState): readonly (ProvenDraw | null)[] {
  return state.kind === 'done' && state.proof.draws.length > 0 ? state.proof.draws : [null]
}

function Columns({
  state,
  draw,
  verdict,
  onCheckAgain,
  isScanned = false,
  underVerdict,
  underFiles,
}: Omit<ProofReportProps, 'pick'> & { draw: ProvenDraw | null; verdict: ReactNode }) {
  const of = { game: draw?.facts.game ?? null, number: draw?.facts.number ?? null }
  const isFile = onCheckAgain === null
  return (
    <>
      <div className={styles['column']}>
        {verdict}
        {underVerdict}
        {draw !== null && <MomentsCard moments={momentsOf(draw)} />}
        {state.kind === 'running' && !isFile && <MomentsCard moments={null} />}
        {state.kind === 'done' && <Questions proof={state} draw={draw} isFile={isFile} isScanned={isScanned} />}
        {state.kind === 'running' && !isFile && <PendingQuestions step={state.step} />}
      </div>
      <div className={styles['column']}>
        <Limits state={state} draw={draw} />
        {onCheckAgain !== null && <KeepCard state={state} of={of} onCheckAgain={onCheckAgain} />}
        {underFiles}
      </div>
    </>
  )
}

function Questions({
  proof,
  draw,
  isFile,
  isScanned,
}: {
  proof: DoneProof
  draw: ProvenDraw | null
  isFile: boolean
  isScanned: boolean
}) {
  const { profile } = useSession()
  const { testMode } = useConfig()
  const utcOffsetAt = useUtcOffset()
  const year = useClockValue((now) => yearStartOf(now))
  const plays = isFile ? NO_PLAYS : proof.proof.plays
  const outcome = draw?.report.outcome ?? proof.proof.report.outcome
  const context: AnswerContext = {
    outcome,
    facts: draw?.facts ?? null,
    numbers: draw?.report.numbers ?? null,
    plays,
    checkedBy: isFile ? 'file' : profile !== null ? 'player' : isScanned ? 'scan' : 'visitor',
    isDemo: testMode,
    dateTime: (at) => momentLabel({ at, nowAt: year, utcOffsetAt }),
    time: (at) => timeLabel(at, utcOffsetAt(at)),
    exactTime: (at) => exactTimeLabel(at, utcOffsetAt(at)),
  }
  return (
    <QuestionList groups={answeredGroups(findingsOf(proof.proof, draw), context)} plays={plays} outcome={outcome} />
  )
}

const NO_PLAYS: DoneProof['proof']['plays'] = []

/** A moment of the year that it is: dates of other years are written with theirs. */
function yearStartOf(now: number): number {
  return Date.UTC(new Date(now * 1000).getUTCFullYear(), 6, 1) / 1000
}

function Limits({ state, draw }: { state: ProofState; draw: ProvenDraw | null }) {
  const { testMode } = useConfig()
  if (state.kind === 'running') return <LimitsCard limits={null} />
  // What is incomplete or damaged proves nothing.
  const outcome = state.kind === 'done' ? (draw?.report.outcome ?? state.proof.report.outcome) : 'broken'
  if (state.kind !== 'done' || outcome === 'broken') return <LimitsCard limits={[]} />
  const limits = limitsOf(findingsOf(state.proof, draw), { facts: draw?.facts ?? null, isDemo: testMode })
  return <LimitsCard limits={limits} />
}
