import type { Findings } from '@fairball/domain/protocol/report'
import { expect, it } from 'vitest'
import { groupsOf, plainReasons, warningsOf } from './check-groups.ts'

const PASS = { status: 'pass', why: '' } as const
const UNKNOWN = { status: 'unknown', why: 'why not' } as const
const statusOf = (name: string, findings: Findings) => groupsOf(findings).find((group) => group.name === name)?.status

it('every check is in one of seven groups, and each group is as bad as its worst check', () => {
  const findings: Findings = {
    'log.head': PASS,
    'beacon.chain': UNKNOWN,
    'open.form': PASS,
    'plays.root': PASS,
    'beacon.signature': { status: 'wait', why: '' },
    'money.pool': { status: 'fail', why: '' },
    'paid.won': { status: 'warn', why: '' },
    'promise.kept': PASS,
  }
  expect(groupsOf(findings).map(({ name, status }) => [name, status])).toEqual([
    ['log', 'pass'],
    ['open', 'pass'],
    ['seal', 'pass'],
    ['beacon', 'wait'],
    ['numbers', null],
    ['money', 'fail'],
    ['papers', 'pass'],
  ])
})

it('no witness of the operator is needed if the sealed list was seen in time', () => {
  expect(statusOf('seal', { 'seal.witnesses': UNKNOWN, 'seal.seen': PASS })).toBe('pass')
  expect(statusOf('seal', { 'seal.witnesses': UNKNOWN, 'seal.seen': UNKNOWN })).toBe('unknown')
})

it('papers are not judged if there are none', () => {
  expect(statusOf('papers', { 'papers.form': PASS })).toBeNull()
  expect(statusOf('papers', { 'papers.form': { status: 'broken', why: '' } })).toBe('broken')
})

it('missing proofs and warnings are listed in plain words, each once', () => {
  const findings: Findings = {
    'seal.witnesses': UNKNOWN,
    'seal.seen': UNKNOWN,
    'beacon.chain': UNKNOWN,
    'plays.counts': { status: 'unknown', why: 'only 2 of 9 sections were counted here' },
    'money.rate': { status: 'warn', why: 'it is 12% off' },
  }
  expect(plainReasons(findings)).toEqual([
    'that the list was sealed before the random number',
    'that nobody knew the random number before: it comes from a private beacon',
    'only 2 of 9 sections were counted here',
  ])
  expect(warningsOf(findings)).toEqual(['The exchange rate is the one of several sources: it is 12% off.'])
})
