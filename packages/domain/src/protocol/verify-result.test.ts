import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import type { BundleDraw } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import { QUICKNET, roundDueAt } from './chain.ts'
import { nobleHash } from './hash.ts'
import { TEST_ROUNDS, TestOperator } from './operator-fixture.ts'
import { plays } from './read-log-fixture.ts'
import { Checks } from './report.ts'
import { type SectionRecord, writeSections } from './sections.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import { changedDraw, type Changes, closeOf, findingsOf, settledDraw } from './verify-fixture.ts'
import { type SealedPlays, verifyPlays } from './verify-plays.ts'
import {
  numbersOf,
  type Result,
  type RoundCheck,
  verifyBeacon,
  verifyPaid,
  verifyResult,
  verifyResultForm,
} from './verify-result.ts'

const DRAWN = settledDraw(new TestOperator(), plays(20))
const [BUNDLE_DRAW] = (await DRAWN.operator.bundle()).draws as [BundleDraw]
const HASH = 'ab'.repeat(32)
const PAIRING = TEST_ROUNDS.isRoundSigned ?? null

/** A draw with its result, with some values changed. */
function setUp(changes: Changes = {}) {
  const { log, opened, checks } = changedDraw(DRAWN, changes)
  const close = closeOf(log)
  const sealed = verifyPlays(log, opened, close, BUNDLE_DRAW, { hash: nobleHash, checks: new Checks() })
  const result: Result | undefined = log.all('result').at(-1)
  assert(result !== undefined && BUNDLE_DRAW.beacon !== null, 'no result')
  const numbers = numbersOf(opened, close, BUNDLE_DRAW.beacon.signature)
  return { log, opened, checks, close, sealed, result, numbers }
}

/** Checks the result of the draw. @param sealedAs what the verifier has of the plays, if not all */
function judge(changes: Changes = {}, sealedAs: (sealed: SealedPlays) => SealedPlays = (sealed) => sealed) {
  const { log, opened, checks, close, sealed, result, numbers } = setUp(changes)
  const context = { plays: sealedAs(sealed), numbers, hash: nobleHash, checks }
  const settled = verifyResult(log, opened, close, result, context)
  return { found: findingsOf(checks), settled, checks, log, opened, numbers }
}

/** Changes of the first tier with winners, which the draw has. */
const inTier = (change: (tier: StatementOf<'result'>['tier'][number]) => object) => ({
  result: ({ tier }: StatementOf<'result'>) => {
    const place = tier.findIndex(({ winners }) => winners > 0)
    return { tier: tier.map((one, at) => (at === place ? { ...one, ...change(one) } : one)) }
  },
})

describe('the random number of a draw', () => {
  const beaconOf = (beacon: BundleDraw['beacon'], isRound: RoundCheck = PAIRING, changes: Changes = {}) => {
    const { opened, checks, close, result } = setUp(changes)
    const signature = verifyBeacon(opened, close, { ...BUNDLE_DRAW, beacon }, { result, isRound, checks })
    return [signature, ...findingsOf(checks)]
  }
  const own = BUNDLE_DRAW.beacon
  assert(own !== null, 'no beacon')
  const BROKEN = 'beacon.signature broken: this is not the random number of its round'
  const UNCHECKED = 'beacon.signature unknown: this program cannot check the random number'

  it('is that of its round, with a valid signature', () => {
    expect(beaconOf(own)).toEqual([own.signature])
    expect(beaconOf({ ...own, round: own.round + 1 })).toEqual([null, BROKEN])
    expect(beaconOf({ ...own, signature: HASH })).toEqual([null, BROKEN])
    expect(beaconOf({ ...own, round: own.round + 1 }, () => true)).toEqual([null, BROKEN])
    expect(beaconOf(null)).toEqual([null, 'beacon.signature wait: the random number is not here yet'])
  })

  it('is the operator’s word for a program that cannot check it', () => {
    expect(beaconOf(own, null)).toEqual([own.signature, UNCHECKED])
    expect(beaconOf(own, null, { result: { signature: HASH } })).toEqual([null, UNCHECKED])
    expect(beaconOf({ ...own, round: own.round + 1 }, null)).toEqual([null, BROKEN])
  })

  it('is the one of the result, which is not older than it', () => {
    const formOf = (changes: Changes, isDrawn = true) => {
      const { opened, checks, close, result } = setUp(changes)
      verifyResultForm(opened, close, isDrawn ? result : null, { signature: own.signature, checks })
      return findingsOf(checks)
    }
    const due = roundDueAt(QUICKNET, own.round)
    expect(formOf({})).toEqual([])
    expect(formOf({ result: { time: due } })).toEqual([])
    expect(formOf({ result: { time: due - 1 } })).toEqual(['result.form fail: it is dated before its random number'])
    expect(formOf({ result: { signature: HASH } })).toEqual(['result.form fail: its random number is another'])
    expect(formOf({}, false)).toEqual(['result.form wait: the draw has no result yet'])
  })
})

describe('the result of a draw', () => {
  it('an honest result passes each of its checks', () => {
    const { found, checks, settled } = judge()
    expect(found).toEqual([])
    expect(Object.keys(checks.findings())).toEqual([
      'result.numbers',
      'result.sections',
      'result.tiers',
      'result.state',
    ])
    const { tier } = setUp().result.statement
    expect(settled?.won).toBe(tier.reduce((sum, { winners, each }) => sum + BigInt(winners) * each, 0n))
    expect(settled?.won).toBeGreaterThan(0n)
  })

  const { numbers } = judge()
  const { tier: tiers, left } = setUp().result.statement
  const WINNERS = `result.tiers fail: the winners are ${tiers.map(({ winners }) => winners).join(', ')}`
  const PRIZES = `result.tiers fail: the prizes are ${tiers.map(({ each }) => each).join(', ')}`
  const STATE = 'result.state fail: its state does not follow from the one before'

  it.each<[string, Changes, string]>([
    [
      'numbers in another order',
      { result: ({ numbers: drawn }) => ({ numbers: drawn.toReversed() }) },
      `result.numbers fail: the numbers are ${numbers.join(', ')}`,
    ],
    ['other sections', { result: { sections: HASH } }, 'result.sections fail: the sections come to something else'],
    ['a winner too many', inTier(({ winners }) => ({ winners: winners + 1 })), WINNERS],
    ['a prize too large', inTier(({ each }) => ({ each: each + 1n })), PRIZES],
    [
      'a tier of other matches',
      inTier(({ matches }) => ({ matches: matches + 1 })),
      'result.tiers fail: its tiers are not those of the rules',
    ],
    [
      'a tier of another kind',
      { result: ({ tier }) => ({ tier: tier.map((one) => ({ ...one, kind: 'jackpot' as const })) }) },
      'result.tiers fail: its tiers are not those of the rules',
    ],
    [
      'a tier missing',
      { result: ({ tier }) => ({ tier: tier.slice(0, -1) }) },
      'result.tiers fail: its tiers are not those of the rules',
    ],
    [
      'a satoshi less left',
      { result: ({ left: honest }) => ({ left: honest - 1n }) },
      `result.state fail: ${left} satoshis are left`,
    ],
    ['another state', { result: ({ state }) => ({ state: { ...state, pot: state.pot + 1n } }) }, STATE],
    [
      'a state that continues nothing here',
      { result: { last: HASH } },
      'result.state broken: the statement that it continues is not here',
    ],
    [
      'a state that leaves out its close',
      { result: { last: NO_HASH } },
      'result.state fail: it does not continue its own close',
    ],
    [
      'a state that continues another statement',
      { result: () => ({ last: DRAWN.draw.open.hash }) },
      'result.state fail: it continues a statement without a state',
    ],
  ])('a result with %s is found', (_what, changes, finding) => {
    expect(judge(changes).found).toEqual([finding])
  })

  it('what was paid is no more than was won, and the statement says how much that is', () => {
    const paidOf = (...lines: { open?: string; won?: bigint; paid?: bigint }[]) => {
      const { log, opened, checks, settled } = judge()
      assert(settled !== null, 'not settled')
      const { won } = settled
      const draw = lines.map((line) => ({ open: DRAWN.draw.open.hash, won, paid: won, ...line }))
      const statement = { type: 'paid', log: 'l', time: 1, size: 1, root: HASH, draw } as const
      log.add({ index: 100, text: '', hash: HASH, statement })
      verifyPaid(log, opened, settled, checks)
      return findingsOf(checks)
    }
    const won = judge().settled?.won ?? 0n
    expect(paidOf({})).toEqual([])
    expect(paidOf({ paid: 0n })).toEqual([])
    expect(paidOf({ won: won + 1n })).toEqual([`paid.won fail: ${won} satoshis were won`])
    expect(paidOf({ paid: won + 1n })).toEqual(['paid.won fail: more was paid than won'])
    expect(paidOf({ open: HASH, won: 0n, paid: 1n })).toEqual([])
  })
})

describe('a result of which only some sections are here', () => {
  const [own] = DRAWN.operator.count(DRAWN.draw, setUp().numbers).sections
  assert(own !== undefined, 'no section')
  const MORE: SectionRecord = {
    section: 1,
    root: fromHex(HASH),
    leaves: 5,
    lines: 7,
    free: 1,
    carried: 2,
    stake: 500n,
    winners: [0, 1, 2],
  }

  /** A draw with a second section that is not here. */
  const partly = ({
    records = [own, MORE],
    changes = {},
    sealedAs = {},
    hasFile = true,
  }: {
    records?: readonly SectionRecord[]
    changes?: Changes
    sealedAs?: Partial<SealedPlays>
    hasFile?: boolean
  }): string[] => {
    const bytes = writeSections(records)
    const { close = {}, result = {} } = changes
    const valuesOf = <T extends object>(change: object, honest: T): object =>
      change instanceof Function ? (change as (honest: T) => object)(honest) : change
    const wider: Changes = {
      close: (honest) => ({
        lines: honest.lines + MORE.lines,
        free: honest.free + MORE.free,
        carried: honest.carried + MORE.carried,
        stake: honest.stake + MORE.stake,
        ...valuesOf(close, honest),
      }),
      result: (honest) => ({
        sections: toHex(nobleHash(bytes)),
        tier: honest.tier.map((tier, place) => ({ ...tier, winners: tier.winners + (MORE.winners[place] ?? 0) })),
        ...valuesOf(result, honest),
      }),
    }
    const file = hasFile ? { bytes, records } : null
    const part = { count: 2, areAll: false, areSealed: true, fault: null, isRevokedElsewhere: false, file, ...sealedAs }
    const { sealed } = setUp()
    const { found, settled } = judge(wider, () => ({ ...sealed, ...part }))
    expect(settled).toBeNull()
    return found
  }

  const PART = 'result.sections unknown: only 1 of 2 sections were counted here'

  it('nothing speaks against an honest one', () => {
    expect(partly({})).toEqual([PART])
    expect(partly({ hasFile: false })).toEqual([PART])
  })

  it.each<[string, Parameters<typeof partly>[0], string]>([
    [
      'a file that is not that of the result',
      { changes: { result: { sections: HASH } } },
      'broken: the sections file is not that of the result',
    ],
    [
      'another count of the section that is here',
      {
        records: [
          { ...own, lines: own.lines + 1 },
          { ...MORE, lines: MORE.lines - 1 },
        ],
      },
      'fail: section 0 comes to something else',
    ],
    [
      'more lines than the close',
      { records: [own, { ...MORE, lines: 8 }] },
      'fail: the sections do not add up to the close',
    ],
    [
      'more free tickets than the close',
      { records: [own, { ...MORE, free: 0 }] },
      'fail: the sections do not add up to the close',
    ],
    [
      'more carried over than the close',
      { records: [own, { ...MORE, carried: 3 }] },
      'fail: the sections do not add up to the close',
    ],
    [
      'more stake than the close',
      { records: [own, { ...MORE, stake: 501n }] },
      'fail: the sections do not add up to the close',
    ],
    [
      'more winners than the result',
      { records: [own, { ...MORE, winners: [0, 1, 3] }] },
      'fail: the winners of the sections do not add up to those of the result',
    ],
  ])('is found with %s', (_what, given, finding) => {
    expect(partly(given)).toEqual([`result.sections ${finding}`])
  })

  it('accuses nobody where a revocation elsewhere, or an invalid leaf, explains the difference', () => {
    const records = [
      { ...own, lines: own.lines + 1 },
      { ...MORE, lines: MORE.lines - 1 },
    ]
    expect(partly({ records, sealedAs: { isRevokedElsewhere: true } })).toEqual([PART])
    const invalid = partly({ records, sealedAs: { fault: 'leaf 0: it is of another draw' } })
    expect(invalid).toEqual([PART])
  })

  it('accuses nobody where the plays are not those that were sealed', () => {
    const records = [own, { ...MORE, lines: 8 }]
    expect(partly({ records, sealedAs: { areSealed: false } })).toEqual([PART])
  })

  it('a result is not counted with plays that were not sealed, or are invalid', () => {
    expect(judge({}, (sealed) => ({ ...sealed, areSealed: false })).settled).toBeNull()
    const { settled, found } = judge({}, (sealed) => ({ ...sealed, fault: 'leaf 0: it is of another draw' }))
    expect(settled).toBeNull()
    expect(found).toEqual(['result.sections fail: the sections come to something else'])
    const empty = toHex(nobleHash(new Uint8Array()))
    expect(judge({ result: { sections: empty } }, (sealed) => ({ ...sealed, fault: 'leaf 0' })).found).toEqual([])
  })
})
