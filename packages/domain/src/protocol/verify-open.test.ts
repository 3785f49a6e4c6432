import { describe, expect, it } from 'vitest'
import { chainHash, QUICKNET, roundOf } from './chain.ts'
import { textHash } from './hash.ts'
import { type Logged, StatementBook } from './known-log.ts'
import { TEST_POLICY, TEST_RULES, TestOperator } from './operator-fixture.ts'
import { type CheckId, Checks, type Status } from './report.ts'
import { type Rules, writeRules } from './rules.ts'
import type { StatementOf } from './statements.ts'
import { notPassed } from './verify-fixture.ts'
import { isChain, verifyOpen } from './verify-open.ts'

type Open = StatementOf<'open'>
type Game = StatementOf<'game'>

/** What differs from an honest announcement; functions take the honest `open`. */
interface Difference {
  readonly open?: Partial<Open> | ((open: Open) => Partial<Open>)
  readonly game?: Partial<Game> | ((open: Open) => Partial<Game>)
  readonly rules?: Partial<Rules>
  /** the text of the rules, if it is not one of rules */
  readonly rulesText?: string
  readonly policyText?: string
  /** further statements about the game, each behind the first one */
  readonly more?: (open: Open) => readonly Partial<Game>[]
  readonly moreAt?: number
  readonly gameAt?: number
  readonly chain?: Partial<StatementOf<'chain'>>
  /** texts that are left out */
  readonly without?: readonly ('rules' | 'policy')[]
}

const WEEK = 604_800

function judge(difference: Difference = {}) {
  const operator = new TestOperator()
  const honest = operator.openDraw().open
  const rules = difference.rulesText ?? writeRules({ ...TEST_RULES, ...difference.rules })
  const policy = difference.policyText ?? TEST_POLICY
  const named = { rules: textHash(rules), policy: textHash(policy) }
  const valuesOf = <T extends object>(change?: T | ((open: Open) => T)): object =>
    (typeof change === 'function' ? change(honest.statement) : change) ?? {}
  const open = {
    ...honest,
    index: 10,
    statement: { ...honest.statement, ...named, ...valuesOf(difference.open) },
  } as Logged<Open>
  const games = operator.statements.filter(({ statement }) => statement.type === 'game') as Logged<Game>[]
  const [announced] = games
  if (announced === undefined) throw new Error('no game')
  const first = { ...announced, index: difference.gameAt ?? announced.index }
  const game = { ...first, statement: { ...first.statement, rules: named.rules, ...valuesOf(difference.game) } }
  const more = (difference.more?.(honest.statement) ?? []).map((values, place) => ({
    ...first,
    index: difference.moreAt ?? 2 + place,
    hash: `more ${place}`,
    statement: { ...game.statement, ...values },
  }))
  const chains = difference.chain === undefined ? [] : [OTHER_CHAIN, chainOf(difference.chain)]
  const texts = { rules, policy }
  const checks = new Checks()
  const opened = verifyOpen(
    new StatementBook([open, game, ...more, ...chains] as Logged[]),
    (['rules', 'policy'] as const).flatMap((name) =>
      difference.without?.includes(name) === true ? [] : [texts[name]],
    ),
    { open: honest.hash },
    checks,
  )
  return { opened, checks, open, found: notPassed(checks) }
}

const PRIVATE = {
  public_key: 'ab'.repeat(96),
  period: 3,
  genesis: 1_000_000_000,
  group_hash: 'cd'.repeat(32),
  beacon_id: 'own',
}

function chainValues(values: Partial<StatementOf<'chain'>> = {}): StatementOf<'chain'> {
  const chain = { ...PRIVATE, ...values }
  const { public_key: publicKey, period, genesis, group_hash: groupHash, beacon_id: beaconId } = chain
  const hash = chainHash({ publicKey, period: period % 2 ** 32, genesis, groupHash, beaconId })
  return { type: 'chain', log: '', time: 0, name: 'own', chain: hash, scheme: 'bls-unchained-g1-rfc9380', ...chain }
}

const chainOf = (values: Partial<StatementOf<'chain'>>): Logged => ({
  index: 1,
  text: '',
  hash: 'chain',
  statement: chainValues(values),
})

const OTHER_CHAIN: Logged = { ...chainOf({ beacon_id: 'other' }), index: 0, hash: 'other chain' }

/** The `open` of a draw on a private chain. */
const onChain =
  (values: Partial<StatementOf<'chain'>> = {}) =>
  ({ start }: Open) => {
    const { chain, period, genesis } = chainValues(values)
    return { chain, round: start < genesis ? 1 : roundOf({ period, genesis }, start) }
  }

describe('an announcement', () => {
  it('an honest announcement passes each of its checks and gives rules, chain and policy', () => {
    const { opened, checks } = judge()
    expect(Object.entries(checks.findings()).map(([id, { status }]) => `${id} ${status}`)).toEqual(
      ['open.form', 'open.rules', 'open.policy', 'open.times', 'beacon.chain', 'open.round'].map((id) => `${id} pass`),
    )
    expect(opened).toMatchObject({ rules: TEST_RULES, chain: QUICKNET, policy: { logs: [] } })
  })

  it('a draw without its announcement is broken', () => {
    const checks = new Checks()
    expect(verifyOpen(new StatementBook([]), [], { open: '00'.repeat(32) }, checks)).toBeNull()
    expect(notPassed(checks)).toEqual({ 'open.form': 'broken' })
  })

  it.each<[string, Difference, Partial<Record<CheckId, Status>>]>([
    ['that has the number 0 is broken', { open: { draw: 0 } }, { 'open.form': 'broken' }],
    ['at the lowest rate passes', { open: { rate: { currency: 'GBP', value: 100 } } }, {}],
    ['below the lowest rate is broken', { open: { rate: { currency: 'GBP', value: 99 } } }, { 'open.form': 'broken' }],
    ['of rules of another game fails', { rules: { game: 'other-game' } }, { 'open.rules': 'fail' }],
    ['of rules of another version fails', { rules: { version: 2 } }, { 'open.rules': 'fail' }],
    [
      'at a rate of another currency than the price’s fails',
      { open: { rate: { currency: 'USD', value: 3000 } } },
      { 'open.rules': 'fail' },
    ],
    ['of a new game from the time of its rules on passes', { game: ({ time }) => ({ time, from: time }) }, {}],
    [
      'of a new game from before the time of its rules fails',
      { game: ({ time }) => ({ time, from: time - 1 }) },
      { 'open.rules': 'fail' },
    ],
    [
      'of a new game with another version than 1 fails',
      { open: { version: 2 }, rules: { version: 2 }, game: { version: 2 } },
      { 'open.rules': 'fail' },
    ],
    [
      'of changed rules passes a week after they were announced',
      {
        open: { version: 2 },
        rules: { version: 2 },
        game: ({ start }) => ({ version: 2, reason: 'price', from: start, time: start - WEEK }),
      },
      {},
    ],
    [
      'of changed rules fails within a week after they were announced',
      {
        open: { version: 2 },
        rules: { version: 2 },
        game: ({ start }) => ({ version: 2, reason: 'price', from: start, time: start - WEEK + 1 }),
      },
      { 'open.rules': 'fail' },
    ],
    ['whose rules hold from its start on passes', { game: ({ start }) => ({ from: start }) }, {}],
    [
      'whose rules hold from after its start on fails',
      { game: ({ start }) => ({ from: start + 1 }) },
      { 'open.rules': 'fail' },
    ],
    [
      'whose rules were announced twice passes if one announcement was in time',
      { more: ({ start }) => [{ from: start + 1 }] },
      {},
    ],
    [
      'of older rules than those from its start on fails',
      { more: ({ start }) => [{ version: 2, rules: '00'.repeat(32), from: start }] },
      { 'open.rules': 'fail' },
    ],
    [
      'passes if newer rules hold from after its start on',
      { more: ({ start }) => [{ version: 2, rules: '00'.repeat(32), from: start + 1 }] },
      {},
    ],
    [
      'passes if newer rules are logged behind it',
      { moreAt: 11, more: () => [{ version: 2, rules: '00'.repeat(32) }] },
      {},
    ],
    ['passes if another game has newer rules', { more: () => [{ game: 'other-game', rules: '00'.repeat(32) }] }, {}],
    ['of a game that ended before its start fails', { more: () => [{ reason: 'retire' }] }, { 'open.rules': 'fail' }],
    ['whose rules are the newest again passes', { more: () => [{ version: 2, rules: '00'.repeat(32) }, {}] }, {}],
    ['without the text of its witnesses is broken', { without: ['policy'] }, { 'open.policy': 'broken' }],
    ['whose witnesses are no policy is broken', { policyText: 'no policy\n' }, { 'open.policy': 'broken' }],
    ['a second before its close passes', { open: ({ close }) => ({ time: close - 1 }) }, {}],
    ['at its close fails', { open: ({ close }) => ({ time: close }) }, { 'open.times': 'fail' }],
    ['with one source of the rate fails', { open: { sources: ['a.example'] } }, { 'open.times': 'fail' }],
    ['with one source twice fails', { open: { sources: ['a.example', 'a.example'] } }, { 'open.times': 'fail' }],
    [
      'that closes a second later than its rules say fails',
      { open: ({ close }) => ({ close: close + 1 }) },
      { 'open.times': 'fail' },
    ],
    [
      'that closes less than 300 seconds before its start fails, though its rules say so',
      { rules: { closes: 299 }, open: ({ start }) => ({ close: start - 299 }) },
      { 'open.times': 'fail' },
    ],
    [
      'that starts at another time of the week than its rules say fails',
      { rules: { at: [60] } },
      { 'open.times': 'fail' },
    ],
    [
      'that starts at the second time of its rules passes',
      {
        rules: { at: [0, 3600] },
        open: ({ start, close, round }) => ({ start: start + 3600, close: close + 3600, round: round + 1200 }),
      },
      {},
    ],
    [
      'of another round than that of its start fails',
      { open: ({ round }) => ({ round: round + 1 }) },
      { 'open.round': 'fail' },
    ],
    ['on a private chain holds', { chain: {}, open: onChain() }, { 'beacon.chain': 'unknown' }],
  ])('an announcement %s', (_, difference, expected) => {
    const { opened, found } = judge(difference)
    expect(found).toEqual(expected)
    expect(opened).not.toBeNull()
  })

  it('the witnesses are unknown if their text is not here', () => {
    expect(judge({ without: ['policy'] }).opened?.policy).toBeNull()
  })

  it.each<[string, Difference, Partial<Record<CheckId, Status>>]>([
    ['the text of its rules is missing', { without: ['rules'] }, { 'open.rules': 'broken' }],
    ['its rules were announced for another game', { game: { game: 'other-game' } }, { 'open.rules': 'broken' }],
    ['its rules were announced as another version', { game: { version: 2 } }, { 'open.rules': 'broken' }],
    ['other rules were announced', { game: { rules: '00'.repeat(32) } }, { 'open.rules': 'broken' }],
    ['only the end of its game was announced', { game: { reason: 'retire' } }, { 'open.rules': 'broken' }],
    ['its rules were announced behind it', { gameAt: 11 }, { 'open.rules': 'broken' }],
    ['its rules are announced by the statement itself', { gameAt: 10 }, { 'open.rules': 'broken' }],
    ['its rules are none', { rulesText: 'fairball/rules/v2\n' }, { 'open.rules': 'fail' }],
    ['its chain is not here', { open: { chain: '00'.repeat(32) } }, { 'beacon.chain': 'broken' }],
    ['its chain has another scheme', { chain: { scheme: 'other' }, open: onChain() }, { 'beacon.chain': 'fail' }],
  ])('a draw cannot be judged if %s', (_, difference, expected) => {
    const { opened, found, checks } = judge(difference)
    expect(opened).toBeNull()
    expect(found).toEqual(expected)
    // Without rules the times cannot be judged, and without a chain the round cannot.
    const isOfRules = 'open.rules' in expected
    expect(checks.status('open.times')).toBe(isOfRules ? null : 'pass')
    expect(checks.status('open.round')).toBe(isOfRules ? 'pass' : null)
  })

  it('a draw on a private chain has that chain', () => {
    const { chain, period, genesis, name, public_key: publicKey } = chainValues()
    const { opened } = judge({ chain: {}, open: onChain() })
    expect(opened?.chain).toEqual({ name, hash: chain, publicKey, period, genesis })
  })

  it('a draw starts with its chain at the earliest', () => {
    const { open } = judge()
    const { start } = open.statement
    const at = (genesis: number) => judge({ chain: { genesis }, open: onChain({ genesis }) }).found
    expect(at(start)).toEqual({ 'beacon.chain': 'unknown' })
    expect(at(start + 1)).toEqual({ 'beacon.chain': 'unknown', 'open.round': 'fail' })
  })
})

describe('a chain of random numbers', () => {
  it.each<[string, Partial<StatementOf<'chain'>>, boolean]>([
    ['is what its hash says', {}, true],
    ['may have a period of one second', { period: 1 }, true],
    ['has a period of at least one second', { period: 0 }, false],
    ['may have the longest period', { period: 2 ** 32 - 1 }, true],
    ['has a period that 32 bits hold', { period: 2 ** 32 }, false],
    ['has the scheme of the protocol', { scheme: 'other' }, false],
    ['is not what another hash says', { chain: '00'.repeat(32) }, false],
  ])('a chain %s', (_, values, expected) => {
    expect(isChain(chainValues(values))).toBe(expected)
  })
})
