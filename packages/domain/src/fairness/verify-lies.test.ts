/** Fairness section 10: what an operator can say falsely although its own keys sign it, and which check says so. */
import { describe, expect, it } from 'vitest'
import { combinedRecords, recordsOf, sealedWith } from './sealed-fixture.ts'
import { fixedPlay, gameOf } from './draw-fixture.ts'
import { ENTRY_RECORD_BYTES } from './entry.ts'
import { NOBLE_HASH } from './hash.ts'
import { roundDueAt } from './chain.ts'
import { OperatorFixture } from './operator-fixture.ts'
import type { Check, Report } from './report.ts'
import { checkOf, failedIn } from './report-fixture.ts'
import { resigned, textOf } from './resigned-fixture.ts'
import { timeText } from './checks.ts'
import { type LoggedStatement, parseStatementOf, rulesText, statementHash } from './statements.ts'
import { verifyBundle } from './verify.ts'

const LOTTO = gameOf('bitcoin-lotto')
const operator = new OperatorFixture()
const draw = operator.open(1, [fixedPlay('alice', 2, LOTTO), fixedPlay('bob', 1, LOTTO)])
const closeHash = operator.settle(draw)
const bundle = operator.bundle(draw)
const open = operator.openOf(draw)
const close = parseStatementOf('close', operator.textOf(closeHash))
const result = parseStatementOf('result', textOf(operator.notes.at(-1) ?? ''))
const dueAt = roundDueAt(open.round, operator.chain)

/** The report of the draw where the operator changed statements of one kind and signed everything anew. */
function lied<K extends LoggedStatement['type']>(
  type: K,
  change: Partial<Extract<LoggedStatement, { type: K }>>,
  more: object = {},
): Report {
  const log = resigned(bundle.log, operator, (one) => (one.type === type ? { ...one, ...change } : one))
  return verifyBundle({ ...bundle, log, ...more })
}

function failedCheck(report: Report, id: string): string {
  expect(failedIn(report), id).toContain(id)
  return checkOf(report, id).detail
}

describe('the opening of a draw', () => {
  it('stands in the log once', () => {
    const twice = new OperatorFixture()
    const first = twice.open(1, [])
    twice.open(1, [], { seed: new Uint8Array(32) })
    expect(failedCheck(verifyBundle(twice.bundle(first)), 'open.once')).toContain('2 times')
  })

  it('comes before its sales close', () => {
    const openedAt = (time: number): Report => {
      const late = new OperatorFixture()
      return verifyBundle(late.bundle(late.open(1, [], { time })))
    }
    expect(failedCheck(openedAt(open.close), 'open.once')).toContain('sales had closed')
    expect(checkOf(openedAt(open.close - 1), 'open.once')).toMatchObject({
      outcome: 'passed',
      detail: 'It was opened 1 s before its sales closed.',
    })
  })

  it('is of the game and the number that it is looked for by', () => {
    const other = new OperatorFixture()
    const hero = other.open(1, [], { game: 'bitcoin-hero' })
    other.open(2, [])
    const report = verifyBundle(other.bundle(hero, { game: 'bitcoin-lotto' }))
    expect(failedIn(report)).toEqual(['open.once'])
    expect(report.steps[1]?.checks[0]?.detail).toBe('The log does not open this draw.')
  })
})

describe('a draw that the log does not open', () => {
  it('is asked the same in the same words, as far as anything can be asked', () => {
    const titles = new Map(
      verifyBundle(bundle).steps.flatMap(({ checks }) => checks.map(({ id, title }) => [id, title])),
    )
    const report = verifyBundle({ ...bundle, draw: 9 })
    const asked = report.steps.slice(1).flatMap(({ checks }) => checks.map(({ id, title }) => ({ id, title })))
    expect(asked.map(({ id }) => id)).toEqual(
      'open.once close.found beacon.signature numbers.derived prizes.tiers receipts.found'.split(' '),
    )
    const own = { key: null, username: 'alice', sights: [], receipts: [operator.receipt(draw, 0, null)] }
    titles.set('receipts.found', checkOf(verifyBundle(bundle, { own }), 'receipts.found').title)
    for (const { id, title } of asked) expect(title, id).toBe(titles.get(id))
  })
})

describe('the hash functions of the platform', () => {
  it('are used for all of it', () => {
    const asked: number[] = []
    const counting = {
      sha256: (bytes: Uint8Array) => {
        asked.push(bytes.length)
        return NOBLE_HASH.sha256(bytes)
      },
      hmac: NOBLE_HASH.hmac,
    }
    expect(verifyBundle(bundle, { hash: counting })).toEqual(verifyBundle(bundle))
    for (const note of bundle.log) expect(asked).toContain(textOf(note).length)
    expect(failedIn(verifyBundle(bundle, { hash: { ...NOBLE_HASH, sha256: () => new Uint8Array(32) } }))).toEqual([
      'log.chain',
    ])
  })
})

describe('the chain of a draw', () => {
  it('is one that the log described before', () => {
    expect(failedCheck(lied('open', { chain: 'ab'.repeat(32) }), 'open.chain')).toContain('no such chain before')
    const late = new OperatorFixture()
    const [chain] = late.notes.slice(1)
    const lateDraw = late.open(1, [])
    const log = [late.notes[0] ?? '', late.notes[2] ?? '', chain ?? '']
    // The same statements in the other order, numbered and signed anew.
    let seq = 0
    const swapped = resigned(log, late, (one) => ({
      ...one,
      seq: seq++,
      time: one.type === 'chain' ? open.time : one.time,
    }))
    const report = verifyBundle({ ...late.bundle(lateDraw), log: swapped })
    expect(failedIn(report)).toContain('open.chain')
    expect(checkOf(report, 'open.round')).toMatchObject({ outcome: 'unchecked' })
  })

  it('has the hash that follows from its values, and the only scheme', () => {
    expect(failedCheck(lied('chain', { group_hash: 'ab'.repeat(32) }), 'open.chain')).toContain('does not follow')
    expect(failedCheck(lied('chain', { scheme: 'pedersen-bls-chained' }), 'open.chain')).toContain('no such chain')
  })

  it('without which nothing can be told of times', () => {
    const report = lied('open', { chain: 'ab'.repeat(32) })
    expect(failedIn(report)).toContain('open.chain')
    for (const id of ['open.round', 'close.time', 'close.seen', 'beacon.signature', 'beacon.public', 'numbers.result'])
      expect(checkOf(report, id).outcome, id).toBe('unchecked')
    expect(report).toMatchObject({ derivation: null, tiers: null, isPublicBeacon: null, isSeen: false })
  })
})

describe('the round of a draw', () => {
  it('is the first due at or after its start', () => {
    for (const step of [-1n, 1n]) {
      const detail = failedCheck(lied('open', { round: open.round + step }), 'open.round')
      expect(detail).toBe(`The first round due at or after the start is ${open.round}, not ${open.round + step}.`)
    }
    const early = operator.chain.genesisAt - 1
    const report = lied('open', { start: early, close: early - 600, time: early - 1000 })
    expect(failedCheck(report, 'open.round')).toContain('before the first round')
  })
})

describe('the rules of a draw', () => {
  const named = (rules: string): Report => lied('open', { rules: statementHash(rules) }, { rules })

  it('have the hash that was named', () => {
    const report = verifyBundle({ ...bundle, rules: rulesText(gameOf('bitcoin-hero')) })
    expect(failedIn(report)).toEqual(['open.rules'])
    expect(checkOf(report, 'open.rules').detail).toBe('The rules in hand have another hash.')
    expect(checkOf(report, 'prizes.tiers')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The rules are not those that were named.',
    })
    expect(checkOf(report, 'prizes.rate').outcome).toBe('unchecked')
    expect(failedIn(verifyBundle({ ...bundle, rules: 'ö' }))).toEqual(['open.rules'])
  })

  it('are rules', () => {
    expect(failedCheck(named('no rules\n'), 'open.rules')).toContain('not the rules of a game')
    expect(failedCheck(named(operator.textOf(closeHash)), 'open.rules')).toContain('not the rules of a game')
  })

  it('are those of the game, its line and its pool', () => {
    const shapes = [gameOf('bitcoin-hero'), { ...LOTTO, pick: 5 }, { ...LOTTO, pool: 48 }]
    for (const game of shapes) expect(failedCheck(named(rulesText(game)), 'open.rules')).toContain('another game')
    expect(failedIn(named(rulesText({ ...LOTTO, key: 'super-game' })))).toContain('open.rules')
    expect(checkOf(named(rulesText({ ...LOTTO, priceMinor: 1 })), 'open.rules').outcome).toBe('passed')
  })
})

describe('the receipts of a draw', () => {
  it('are not older than its opening', () => {
    const withReceipts = (...times: number[]): Check => {
      const receipts = times.map((time) => operator.receipt(draw, 0, null, time))
      const own = { key: null, username: 'alice', sights: [], receipts }
      return checkOf(verifyBundle(bundle, { own }), 'open.receipts')
    }
    expect(withReceipts()).toMatchObject({ outcome: 'unchecked' })
    expect(withReceipts(open.time)).toMatchObject({ outcome: 'passed', detail: '1 receipt is here, younger than it.' })
    expect(withReceipts(open.time, open.time + 1).detail).toBe('2 receipts are here, younger than it.')
    expect(withReceipts(open.time - 1, open.time)).toMatchObject({
      outcome: 'failed',
      detail: '1 receipt is older than the statement that opened the draw.',
    })
  })

  it('of another draw say nothing of its opening', () => {
    const two = new OperatorFixture()
    const [other, later] = [two.open(1, [fixedPlay('alice', 1, LOTTO)]), two.open(2, [], { time: open.time + 5000 })]
    const own = { key: null, username: 'alice', sights: [], receipts: [two.receipt(other, 0, null)] }
    expect(checkOf(verifyBundle(two.bundle(later), { own }), 'open.receipts').outcome).toBe('unchecked')
  })
})

describe('the seal of a draw', () => {
  const sealedAt = (time: number): Report => {
    const one = new OperatorFixture()
    const its = one.open(1, [fixedPlay('alice', 1, LOTTO)])
    one.close(its, { time })
    return verifyBundle(one.bundle(its))
  }

  it('is made after its sales, and a minute before its round', () => {
    expect(failedCheck(sealedAt(open.close - 1), 'close.time')).toContain('while sales were open')
    expect(checkOf(sealedAt(open.close), 'close.time').outcome).toBe('passed')
    expect(checkOf(sealedAt(dueAt - 60), 'close.time')).toMatchObject({
      outcome: 'passed',
      detail: 'It was sealed 60 s before its round was due.',
    })
    expect(failedCheck(sealedAt(dueAt - 59), 'close.time')).toContain('too late for a round due')
  })

  it('names the round in force', () => {
    const round = open.round + 20n
    const report = lied('close', { round })
    expect(failedCheck(report, 'close.time')).toBe(`It names round ${round}; round ${open.round} was in force.`)
    expect(checkOf(report, 'numbers.derived')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The seal names another round.',
    })
  })

  it('is not there yet, or not here', () => {
    const one = new OperatorFixture()
    const its = one.open(1, [])
    const found = (nowAt: number | null): string =>
      checkOf(verifyBundle(one.bundle(its), { nowAt }), 'close.found').detail
    expect(found(open.close - 1)).toMatch(/^Sales are open until /)
    expect(found(open.close)).toMatch(/^Sales closed .* does not hold the seal yet/)
    expect(found(null)).toMatch(/^Sales closed /)
  })
})

describe('the entries of a seal', () => {
  const records = recordsOf(draw.entriesBytes)
  /** The checks that fail where an operator seals such entries, and settles by them. */
  const failing = (changed: readonly Uint8Array[], counts: { entries?: number; free?: number } = {}): string[] =>
    failedIn(verifyBundle(sealedWith(bundle, operator, combinedRecords(changed), counts)))
  const changedAt = (place: number, byte: number, value: number): Uint8Array[] =>
    records.map((record, index) => (index === place ? record.with(byte, value) : record))

  it('may be sealed as they are', () => {
    expect(failing(records)).toEqual([])
  })

  it('ascend strictly', () => {
    const [one, two, three] = records as [Uint8Array, Uint8Array, Uint8Array]
    expect(failing([one, three, two])).toEqual(['close.order'])
    expect(failing([two, one, three])).toEqual(['close.order'])
    expect(failing([one, two, two])).toEqual(['close.order'])
    const report = verifyBundle(sealedWith(bundle, operator, combinedRecords([one, three, two]), {}))
    expect(checkOf(report, 'close.order').detail).toBe('Entry 2 is not above the one before it.')
  })

  it('are paid or free', () => {
    const report = verifyBundle(sealedWith(bundle, operator, combinedRecords(changedAt(1, 16, 2)), {}))
    expect(failedIn(report)).toEqual(['close.order'])
    expect(checkOf(report, 'close.order').detail).toBe('Entry 1 is neither paid nor free.')
  })

  it('are as many as the seal says, and as many of them free', () => {
    expect(failing(records, { entries: 4 })).toEqual(['close.count'])
    expect(failing(records, { entries: 2 })).toEqual(['close.count'])
    expect(failing(records, { free: 1 })).toContain('close.count')
    expect(failing(changedAt(0, 16, 1), { free: 0 })).toEqual(['close.count'])
    expect(failing(changedAt(0, 16, 1), { free: 1 })).toEqual(['prizes.free'])
    const cut = verifyBundle({ ...bundle, entries: draw.entriesBytes.subarray(0, -1) })
    expect(failedCheck(cut, 'close.count')).toBe('They do not end with a whole entry.')
    expect(checkOf(cut, 'prizes.tiers').outcome).toBe('unchecked')
    const more = combinedRecords([...records, new Uint8Array(ENTRY_RECORD_BYTES - 1)])
    expect(failedIn(verifyBundle({ ...bundle, entries: more }))).toEqual(['close.count'])
  })

  it('are lines of the game', () => {
    const withMask = (mask: bigint): Uint8Array[] => {
      const record = records[1]?.slice() ?? new Uint8Array(ENTRY_RECORD_BYTES)
      new DataView(record.buffer).setBigUint64(17, mask)
      return records.with(1, record)
    }
    expect(failing(withMask(0b11_1111n))).toEqual([])
    expect(failing(withMask(0b1_1111n | (1n << 48n)))).toEqual([])
    expect(failing(withMask(0b1_1111n))).toEqual(['close.lines'])
    expect(failing(withMask(0b111_1111n))).toEqual(['close.lines'])
    expect(failing(withMask(0b1_1111n | (1n << 49n)))).toEqual(['close.lines'])
    const report = verifyBundle(sealedWith(bundle, operator, combinedRecords(withMask(0n)), {}))
    expect(checkOf(report, 'close.lines').detail).toBe('Entry 1 is no such line.')
  })

  it('are those of the root', () => {
    const report = lied('close', { root: 'ab'.repeat(32) })
    expect(failedCheck(report, 'close.root')).toContain('not those that were sealed')
    expect(checkOf(report, 'prizes.tiers').outcome).toBe('unchecked')
  })
})

describe('the signature of the round', () => {
  it('is of the round in force, and valid, wherever it stands', () => {
    const said = (round: bigint, signature: string): Report => verifyBundle({ ...bundle, beacon: { round, signature } })
    const other = operator.signatureOf(open.round + 1n)
    expect(failedCheck(said(open.round + 1n, other), 'beacon.signature')).toContain(`of round ${open.round + 1n};`)
    const invalid = said(open.round, other)
    expect(failedCheck(invalid, 'beacon.signature')).toContain('not the valid one')
    expect(invalid.derivation).toBeNull()
    expect(checkOf(invalid, 'numbers.derived').detail).toBe('No valid signature of the round is in hand.')
    const inResult = lied('result', { signature: other })
    expect(failedIn(inResult)).toEqual(['beacon.signature'])
    expect(failedIn(lied('result', { signature: other }, { beacon: null }))).toEqual(['beacon.signature'])
  })

  it('may be missing, and then nothing follows', () => {
    const report = verifyBundle({ ...bundle, beacon: null, log: bundle.log.slice(0, -1) })
    expect(checkOf(report, 'beacon.signature')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The signature of the round is not here: it may not have been given yet.',
    })
    expect(report.derivation).toBeNull()
    const inResult = verifyBundle({ ...bundle, beacon: null })
    expect(inResult.outcome).toBe('passed')
    expect(inResult.derivation?.signature).toBe(result.signature)
  })
})

describe('the result of a draw', () => {
  it('is one, made when the round was due or later, and names the seal', () => {
    const made = (times: number[]): Report => {
      const one = new OperatorFixture()
      const its = one.open(1, [fixedPlay('alice', 1, LOTTO)])
      const hash = one.close(its)
      for (const time of times) one.result(its, hash, { time })
      return verifyBundle(one.bundle(its))
    }
    expect(made([dueAt]).outcome).toBe('passed')
    expect(failedCheck(made([dueAt - 1]), 'numbers.result')).toContain('made before the round was due')
    expect(failedCheck(made([dueAt + 10, dueAt + 20]), 'numbers.result')).toBe('The log holds 2 results of this draw.')
    expect(checkOf(made([]), 'numbers.result')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The result is not in the log yet.',
    })
  })

  it('has the numbers that follow, in their order', () => {
    const [first = 0, second = 0, ...rest] = result.numbers
    expect(failedIn(lied('result', { numbers: [second, first, ...rest] }))).toEqual(['numbers.derived'])
    expect(failedIn(lied('result', { numbers: rest }))).toEqual(['numbers.derived'])
  })

  it('pays what the rules, the entries and the seal give', () => {
    const [top, next, ...rest] = result.tiers
    if (top === undefined || next === undefined) throw new Error('the game has several tiers')
    const wrong: [string, typeof result.tiers][] = [
      ['other prize tiers', [top, ...rest]],
      ['other prize tiers', [top, { ...next, kind: 'free' }, ...rest]],
      ['other prize tiers', [{ ...top, matches: 7 }, next, ...rest]],
      [`${next.matches} matches; the result says 1`, [top, { ...next, winners: 1 }, ...rest]],
      [`pay ${next.satsEach} satoshis each`, [top, { ...next, satsEach: next.satsEach + 1n }, ...rest]],
    ]
    for (const [detail, tiers] of wrong) {
      const report = lied('result', { tiers })
      expect(failedIn(report), detail).toEqual(['prizes.tiers'])
      expect(checkOf(report, 'prizes.tiers').detail).toContain(detail)
    }
  })

  it('was turned into bitcoin at a rate of the currency of the rules', () => {
    const other = lied('close', { rate: { currency: 'EUR', amount: close.rate.amount } })
    expect(failedCheck(other, 'prizes.rate')).toContain('another currency')
    const zero = lied('close', { rate: { currency: 'GBP', amount: 0n } })
    expect(failedCheck(zero, 'prizes.rate')).toBe('The rate in the seal is zero.')
    expect(checkOf(zero, 'prizes.tiers')).toMatchObject({
      outcome: 'unchecked',
      detail: expect.stringContaining('rate is zero'),
    })
    const unsealed = new OperatorFixture()
    const report = verifyBundle(unsealed.bundle(unsealed.open(1, [])))
    expect(checkOf(report, 'prizes.rate')).toMatchObject({ outcome: 'unchecked', detail: 'The draw was not sealed.' })
    expect(checkOf(report, 'prizes.free')).toMatchObject({
      outcome: 'unchecked',
      detail: 'No draw of this game was sealed.',
    })
    expect(checkOf(report, 'prizes.tiers').detail).toBe('The numbers are not known.')
  })
})

describe('free tickets', () => {
  it('are told as used and won, and a second result of a draw wins none again', () => {
    const one = new OperatorFixture()
    const first = one.open(1, [fixedPlay('alice', 30, LOTTO)])
    const hash = one.settle(first)
    const won = parseStatementOf('result', textOf(one.notes.at(-1) ?? '')).tiers.find(({ kind }) => kind === 'free')
    const count = won?.winners ?? 0
    expect(count).toBeGreaterThan(0)
    one.result(first, hash)
    const second = one.open(2, [{ ...fixedPlay('bob', 30, LOTTO), free: count + 1 }])
    one.close(second)
    const seq = one.notes.length - 1
    const report = verifyBundle(one.bundle(second))
    expect(failedCheck(report, 'prizes.free')).toBe(
      `At statement ${seq}, ${count + 1} free tickets had been used, and ${count} had been won.`,
    )
  })

  it('all of which were used are no fault', () => {
    const one = new OperatorFixture()
    one.settle(one.open(1, [fixedPlay('alice', 30, LOTTO)]))
    const tiers = parseStatementOf('result', textOf(one.notes.at(-1) ?? '')).tiers
    const count = tiers.find(({ kind }) => kind === 'free')?.winners ?? 0
    const second = one.open(2, [{ ...fixedPlay('bob', 30, LOTTO), free: count }])
    one.close(second)
    expect(checkOf(verifyBundle(one.bundle(second)), 'prizes.free')).toMatchObject({
      outcome: 'passed',
      detail: `${count} were used, ${count} were won.`,
    })
  })
})

describe('a log that breaks off', () => {
  const broken = (place: number, change: (note: string) => string): Report =>
    verifyBundle({ ...bundle, log: bundle.log.map((note, at) => (at === place ? change(note) : note)) })

  it.each([
    ['log.readable', 'form', () => 'no note'],
    ['log.signatures', 'signature', (note: string) => note.replace('entries 3', 'entries 4')],
  ])('fails %s and leaves the others unchecked', (id, _, change) => {
    const report = broken(3, change)
    expect(failedIn(report)).toEqual([id])
    expect(checkOf(report, id).detail).toMatch(/^Statement 3 is not /)
    for (const other of ['log.readable', 'log.signatures', 'log.chain', 'log.seeds'].filter((one) => one !== id)) {
      expect(checkOf(report, other)).toMatchObject({
        outcome: 'unchecked',
        detail: 'The log holds up to statement 3, which fails another check; nothing after it counts.',
      })
    }
    expect(checkOf(report, 'log.readable').inputs[0]).toEqual({ name: 'statements verified', value: '3' })
  })

  it('fails the chain where a statement is missing, and the seeds where one comes twice', () => {
    const gap = verifyBundle({ ...bundle, log: bundle.log.toSpliced(1, 1) })
    expect(failedIn(gap)).toEqual(['log.chain'])
    expect(checkOf(gap, 'open.once').detail).toContain('holds up to statement 1')
    const one = new OperatorFixture()
    const first = one.open(1, [])
    one.open(2, [], { seed: first.seed })
    expect(failedIn(verifyBundle(one.bundle(first)))).toEqual(['log.seeds'])
  })

  it('before its first statement has neither an operator nor a key', () => {
    for (const log of [[], ['no note']]) {
      const report = verifyBundle({ ...bundle, log })
      expect(report).toMatchObject({ operator: '', fingerprint: '', state: 'open', outcome: 'failed' })
      expect(checkOf(report, 'log.key')).toMatchObject({
        outcome: 'unchecked',
        detail: 'The log gives no key that holds.',
      })
      expect(checkOf(report, 'log.key').inputs).toEqual([])
    }
    expect(checkOf(verifyBundle({ ...bundle, log: [] }), 'log.chain').detail).toBe('There is not a single statement.')
  })
})

describe('a report shows what went into each check', () => {
  const own = {
    key: 'ab'.repeat(32),
    username: 'alice',
    sights: [{ hash: closeHash, seenAt: open.close + 9 }],
    receipts: [operator.receipt(draw, 0, closeHash)],
  }
  const seen = operator.bundle(draw, { own: { ...own, sights: [...own.sights, { hash: 'cd'.repeat(32), seenAt: 5 }] } })
  const reported = (): Report => verifyBundle(seen, { own })
  const valuesIn =
    (report: Report) =>
    (id: string): Record<string, string> =>
      Object.fromEntries(checkOf(report, id).inputs.map(({ name, value }) => [name, value]))

  it('of the log', () => {
    const report = reported()
    const valuesOf = valuesIn(report)
    const values = {
      'statements verified': '5',
      operator: 'lottery.example',
      'first statement, made': timeText(open.time),
      'newest statement, made': timeText(result.time),
      'hash of the newest statement': statementHash(textOf(operator.notes.at(-1) ?? '')),
    }
    for (const id of ['log.readable', 'log.signatures', 'log.chain', 'log.seeds']) expect(valuesOf(id)).toEqual(values)
    expect(valuesOf('log.key')).toEqual({
      'first key': report.fingerprint === '' ? '' : valuesOf('log.key')['key in force'],
      'fingerprint (SHA-256 of the first key)': report.fingerprint,
      'key on record': own.key,
      'changes of the key': '0',
      'key in force': expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(valuesOf('log.fork')).toEqual({
      [`seen ${timeText(open.close + 9)}`]: closeHash,
      [`seen, as the file says, ${timeText(5)}`]: 'cd'.repeat(32),
    })
  })

  it('of the opening', () => {
    const report = reported()
    const valuesOf = valuesIn(report)
    expect(valuesOf('open.once')).toEqual({
      'open hash (identity of the draw)': draw.openHash,
      'number in the log': '2',
      opened: timeText(open.time),
      'sales close': timeText(open.close),
      'draw starts': timeText(open.start),
      'seed hash': open.seedhash,
      'numbers drawn': '6 of 49',
    })
    expect(valuesOf('open.chain')).toEqual({
      'chain hash': operator.chain.hash,
      name: 'local',
      'public key': operator.chain.publicKey,
      'seconds a round': '3',
      'first round due': timeText(operator.chain.genesisAt),
    })
    expect(valuesOf('open.round')).toEqual({
      'draw starts': timeText(open.start),
      round: String(open.round),
      'round due': timeText(dueAt),
    })
    expect(valuesOf('open.rules')).toEqual({ 'rules hash': open.rules })
  })

  it('of the seal and its entries', () => {
    const report = reported()
    const valuesOf = valuesIn(report)
    expect(valuesOf('close.found')).toEqual({
      'close hash': closeHash,
      'number in the log': '3',
      sealed: timeText(close.time),
    })
    expect(valuesOf('close.time')).toEqual({
      'sales closed': timeText(open.close),
      sealed: timeText(close.time),
      round: String(open.round),
      'round due': timeText(dueAt),
    })
    expect(valuesOf('close.seed')).toEqual({
      seed: close.seed,
      'its hash': open.seedhash,
      'seed hash when opened': open.seedhash,
    })
    expect(valuesOf('close.count')).toEqual({
      'entries sealed': '3',
      'free entries sealed': '0',
      'entries here': '3',
    })
    expect(valuesOf('close.root')).toEqual({ 'root in the seal': close.root, 'root of these entries': close.root })
    expect(valuesOf('close.seen')).toEqual({
      'close hash': closeHash,
      'first seen': timeText(open.close + 9),
      'first seen, as the file says': timeText(open.close + 9),
      'round due': timeText(dueAt),
      'signed by': '0 witnesses',
    })
  })

  it('of the beacon, the numbers, the prizes and the receipts', () => {
    const report = reported()
    const valuesOf = valuesIn(report)
    expect(valuesOf('beacon.signature')).toEqual({
      chain: `local (${operator.chain.hash})`,
      'public key': operator.chain.publicKey,
      round: String(open.round),
      'round due': timeText(dueAt),
      signature: result.signature,
      'randomness (SHA-256 of the signature)': report.derivation?.randomness,
    })
    expect(valuesOf('numbers.derived')).toEqual({
      'numbers by this arithmetic': result.numbers.join(', '),
      'numbers in the result': result.numbers.join(', '),
      'key of the draw': report.derivation?.key,
    })
    expect(valuesOf('numbers.result')).toEqual({
      'result hash': statementHash(textOf(operator.notes.at(-1) ?? '')),
      'result made': timeText(result.time),
    })
    const prizes = checkOf(report, 'prizes.tiers').inputs.map(({ name, value }) => `${name}: ${value}`)
    const tierOf = (where: string): string[] => [
      `6 matches, ${where}: 0 × 0 satoshis (jackpot)`,
      `5 matches, ${where}: 0 × 6000000 satoshis`,
      `4 matches, ${where}: 0 × 120000 satoshis`,
      `3 matches, ${where}: 0 × 12000 satoshis`,
      `2 matches, ${where}: ${result.tiers[4]?.winners} × free ticket`,
    ]
    expect(prizes).toEqual([...tierOf('by this arithmetic'), ...tierOf('in the result')])
    expect(valuesOf('prizes.rate')).toEqual({ 'satoshis per unit': 'GBP 1200', 'currency of the rules': 'GBP' })
    expect(valuesOf('receipts.owner')).toEqual({ 'your username': 'alice' })
    expect(valuesOf('receipts.sealed')).toEqual({ 'root in the seal': close.root })
    expect(checkOf(report, 'receipts.found').inputs.length).toBeGreaterThan(0)
  })

  it('of a draw that is not sealed, or whose chain is not known, as far as it goes', () => {
    const one = new OperatorFixture()
    const its = one.open(1, [])
    const unsealed = valuesIn(verifyBundle(one.bundle(its)))
    expect(unsealed('numbers.derived')).toEqual({})
    expect(unsealed('numbers.result')).toEqual({})
    expect(unsealed('prizes.tiers')).toEqual({})
    expect(unsealed('prizes.rate')).toEqual({ 'currency of the rules': 'GBP' })
    const unknown = valuesIn(lied('open', { chain: 'ab'.repeat(32) }))
    expect(unknown('open.chain')).toEqual({ 'chain hash': 'ab'.repeat(32) })
    expect(unknown('open.round')).toEqual({ 'draw starts': timeText(open.start), round: String(open.round) })
    expect(Object.keys(unknown('close.time'))).toEqual(['sales closed', 'sealed', 'round'])
    expect(Object.keys(unknown('close.seen'))).toEqual(['close hash', 'signed by'])
    expect(unknown('beacon.signature')).toEqual({ chain: 'ab'.repeat(32), round: String(open.round) })
    const bare = valuesIn(verifyBundle({ ...bundle, entries: null, rules: '' }))
    expect(Object.keys(bare('close.count'))).toEqual(['entries sealed', 'free entries sealed'])
    expect(bare('close.root')).toEqual({ 'root in the seal': close.root })
    expect(bare('prizes.rate')).toEqual({ 'satoshis per unit': 'GBP 1200' })
    expect(bare('log.fork')).toEqual({})
  })
})
