import type { Outcome, Status } from '@fairball/domain/protocol/report'
import type { OwnPlay } from '../../../proof/prove.ts'
import { VERIFY_STEPS } from '../../../proof/verify-steps.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { ANSWER_TEXTS } from '../answer-messages.ts'
import type { AnsweredGroup } from '../answers.ts'
import type { CheckGroup } from '../check-groups.ts'
import { PROOF_TEXTS } from '../proof-messages.ts'
import { OutcomeMark, type MarkState } from './outcome-mark.tsx'
import { OwnPlays } from './own-plays.tsx'
import styles from './question-list.module.css'

/** The seven questions, each with the answer that follows from its checks. A failed one is open. */
export function QuestionList({
  groups,
  plays,
  outcome,
}: {
  groups: readonly AnsweredGroup[]
  plays: readonly OwnPlay[]
  /** Of all checks. */
  outcome: Outcome
}) {
  return (
    <Card
      title={PROOF_TEXTS.checkList}
      lead={PROOF_TEXTS.checkListLead}
      actions={<OutcomeMark state={MARK_OF[outcome]} word={PROOF_TEXTS.words[outcome]} />}
      className={styles['card']}
    >
      <ol className={styles['questions']}>
        {groups.map((group, index) => (
          <li key={group.name}>
            <Question place={index + 1} group={group} plays={group.name === 'papers' ? plays : NO_PLAYS} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** The look of an outcome's mark. */
const MARK_OF: Readonly<Record<Outcome, Status>> = {
  proved: 'pass',
  holds: 'unknown',
  'not yet': 'wait',
  failed: 'fail',
  broken: 'broken',
}
const NO_PLAYS: readonly OwnPlay[] = []

/** The questions before there is a report. @param step what the verifier works on; null before its first step */
export function PendingQuestions({ step }: { step: CheckGroup | null }) {
  const current = step === null ? -1 : VERIFY_STEPS.indexOf(step)
  return (
    <Card title={PROOF_TEXTS.checkList} lead={PROOF_TEXTS.checkListLead} className={styles['card']}>
      <ol className={styles['questions']}>
        {VERIFY_STEPS.map((name, index) => (
          <li key={name} className={styles['pending']}>
            <h3>
              <QuestionWords
                place={index + 1}
                name={name}
                mark={index === current ? 'running' : 'waiting'}
                answer={null}
              />
            </h3>
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface QuestionProps {
  place: number
  group: AnsweredGroup
  /** The player's own plays, where they answer the question. */
  plays: readonly OwnPlay[]
}

function Question({ place, group: { name, status, checks, answer, answered }, plays }: QuestionProps) {
  const isMissing = plays.some(({ where }) => where === 'missing')
  return (
    <Disclosure
      level={3}
      isPrinted
      className={styles['question']}
      startsOpen={status === 'fail' || status === 'broken' || isMissing}
      title={<QuestionWords place={place} name={name} mark={answered ?? 'unjudged'} answer={answer} />}
    >
      {plays.length > 0 && <OwnPlays plays={plays} />}
      {checks.length === 0 && (
        <p className={styles['about']}>{name === 'papers' ? PROOF_TEXTS.noPapers : PROOF_TEXTS.notJudged}</p>
      )}
      <ul className={styles['checks']}>
        {checks.map(({ id, title, status: ended, why }) => (
          <li key={id}>
            <div className={styles['check']} data-status={ended}>
              <p className={styles['title']}>
                <span>{title}</span>
                <OutcomeMark state={ended} />
              </p>
              {why !== '' && <p className={styles['detail']}>{why}</p>}
              <p className={styles['id']}>{id}</p>
            </div>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

function QuestionWords({
  place,
  name,
  mark,
  answer,
}: {
  place: number
  name: CheckGroup
  mark: MarkState
  /** Null before there is one. */
  answer: string | null
}) {
  return (
    <span className={styles['words']}>
      <span className={styles['step']}>
        {place}. {PROOF_TEXTS.groups[name]}
      </span>
      <span className={styles['asked']}>{ANSWER_TEXTS.questions[name]}</span>
      <span className={styles['answer']}>{answer ?? <Skeleton />}</span>
      <span className={styles['mark']}>
        <OutcomeMark state={mark} isWordHidden />
      </span>
    </span>
  )
}
