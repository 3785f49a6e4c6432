import type { CheckId, Findings, Outcome, Status } from '@fairball/domain/protocol/report'
import type { DrawFacts } from '../../proof/draw-facts.ts'
import type { OwnPlay } from '../../proof/prove.ts'
import { ANSWER_TEXTS } from './answer-messages.ts'
import { type CheckGroup, type GroupOfChecks, groupsOf, plainReasons } from './check-groups.ts'
import { areShown, linesIn } from './verdict.ts'

/** What the answers are made from, beside the checks. */
export interface AnswerContext {
  /** Null if the draw could not be read. */
  readonly facts: DrawFacts | null
  /** Of the draw, or of a file without one. */
  readonly outcome: Outcome
  /** As they were recalculated here; null if there are none yet. */
  readonly numbers: readonly number[] | null
  readonly plays: readonly OwnPlay[]
  /** Whose check it is: a visitor may have scanned a ticket; that of a file has no player. */
  readonly checkedBy: 'player' | 'visitor' | 'scan' | 'file'
  /** Whether the operator's own beacon is that of a demo. */
  readonly isDemo: boolean
  /** "Sat, Nov 21, 6:10 PM" */
  readonly dateTime: (at: number) => string
  /** "5:55 PM" */
  readonly time: (at: number) => string
  /** "6:00:00 PM" */
  readonly exactTime: (at: number) => string
}

/** A group of checks with the answer to its question. */
export interface AnsweredGroup extends GroupOfChecks {
  readonly answer: string
  /** How the question was answered, which may be better than the worst of its checks. */
  readonly answered: Status | null
}

/** An answer if nothing failed; null if there is no special one. */
type Answer = (group: GroupOfChecks, context: AnswerContext) => string | null

/** The groups of checks with the answers to their questions. */
export function answeredGroups(findings: Findings, context: AnswerContext): AnsweredGroup[] {
  return groupsOf(findings).map((group) => ({
    ...group,
    answer: answerOf(group, context),
    answered: areIncluded(group, findings, context) ? 'pass' : group.status,
  }))
}

/** Whether own lines are in the list: a payment that nobody can show here leaves the promise open, and not this. */
function areIncluded({ name, status }: GroupOfChecks, findings: Findings, { plays }: AnswerContext): boolean {
  const isOpen = status === 'unknown' || status === null
  const areFound = plays.length > 0 && plays.every(({ where }) => where === 'found')
  return name === 'papers' && isOpen && areFound && areShown(findings)
}

/** The answer to a group's question, in a sentence or two, by the outcome of its checks. */
function answerOf(group: GroupOfChecks, context: AnswerContext): string {
  const { name, status } = group
  const special = ANSWERS[name](group, context)
  switch (status) {
    case 'fail':
      return special ?? ANSWER_TEXTS.failed(whyOf(group, 'fail'))
    case 'broken':
      return ANSWER_TEXTS.broken(whyOf(group, 'broken'))
    case 'warn':
      return ANSWER_TEXTS.warned(special ?? '', whyOf(group, 'warn')).trim()
    case 'wait':
      return special ?? ANSWER_TEXTS.notYet(whyOf(group, 'wait'))
    case 'unknown':
      return special ?? ANSWER_TEXTS.notShown(reasonsIn(group).join('; ') || whyOf(group, 'unknown'))
    case 'pass':
    case null:
      return special ?? ANSWER_TEXTS.notChecked
  }
}

const ANSWERS: Readonly<Record<CheckGroup, Answer>> = {
  log: ({ status }, { facts }) => (isGood(status) && facts?.log != null ? ANSWER_TEXTS.log(facts.log.size) : null),
  open: ({ status }, { facts, dateTime }) =>
    isGood(status) && facts?.openedAt != null ? ANSWER_TEXTS.open(dateTime(facts.openedAt)) : null,
  seal: answerOfSeal,
  beacon: answerOfBeacon,
  numbers: answerOfNumbers,
  money: answerOfMoney,
  papers: answerOfPapers,
}

function answerOfSeal(group: GroupOfChecks, { facts, dateTime, time }: AnswerContext): string | null {
  const { status } = group
  if (status === 'wait' && facts?.closesAt != null) return ANSWER_TEXTS.toBeSealed(dateTime(facts.closesAt))
  if (facts?.close == null || statusIn(group, 'plays.root') !== 'pass') return null
  const sealed = ANSWER_TEXTS.sealed(facts.close.lines, time(facts.close.at))
  const signed = facts.witnesses.length === 0 ? [] : [ANSWER_TEXTS.sealedSigned(facts.witnesses)]
  if (isGood(status)) return [ANSWER_TEXTS.sealedProved(sealed), ...signed].join(' ')
  if (status !== 'unknown') return null
  return [ANSWER_TEXTS.sealedUnproved(sealed, reasonsIn(group)), ...signed].join(' ')
}

/** A private beacon leaves the question open whether anyone knew the number, not where it came from. */
function answerOfBeacon(group: GroupOfChecks, { facts, isDemo, exactTime }: AnswerContext): string | null {
  if (facts?.round == null || group.status === 'fail' || group.status === 'broken') return null
  const { number, dueAt, isPublic } = facts.round
  const { beacons, signatures, round } = ANSWER_TEXTS
  const beacon = isPublic ? beacons.public : isDemo ? beacons.demo : beacons.own
  const signature = statusIn(group, 'beacon.signature')
  const words = signature === 'pass' || signature === 'wait' || signature === 'unknown' ? signatures[signature] : ''
  return `${round(beacon, number, exactTime(dueAt))} ${words}`.trim()
}

function answerOfNumbers({ status }: GroupOfChecks, { facts, numbers, outcome }: AnswerContext): string | null {
  if (isGood(status) && numbers !== null) return ANSWER_TEXTS.numbers(numbers)
  if (outcome === 'not yet' && !isGood(status)) return ANSWER_TEXTS.notDrawn
  const published = facts?.published ?? null
  const isOther = numbers !== null && published !== null && numbers.join() !== published.join()
  return status === 'fail' && isOther ? ANSWER_TEXTS.otherNumbers(numbers, published) : null
}

function answerOfMoney(group: GroupOfChecks, { facts }: AnswerContext): string | null {
  if (!isGood(group.status)) return null
  if (facts?.isVoid === true) return ANSWER_TEXTS.moneyOfVoid
  if (facts?.tiers == null) return ANSWER_TEXTS.moneySoFar
  if (statusIn(group, 'result.tiers') !== 'pass') return null
  return ANSWER_TEXTS.winners(facts.tiers.reduce((sum, { winners }) => sum + winners, 0))
}

function answerOfPapers({ status }: GroupOfChecks, { facts, plays, checkedBy }: AnswerContext): string | null {
  if (plays.some(({ where }) => where === 'missing')) return ANSWER_TEXTS.missing
  if (status === 'fail' || status === 'broken') return null
  if (checkedBy === 'file') return isGood(status) ? ANSWER_TEXTS.papers : null
  if (plays.length === 0 && checkedBy === 'scan') return ANSWER_TEXTS.scanned
  if (plays.length === 0) return checkedBy === 'visitor' ? ANSWER_TEXTS.visitor : ANSWER_TEXTS.noPapers
  const places = new Set(plays.map(({ where }) => where))
  if (facts?.close == null) return ANSWER_TEXTS.promised
  if (places.has('unknown')) return ANSWER_TEXTS.unseen
  return places.has('found') ? ANSWER_TEXTS.included(linesIn(plays)) : ANSWER_TEXTS.moved
}

function isGood(status: Status | null): boolean {
  return status === 'pass' || status === 'warn'
}

function statusIn({ checks }: GroupOfChecks, wanted: CheckId): Status | null {
  return checks.find(({ id }) => id === wanted)?.status ?? null
}

/** The reasons of the checks with a status, each once; the checked facts where a check gives none. */
function whyOf({ checks }: GroupOfChecks, wanted: Status): string {
  const found = checks.filter(({ status }) => status === wanted)
  return [...new Set(found.map(({ why, title }) => (why === '' ? title : why)))].join('; ')
}

function reasonsIn({ checks }: GroupOfChecks): string[] {
  const findings: Findings = Object.fromEntries(checks.map(({ id, status, why }) => [id, { status, why }]))
  return plainReasons(findings)
}
