import { describe, expect, it } from 'vitest'
import { asciiBytes, fromHex, toHex } from './bytes.ts'
import { QUICKNET, roundDueAt, roundOf } from './chain.ts'
import { nobleHash, textHash } from './hash.ts'
import { FIRST_STATE } from './money.ts'
import { TEST_ORIGIN, TEST_POLICY, TEST_RULES, TestOperator } from './operator-fixture.ts'
import {
  again,
  brokenByLast,
  closedDraw,
  read,
  Reading,
  RULES_TEXT,
  settledDraw,
  soldDraw,
  statementOf,
} from './read-log-fixture.ts'
import { textsNamedBy } from './read-log.ts'
import { writeRules } from './rules.ts'
import { seedHash } from './sampler.ts'
import type { StatementOf } from './statements.ts'

/** A reader of the whole log: honest statements, breaches and doubts (section 16). */

const WEEK = 604_800
const Z = '0'.repeat(64)
const NEXT_RULES = { ...TEST_RULES, version: 2, floor: 2000 }

describe('an honest log', () => {
  it('an honest log has no faults: draws with and without plays, overlapping, postponed and void', async () => {
    const operator = new TestOperator()
    settledDraw(operator)
    const second = soldDraw(operator).draw
    const third = soldDraw(operator).draw
    operator.closeDraw(second)
    operator.closeDraw(third)
    operator.settle(second)
    operator.settle(third)
    const delayed = soldDraw(operator).draw
    await operator.postpone(delayed)
    operator.closeDraw(delayed)
    await operator.postpone(delayed)
    operator.closeDraw(delayed)
    operator.settle(delayed)
    const empty = operator.openDraw()
    operator.giveUp(empty, 'outage', null)
    const last = closedDraw(operator).draw
    operator.now = last.start + WEEK
    operator.giveUp(last, 'beacon')
    const { faults, reader } = read(operator)
    expect(faults).toEqual([])
    expect(reader.size).toBe(operator.statements.length)
    expect(reader.time).toBe(operator.now)
    expect(reader.draws.map(({ end }) => end?.statement.type)).toEqual([
      'result',
      'result',
      'result',
      'result',
      'void',
      'void',
    ])
  })

  it('a game needs the text of its rules, and a draw those of its rules and policy', () => {
    const { operator } = soldDraw()
    const named = operator.statements.map(({ text }) => textsNamedBy(text))
    expect(named).toEqual([[], [textHash(RULES_TEXT)], [textHash(RULES_TEXT), textHash(TEST_POLICY)], []])
    expect(textsNamedBy('no statement')).toEqual([])
  })

  it('an honest log may change to its promised key, and to rules announced a week ahead', () => {
    const operator = new TestOperator()
    const [key, other] = [nobleHash(asciiBytes('key')), nobleHash(asciiBytes('other'))]
    const log = statementOf(operator, 'log')
    operator.statements.length = 0
    const honest = new TestOperator()
    const first = log.text.replace(log.statement.next, toHex(nobleHash(key)))
    const changed = `fairball/key/v2\nlog ${TEST_ORIGIN}\ntime ${honest.now}\nkey ${toHex(key)}\nnext ${toHex(nobleHash(other))}\n`
    const rules = writeRules(NEXT_RULES)
    const game = `fairball/game/v2\nlog ${TEST_ORIGIN}\ntime ${honest.now}\ngame test-game\nversion 2\nrules ${textHash(rules)}\nfrom ${honest.now + WEEK}\nreason prizes\npot_to none\n`
    const reading = new Reading([first, honest.statements[1]?.text ?? '', changed, game], [rules])
    expect(reading.faults).toEqual([])
    expect(reading.reader.keys.map(({ index }) => index)).toEqual([0, 2])
  })
})

describe('the log itself', () => {
  const honest = () => soldDraw().operator.statements.map(({ text }) => text)

  it.each<[string, (texts: string[]) => string[], string]>([
    ['does not begin with its key', (texts) => texts.slice(1), 'log.keys'],
    [
      'begins a second time',
      (texts) => [...texts, (texts[0] ?? '').replace(/^time \d+/m, 'time 1800000000')],
      'log.keys',
    ],
    ['has a leaf that is not a statement', (texts) => [...texts, 'hello\n'], 'log.statement'],
    ['has a leaf with invalid characters', (texts) => [...texts, 'fairball/paid/v2\né\n'], 'log.statement'],
    ['has a duplicate statement', (texts) => [...texts, texts.at(-1) ?? ''], 'log.twice'],
    [
      'has a statement of another log',
      (texts) => [...texts, (texts[1] ?? '').replace('test.example', 'x.example')],
      'log.member',
    ],
    [
      'goes back in time',
      (texts) => [
        ...texts,
        'fairball/paid/v2\nlog test.example/fairball\ntime 1700000000\nsize 0\nroot e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n',
      ],
      'log.time',
    ],
    [
      'has a key that was not promised',
      (texts) => [
        ...texts,
        `fairball/key/v2\nlog ${TEST_ORIGIN}\ntime 1800000000\nkey ${'12'.repeat(32)}\nnext ${'13'.repeat(32)}\n`,
      ],
      'log.keys',
    ],
  ])('it is a breach if the log %s', (_, change, rule) => {
    const { faults, reader } = new Reading(change(honest()))
    expect(faults.map((fault) => fault.rule)).toContain(rule)
    expect(reader.keys.length).toBeLessThanOrEqual(1)
  })

  it('the log is read to its end after a breach, and statements that continue the breach are no faults', () => {
    const { operator, draw } = closedDraw()
    operator.settle(draw, { left: 5n })
    settledDraw(operator)
    const breaches = read(operator).faults.filter(({ grade }) => grade === 'breach')
    expect([...new Set(breaches.map(({ index }) => index))]).toEqual([5])
  })

  it('a private beacon whose chain does not match its hash is a breach', () => {
    const operator = new TestOperator()
    operator.append('chain', {
      name: 'mine',
      chain: 'ab'.repeat(32),
      public_key: QUICKNET.publicKey,
      period: 3,
      genesis: QUICKNET.genesis,
      group_hash: 'cd'.repeat(32),
      beacon_id: 'mine',
      scheme: 'bls-unchained-g1-rfc9380',
    })
    expect(brokenByLast(operator)).toEqual(['beacon.chain'])
  })
})

describe('a game', () => {
  it.each<[string, object, string[]]>([
    ['announced twice', { version: 1, reason: 'new' }, ['game.announced']],
    ['changed without notice', { version: 2, reason: 'price', from: 0 }, ['open.rules', 'open.rules']],
    ['changed to rules of another version', { version: 3, reason: 'price' }, ['open.rules']],
    ['changed back to an earlier version', { version: 1, reason: 'prizes' }, ['game.announced']],
    ['that ends without notice', { version: 2, reason: 'retire', from: 0 }, ['open.rules']],
    ['that ends without having begun', { game: 'other', version: 2, reason: 'retire' }, ['game.announced']],
  ])('a game %s is a breach', (_, changes, rules) => {
    const operator = new TestOperator()
    again(operator, statementOf(operator, 'game'), { from: operator.now + WEEK, ...changes })
    expect(brokenByLast(operator)).toEqual(rules)
  })

  it('a game that ended may not be announced again or open a draw', () => {
    const operator = new TestOperator()
    const first = statementOf(operator, 'game')
    again(operator, first, { version: 2, reason: 'retire', from: operator.now + WEEK })
    const more = new TestOperator()
    more.statements.length = 0
    more.statements.push(...operator.statements)
    again(more, first, { version: 3, reason: 'price', from: operator.now + WEEK })
    expect(brokenByLast(more)).toContain('game.announced')
    operator.now += WEEK
    operator.openDraw()
    expect(brokenByLast(operator)).toEqual(['open.rules'])
  })

  it('a game whose rules are missing is a breach', () => {
    const operator = new TestOperator()
    again(operator, statementOf(operator, 'game'), {
      game: 'other',
      rules: 'ab'.repeat(32),
    })
    expect(brokenByLast(operator)).toEqual(['open.rules'])
  })

  it('a game that ended leaves its pot to the next draw of the game it named', () => {
    /** @param isSealedAgain the other game's draw is sealed before the end of the first game, and once more after it */
    const withPot = (added: bigint, isSealedAgain = false): string[] => {
      const operator = new TestOperator()
      const draw = operator.openDraw()
      operator.closeDraw(draw, { added: 1_000_000n, pool: 1_000_000n })
      operator.settle(draw)
      const other = { ...TEST_RULES, game: 'other' }
      const seed = '07'.repeat(32)
      again(operator, statementOf(operator, 'game'), {
        game: 'other',
        rules: textHash(writeRules(other)),
        from: operator.now,
      })
      const start = Math.ceil((operator.now + 2 * WEEK + 3600 + 259_200) / WEEK) * WEEK - 259_200
      again(operator, statementOf(operator, 'game'), {
        game: 'test-game',
        version: 2,
        reason: 'retire',
        from: isSealedAgain ? start - 100 : operator.now + WEEK,
        pot_to: 'other',
      })
      operator.now += 2 * WEEK
      again(operator, statementOf(operator, 'open'), {
        game: 'other',
        draw: 1,
        start,
        close: start - 300,
        round: roundOf(QUICKNET, start),
        seedhash: toHex(seedHash(fromHex(seed))),
        rules: textHash(writeRules(other)),
      })
      const open = statementOf(operator, 'open')
      operator.now = start - 290
      again(operator, statementOf(operator, 'close'), {
        open: open.hash,
        round: open.statement.round,
        sold: Z,
        seed,
        size: 0,
        root: toHex(nobleHash()),
        lines: 0,
        stake: 0n,
        quotes: quotesOf(operator),
        added,
        pool: added,
        last: Z,
        state: { ...FIRST_STATE, closed: 1 },
      })
      if (isSealedAgain) {
        const later = start + 1800
        const round = roundOf(QUICKNET, later)
        operator.now = start - 90
        operator.append('postpone', { open: open.hash, reason: 'witness', start: later, round })
        operator.now = later - 290
        again(operator, statementOf(operator, 'close'), { round, quotes: quotesOf(operator) })
      }
      return brokenByLast(operator, [writeRules(other)])
    }
    expect(withPot(999_999n)).toEqual(['pot.arrives'])
    expect(withPot(1_000_000n)).toEqual([])
    // The first close came before the end of the other game: the next draw has the pot.
    expect(withPot(0n, true)).toEqual([])
  })
})

/** What two sources say now. */
function quotesOf({ now }: TestOperator) {
  return ['one.example', 'two.example'].map((source) => ({ source, rate: 3000, at: now }))
}

describe('payments', () => {
  const EMPTY = toHex(nobleHash())

  it('payments that grow up to the total won are honest', () => {
    const { operator, draw } = settledDraw()
    const { tier } = statementOf(operator, 'result').statement
    const won = tier.reduce((sum, { winners, each }) => sum + BigInt(winners) * each, 0n)
    operator.append('paid', { size: 0, root: EMPTY, draw: [{ open: draw.open.hash, won, paid: 0n }] })
    operator.now += 1
    operator.append('paid', { size: 1, root: 'ab'.repeat(32), draw: [{ open: draw.open.hash, won, paid: won }] })
    expect(read(operator).faults).toEqual([])
    operator.append('paid', { size: 2, root: 'ac'.repeat(32), draw: [{ open: draw.open.hash, won, paid: won - 1n }] })
    expect(brokenByLast(operator)).toEqual(['paid.grows'])
  })

  it.each<[string, (draw: string, won: bigint) => Omit<StatementOf<'paid'>, 'type' | 'log' | 'time'>, string]>([
    [
      'that state another sum as won',
      (open, won) => ({ size: 0, root: EMPTY, draw: [{ open, won: won + 1n, paid: 0n }] }),
      'paid.won',
    ],
    [
      'beyond the total won',
      (open, won) => ({ size: 1, root: EMPTY, draw: [{ open, won, paid: won + 1n }] }),
      'paid.won',
    ],
    [
      'that list a draw twice',
      (open, won) => ({
        size: 0,
        root: EMPTY,
        draw: [
          { open, won, paid: 0n },
          { open, won, paid: 0n },
        ],
      }),
      'paid.won',
    ],
    [
      'of a draw without a result',
      () => ({ size: 0, root: EMPTY, draw: [{ open: Z, won: 0n, paid: 0n }] }),
      'paid.won',
    ],
    ['whose tree does not continue the previous one', () => ({ size: 0, root: Z, draw: [] }), 'paid.grows'],
  ])('payments %s are a breach', (_, values, rule) => {
    const { operator, draw } = settledDraw()
    const { tier } = statementOf(operator, 'result').statement
    const won = tier.reduce((sum, { winners, each }) => sum + BigInt(winners) * each, 0n)
    operator.append('paid', values(draw.open.hash, won))
    expect(brokenByLast(operator)).toEqual([rule])
  })
})

describe('overdue statements', () => {
  it('a sealing is overdue ten minutes after its last moment, until the draw is postponed or void', () => {
    const { operator, draw } = soldDraw()
    const last = roundDueAt(QUICKNET, draw.round) - 60
    const { reader } = read(operator)
    expect(reader.overdue(last + 600)).toEqual([])
    expect(reader.overdue(last + 601)).toEqual([
      {
        index: draw.open.index,
        rule: 'seal.time',
        grade: 'doubt',
        text: expect.stringContaining('test-game, draw 1: ') as string,
      },
    ])
    operator.giveUp(draw, 'outage', null)
    expect(read(operator).reader.overdue(last + 601)).toEqual([])
  })

  it('a result is overdue an hour after its round was due', () => {
    const { operator, draw } = closedDraw()
    const dueAt = roundDueAt(QUICKNET, draw.round)
    expect(read(operator).reader.overdue(dueAt + 3600)).toEqual([])
    expect(
      read(operator)
        .reader.overdue(dueAt + 3601)
        .map(({ rule }) => rule),
    ).toEqual(['result.form'])
    operator.settle(draw)
    expect(read(operator).reader.overdue(dueAt + 3601)).toEqual([])
  })
})
