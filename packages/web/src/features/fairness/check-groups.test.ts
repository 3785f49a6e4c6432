import type { Findings } from '@fairball/domain/protocol/report'
import { expect, it } from 'vitest'
import { groupsOf, plainReasons, warningsOf } from './check-groups.ts'

const PASS = { status: 'pass', why: '' } as const
const UNKNOWN = { status: 'unknown', why: 'why not' } as const
const statusOf = (name: string, findings: Findings) => groupsOf(findings).find((group) => group.name === name)?.status

it('puts every check into one of seven groups, each as bad as its worst check', () => {
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
    ['open', 'unknown'],
    ['seal', 'pass'],
    ['beacon', 'wait'],
    ['numbers', null],
    ['money', 'fail'],
    ['papers', 'pass'],
  ])
})

it('asks for no witness of the operator’s where the sealed list was seen in time', () => {
  expect(statusOf('seal', { 'seal.witnesses': UNKNOWN, 'seal.seen': PASS })).toBe('pass')
  expect(statusOf('seal', { 'seal.witnesses': UNKNOWN, 'seal.seen': UNKNOWN })).toBe('unknown')
})

it('judges no papers where there are none', () => {
  expect(statusOf('papers', { 'papers.form': PASS })).toBeNull()
  expect(statusOf('papers', { 'papers.form': { status: 'broken', why: '' } })).toBe('broken')
})

it('says in plain words what is not proved, each once, and what is warned of', () => {
  const findings: Findings = {
    'seal.witnesses': UNKNOWN,
    'seal.seen': UNKNOWN,
    'beacon.chain': UNKNOWN,
    'plays.counts': { status: 'unknown', why: 'only 2 of 9 sections were counted here' },
    'money.rate': { status: 'warn', why: 'it is 12% off' },
  }
  expect(plainReasons(findings)).toEqual([
    'that the list was sealed before the random number existed',
    'that nobody knew the random number before: it comes from a private beacon',
    'only 2 of 9 sections were counted here',
  ])
  expect(warningsOf(findings)).toEqual(['The exchange rate is the one of several sources: it is 12% off.'])
})
