import type { Findings } from '@fairball/domain/protocol/report'
import { expect, it } from 'vitest'
import type { DrawFacts } from '../../proof/draw-facts.ts'
import type { OwnPlay } from '../../proof/prove.ts'
import { type AnswerContext, answeredGroups } from './answers.ts'
import type { CheckGroup } from './check-groups.ts'

const PASS = { status: 'pass', why: '' } as const
const FACTS: DrawFacts = {
  log: { origin: 'lottery.example/fairball', size: 214, keys: [] },
  game: 'a-game',
  number: 2,
  openedAt: 1_000,
  closesAt: 2_000,
  startAt: 3_000,
  endedAt: 4_000,
  round: { number: 31_799_517, dueAt: 3_000, isPublic: false },
  witnesses: [],
  close: { hash: '', at: 2_000, size: 12, lines: 940 },
  isVoid: false,
  published: [7, 25],
  tiers: [
    { matches: 2, kind: 'jackpot', winners: 1, each: 5n },
    { matches: 1, kind: 'free', winners: 120, each: 0n },
  ],
  derivation: null,
}
const CONTEXT: AnswerContext = {
  outcome: 'holds',
  facts: FACTS,
  numbers: [7, 25],
  plays: [],
  checkedBy: 'player',
  isDemo: true,
  dateTime: (at) => `date ${at}`,
  time: (at) => `time ${at}`,
  exactTime: (at) => `second ${at}`,
}
const answer = (name: CheckGroup, findings: Findings, context: Partial<AnswerContext> = {}) =>
  answeredGroups(findings, { ...CONTEXT, ...context }).find((group) => group.name === name)?.answer
const play = (where: OwnPlay['where'], lines: number[][] = []): OwnPlay => ({ id: where, where, index: null, lines })

it('where the random number came from is said even if nobody can tell whether it was foreseen', () => {
  const findings: Findings = {
    'beacon.chain': { status: 'unknown', why: 'a private beacon' },
    'beacon.signature': PASS,
  }
  expect(answer('beacon', findings)).toBe(
    'From this demo’s own beacon, round 31,799,517, due at second 3000. The signature is valid.',
  )
  expect(answer('beacon', findings, { isDemo: false })).toMatch(/^From the operator’s own beacon/u)
  const waiting: Findings = { ...findings, 'beacon.signature': { status: 'wait', why: '' } }
  expect(answer('beacon', waiting)).toMatch(/It is not here yet\.$/u)
})

it('no answer says yes to what failed, broke, waits or was not checked', () => {
  expect(answer('log', { 'log.order': { status: 'fail', why: 'times go down' } })).toBe(
    'This check failed: times go down.',
  )
  expect(answer('log', { 'log.head': { status: 'broken', why: '' } })).toBe(
    'This part of the record is incomplete or damaged: The head of the log is signed by its key.',
  )
  expect(answer('open', {})).toBe('Not checked here.')
  expect(answer('seal', { 'seal.range': { status: 'wait', why: 'not sealed' } })).toBe(
    'Not yet. The list is sealed once sales have closed, date 2000.',
  )
  expect(answer('numbers', { 'result.numbers': { status: 'fail', why: '' } }, { numbers: [7, 26] })).toBe(
    'No. Recalculated here: 7, 26. Published: 7, 25.',
  )
  expect(answer('numbers', {}, { outcome: 'not yet' })).toBe('Not drawn yet.')
  expect(answer('numbers', {}, { outcome: 'broken', numbers: null })).toBe('Not checked here.')
  // Sums that are right do not say that the winners are.
  expect(answer('money', { 'money.pool': PASS })).toBe('Not checked here.')
  expect(answer('money', { 'money.pool': PASS, 'result.tiers': PASS })).toBe(
    'Yes. 121 winning lines, and every prize matches.',
  )
})

it('a list of which nobody knows when it was sealed is not said to be closed to late tickets', () => {
  const findings: Findings = { 'plays.root': PASS, 'seal.seen': { status: 'unknown', why: 'nobody you trust saw it' } }
  expect(answer('seal', findings)).toBe(
    'All 940 lines match the list sealed at time 2000. Not proved here: that the list was sealed before the random number.',
  )
  expect(answer('seal', { 'plays.root': PASS, 'seal.seen': PASS })).toBe(
    'Not without a trace. All 940 lines match the list sealed at time 2000.',
  )
})

it('a warning stands beside its answer', () => {
  const findings: Findings = { 'result.tiers': PASS, 'money.rate': { status: 'warn', why: 'it is 12% off' } }
  expect(answer('money', findings)).toBe('Yes. 121 winning lines, and every prize matches. Please note: it is 12% off.')
})

it('lines that were found are included, even if their payment cannot be shown', () => {
  const findings: Findings = { 'plays.root': PASS, 'promise.kept': { status: 'unknown', why: 'no payment is here' } }
  const answered = (changes: Findings) =>
    answeredGroups({ ...findings, ...changes }, { ...CONTEXT, plays: [play('found', [[1]])] }).at(-1)?.answered
  expect(answered({})).toBe('pass')
  expect(answered({ 'plays.root': { status: 'broken', why: '' } })).toBe('unknown')
  expect(answered({ 'receipt.leaf': { status: 'fail', why: '' } })).toBe('fail')
})

it('own lines are said to be where they were found', () => {
  const papers = (plays: OwnPlay[], context: Partial<AnswerContext> = {}) => answer('papers', {}, { plays, ...context })
  expect(papers([play('found', [[1], [2]])])).toBe('Yes. All 2 of your lines are in the sealed list.')
  expect(papers([play('found', [[1]])])).toBe('Yes. Your 1 line is in the sealed list.')
  expect(papers([play('found', [[1]]), play('missing')])).toMatch(/^No\./u)
  expect(papers([play('moved')])).toBe('They moved to another draw, as their receipt says.')
  expect(papers([play('unknown')])).toBe('The part of the sealed list with your lines is not here.')
  expect(papers([play('unknown')], { facts: { ...FACTS, close: null } })).toMatch(/^They are promised\./u)
  expect(papers([], { checkedBy: 'visitor' })).toBe('Log in, or scan your printed ticket, to check your lines.')
  expect(papers([], { checkedBy: 'scan' })).toBe('Your printed ticket is checked above.')
})
