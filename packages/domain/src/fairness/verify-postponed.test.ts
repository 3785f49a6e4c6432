/** Fairness section 9: when a draw may be postponed or called void, and what a verifier says where it was not so. */
import { describe, expect, it } from 'vitest'
import { fixedPlay, gameOf } from './draw-fixture.ts'
import { roundDueAt, roundOf } from './chain.ts'
import { type OpenFixture, OperatorFixture, WitnessFixture } from './operator-fixture.ts'
import { checkOf } from './report-fixture.ts'
import { resigned } from './resigned-fixture.ts'
import { verifyBundle } from './verify.ts'

const LOTTO = gameOf('bitcoin-lotto')
const WEEK = 7 * 86_400
const witness = new WitnessFixture('one.example')
const witnessed: OpenFixture = {
  witness: { required: 1, list: [{ name: witness.name, publicKey: witness.publicKey }] },
}

function opened(options: OpenFixture = {}, lines = 1) {
  const operator = new OperatorFixture()
  const draw = operator.open(1, lines === 0 ? [] : [fixedPlay('alice', lines, LOTTO)], options)
  const open = operator.openOf(draw)
  const dueAt = roundDueAt(open.round, operator.chain)
  /** Postpones it, by the rules where nothing else is said. */
  const postpone = (
    time: number,
    change: { reason?: 'outage' | 'witness'; later?: number; round?: (round: bigint) => bigint } = {},
  ): bigint => {
    const { reason = 'outage', later = 0, round: changed = (round) => round } = change
    const start = Math.ceil((time + 900) / 60) * 60 + later
    const round = changed(roundOf(start, operator.chain))
    operator.append({ type: 'postpone', open: draw.openHash, reason, start, round }, time)
    return round
  }
  const endVoid = (reason: 'beacon' | 'outage', time: number) =>
    operator.append({ type: 'void', open: draw.openHash, reason }, time)
  const found = (id: string) => checkOf(verifyBundle(operator.bundle(draw, { beacon: null })), id)
  return { operator, draw, open, dueAt, postpone, endVoid, found }
}

describe('a draw that was not sealed in time', () => {
  it('may be postponed from a minute before its round on, not before', () => {
    for (const [before, outcome] of [
      [60, 'failed'],
      [59, 'passed'],
      [-3600, 'passed'],
    ] as const) {
      const { dueAt, postpone, found } = opened()
      postpone(dueAt - before)
      expect(found('open.postponed').outcome, String(before)).toBe(outcome)
    }
  })

  it('starts a quarter of an hour later at the earliest, at a whole minute', () => {
    for (const [later, outcome] of [
      [0, 'passed'],
      [60, 'passed'],
      [-60, 'failed'],
      [1, 'failed'],
      [30, 'failed'],
    ] as const) {
      const { dueAt, postpone, found } = opened()
      postpone(dueAt, { later })
      expect(found('open.postponed').outcome, String(later)).toBe(outcome)
      if (outcome === 'failed') expect(found('open.postponed').detail).toContain('is not a whole minute at least 15')
    }
  })

  it('gets the first round due at its new start', () => {
    for (const step of [-1n, 1n]) {
      const { dueAt, postpone, found } = opened()
      const round = postpone(dueAt, { round: (right) => right + step })
      expect(found('open.postponed').outcome).toBe('failed')
      expect(found('open.postponed').detail).toContain(`is ${round - step}, not ${round}`)
    }
  })

  it('may be postponed twice', () => {
    const { operator, dueAt, postpone, found } = opened()
    const first = postpone(dueAt)
    expect(found('open.postponed')).toMatchObject({ outcome: 'passed', detail: expect.stringContaining('1 time,') })
    const second = postpone(roundDueAt(first, operator.chain))
    expect(found('open.postponed')).toMatchObject({ outcome: 'passed', detail: expect.stringContaining('2 times,') })
    postpone(roundDueAt(second, operator.chain))
    expect(found('open.postponed')).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('3 times') })
  })

  it('may be postponed a second time only once its new round is missed as well', () => {
    const { dueAt, postpone, found } = opened()
    postpone(dueAt)
    postpone(dueAt + 60)
    expect(found('open.postponed')).toMatchObject({
      outcome: 'failed',
      detail: 'It could still have been sealed in time then.',
    })
  })

  it('is sealed for its new round, in time for that', () => {
    const { operator, draw, open, dueAt, postpone } = opened()
    const round = postpone(dueAt)
    const closeHash = operator.close(draw, { round, time: dueAt + 5 })
    operator.result(draw, closeHash, { time: roundDueAt(round, operator.chain) + 10 })
    const report = verifyBundle(operator.bundle(draw))
    expect(report.outcome).toBe('passed')
    expect(checkOf(report, 'open.postponed').inputs.map(({ name }) => name)).toEqual([
      'postponed',
      'reason',
      'new start',
      'new round',
    ])
    const stale = opened()
    stale.postpone(stale.dueAt)
    stale.operator.close(stale.draw, { round: open.round, time: stale.dueAt + 5 })
    expect(stale.found('close.time')).toMatchObject({
      outcome: 'failed',
      detail: `It names round ${open.round}; round ${round} was in force.`,
    })
  })

  it('cannot be judged where its chain is not known', () => {
    const { operator, draw, dueAt, postpone } = opened()
    postpone(dueAt)
    const log = resigned(operator.notes, operator, (one) =>
      one.type === 'open' ? { ...one, chain: 'ab'.repeat(32) } : one,
    )
    const report = verifyBundle({ ...operator.bundle(draw), log })
    expect(checkOf(report, 'open.chain').outcome).toBe('failed')
    expect(checkOf(report, 'open.postponed').outcome).toBe('unchecked')
    operator.append({ type: 'void', open: draw.openHash, reason: 'outage' }, dueAt)
    const ended = resigned(operator.notes, operator, (one) =>
      one.type === 'open' ? { ...one, chain: 'ab'.repeat(32) } : one,
    )
    expect(checkOf(verifyBundle({ ...operator.bundle(draw), log: ended }), 'open.void').outcome).toBe('unchecked')
  })

  it('is not said to be postponed where it never was', () => {
    const { operator, draw } = opened()
    operator.settle(draw)
    const ids = verifyBundle(operator.bundle(draw)).steps.flatMap(({ checks }) => checks.map(({ id }) => id))
    expect(ids).not.toContain('open.postponed')
    expect(ids).not.toContain('open.void')
    expect(ids).not.toContain('close.witnesses')
  })
})

describe('a draw that was sealed', () => {
  it('is postponed for missing witnesses only, and only where it needs some', () => {
    for (const [options, reason, outcome, detail] of [
      [witnessed, 'witness', 'passed', '1 time'],
      [witnessed, 'outage', 'failed', 'although it was sealed'],
      [{}, 'outage', 'failed', 'although it was sealed'],
      [{}, 'witness', 'failed', 'needed none'],
    ] as const) {
      const { operator, draw, dueAt, postpone, found } = opened(options)
      operator.close(draw)
      postpone(dueAt - 50, { reason })
      expect(found('open.postponed')).toMatchObject({ outcome, detail: expect.stringContaining(detail) })
      expect(found('close.found')).toMatchObject({
        outcome: 'unchecked',
        detail: 'The draw was postponed after this seal, so another seal has to follow.',
      })
    }
  })

  it('before it was sealed cannot lack witnesses', () => {
    const { dueAt, postpone, found } = opened(witnessed)
    postpone(dueAt, { reason: 'witness' })
    expect(found('open.postponed')).toMatchObject({
      outcome: 'failed',
      detail: 'It was postponed for witnesses of a seal that never was.',
    })
  })

  it('is sealed again for missing witnesses with the same contents', () => {
    const { operator, draw, dueAt, postpone, found } = opened(witnessed)
    operator.close(draw)
    const round = postpone(dueAt - 50, { reason: 'witness' })
    operator.close(draw, { round, time: dueAt + 5 })
    expect(found('close.once')).toMatchObject({
      outcome: 'passed',
      detail: 'It was sealed 2 times for missing witnesses, with the same contents.',
    })
  })

  it.each([
    ['pool', { pool: 1n }],
    ['bankroll', { bankroll: 1n }],
    ['floor', { floor: 1n }],
    ['stake', { stake: 1n }],
    ['rate', { rate: { currency: 'GBP', amount: 1n } }],
    ['currency', { rate: { currency: 'EUR', amount: 1200n } }],
  ])('is not sealed again with another %s', (_, change) => {
    const { operator, draw, dueAt, postpone, found } = opened(witnessed)
    operator.close(draw)
    const round = postpone(dueAt - 50, { reason: 'witness' })
    operator.close(draw, { round, time: dueAt + 5, ...change })
    expect(found('close.once')).toMatchObject({
      outcome: 'failed',
      detail: 'A later seal of the draw has other contents.',
    })
  })

  it('is not sealed twice without missing witnesses in between', () => {
    const twice = opened(witnessed)
    twice.operator.close(twice.draw)
    twice.operator.close(twice.draw)
    expect(twice.found('close.once').outcome).toBe('failed')
    expect(twice.found('close.once').detail).toContain('no witnesses were missing in between')

    const outage = opened(witnessed)
    outage.operator.close(outage.draw)
    const round = outage.postpone(outage.dueAt - 50, { reason: 'outage' })
    outage.operator.close(outage.draw, { round, time: outage.dueAt + 5 })
    expect(outage.found('close.once').outcome).toBe('failed')

    // Postponed once, sealed three times: the second and the third have nothing between them.
    const third = opened(witnessed)
    third.operator.close(third.draw)
    const next = third.postpone(third.dueAt - 50, { reason: 'witness' })
    third.operator.close(third.draw, { round: next, time: third.dueAt + 5 })
    third.operator.close(third.draw, { round: next, time: third.dueAt + 5 })
    expect(third.found('close.once').outcome).toBe('failed')
  })

  it('with one seal says so', () => {
    const { operator, draw, found } = opened()
    operator.close(draw)
    expect(found('close.once')).toMatchObject({ outcome: 'passed', detail: 'There is one seal.' })
  })

  it('again is drawn by its last seal', () => {
    const { operator, draw, dueAt, postpone } = opened(witnessed)
    const first = operator.close(draw)
    const round = postpone(dueAt - 50, { reason: 'witness' })
    const second = operator.close(draw, { round, time: dueAt + 5 })
    const length = operator.notes.length
    for (const [closeHash, outcome] of [
      [first, 'failed'],
      [second, 'passed'],
    ] as const) {
      operator.notes.splice(length)
      const signature = operator.signatureOf(round)
      operator.result(draw, closeHash, { signature, time: roundDueAt(round, operator.chain) + 125 })
      expect(checkOf(verifyBundle(operator.bundle(draw)), 'numbers.result').outcome).toBe(outcome)
    }
  })

  it('has no numbers by a seal that has to be replaced', () => {
    const { operator, draw, open, dueAt, postpone } = opened(witnessed)
    const closeHash = operator.close(draw)
    postpone(dueAt - 50, { reason: 'witness' })
    const beacon = { round: open.round, signature: operator.signatureOf(open.round) }
    const report = verifyBundle(operator.bundle(draw, { beacon }))
    expect(report.derivation).toBeNull()
    expect(checkOf(report, 'numbers.derived').detail).toContain('another seal has to follow')
    operator.result(draw, closeHash, { time: dueAt + 2000 })
    expect(checkOf(verifyBundle(operator.bundle(draw)), 'numbers.result')).toMatchObject({
      outcome: 'failed',
      detail: 'It does not name the seal in force.',
    })
  })
})

describe('a draw called void', () => {
  it('for the beacon has waited 7 days for it', () => {
    for (const [after, outcome] of [
      [WEEK - 1, 'failed'],
      [WEEK, 'passed'],
    ] as const) {
      const { operator, draw, open, endVoid, found } = opened()
      operator.close(draw)
      endVoid('beacon', open.start + after)
      expect(found('open.void').outcome).toBe(outcome)
      expect(found('open.void').detail).toContain(outcome === 'failed' ? 'wait 7 days' : 'no signature of the round')
    }
  })

  it('waits from the start it was postponed to', () => {
    const { operator, draw, open, dueAt, postpone, endVoid, found } = opened()
    const round = postpone(dueAt)
    operator.close(draw, { round, time: dueAt + 5 })
    endVoid('beacon', open.start + WEEK)
    expect(found('open.void').outcome).toBe('failed')
  })

  it('for a beacon that has spoken since cannot be told from one in time', () => {
    const { operator, draw, open, endVoid } = opened()
    operator.close(draw)
    endVoid('beacon', open.start + WEEK)
    const beacon = { round: open.round, signature: operator.signatureOf(open.round) }
    const report = verifyBundle(operator.bundle(draw, { beacon }))
    expect(checkOf(report, 'open.void')).toMatchObject({
      outcome: 'unchecked',
      detail: expect.stringContaining('within 7 days'),
    })
    expect(report.state).toBe('void')
    expect(checkOf(report, 'numbers.derived')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The draw is void: its numbers count for nothing.',
    })
    expect(checkOf(report, 'prizes.tiers')).toMatchObject({
      outcome: 'unchecked',
      detail: 'The draw is void: it has no prizes.',
    })
    expect(checkOf(report, 'open.void').inputs.map(({ name }) => name)).toEqual(['reason', 'called void'])
  })

  it('for the beacon must have been sealed', () => {
    const never = opened()
    never.endVoid('beacon', never.open.start + WEEK)
    expect(never.found('open.void').detail).toContain('never sealed')
    expect(never.found('close.found').detail).toBe('The draw is void; it was never sealed.')
    const reopened = opened(witnessed)
    reopened.operator.close(reopened.draw)
    reopened.postpone(reopened.dueAt - 50, { reason: 'witness' })
    reopened.endVoid('beacon', reopened.open.start + 2 * WEEK)
    expect(reopened.found('open.void').detail).toContain('never sealed')
  })

  it('is so once, and the log does not go on with it', () => {
    const twice = opened()
    twice.operator.close(twice.draw)
    twice.endVoid('beacon', twice.open.start + WEEK)
    twice.endVoid('beacon', twice.open.start + WEEK)
    expect(twice.found('open.void')).toMatchObject({
      outcome: 'failed',
      detail: 'It was called void more than once.',
    })

    const sealed = opened()
    sealed.endVoid('outage', sealed.dueAt)
    sealed.operator.close(sealed.draw, { time: sealed.dueAt })
    expect(sealed.found('open.void').detail).toContain('goes on with the draw')

    const postponed = opened()
    postponed.endVoid('outage', postponed.dueAt)
    postponed.postpone(postponed.dueAt)
    expect(postponed.found('open.void').detail).toContain('goes on with the draw')

    const settled = opened()
    settled.operator.settle(settled.draw)
    settled.endVoid('beacon', settled.open.start + WEEK)
    expect(settled.found('open.void')).toMatchObject({
      outcome: 'failed',
      detail: 'The log holds a result of a draw that is void.',
    })
  })

  it('because it was not sealed could not have been sealed any more', () => {
    for (const [before, outcome] of [
      [60, 'failed'],
      [59, 'unchecked'],
    ] as const) {
      const { dueAt, endVoid, found } = opened()
      endVoid('outage', dueAt - before)
      expect(found('open.void').outcome).toBe(outcome)
    }
  })

  it('although it was sealed lacked witnesses: the third time, or nobody was in it', () => {
    const unasked = opened()
    unasked.operator.close(unasked.draw)
    unasked.endVoid('outage', unasked.dueAt)
    expect(unasked.found('open.void')).toMatchObject({
      outcome: 'failed',
      detail: 'It was sealed, so only the beacon could have kept it from being drawn.',
    })

    const nobody = opened({}, 0)
    nobody.operator.close(nobody.draw)
    nobody.endVoid('outage', nobody.dueAt)
    expect(nobody.found('open.void').outcome).toBe('failed')

    const first = opened(witnessed)
    first.operator.close(first.draw)
    first.endVoid('outage', first.dueAt)
    expect(first.found('open.void').outcome).toBe('failed')

    const empty = opened(witnessed, 0)
    empty.operator.close(empty.draw)
    empty.endVoid('outage', empty.dueAt)
    expect(empty.found('open.void').outcome).toBe('unchecked')
    expect(empty.found('close.witnesses').outcome).toBe('unchecked')

    const third = opened(witnessed)
    let { dueAt } = third
    let { round } = third.open
    for (let count = 0; count < 2; count += 1) {
      third.operator.close(third.draw, { round, time: dueAt - 100 })
      round = third.postpone(dueAt - 50, { reason: 'witness' })
      dueAt = roundDueAt(round, third.operator.chain)
    }
    third.operator.close(third.draw, { round, time: dueAt - 100 })
    third.endVoid('outage', dueAt - 50)
    expect(third.found('open.postponed').outcome).toBe('passed')
    expect(third.found('open.void')).toMatchObject({
      outcome: 'unchecked',
      detail: 'Whether its last seal lacked witnesses cannot be told here.',
    })
  })

  it('although its witnesses had signed in time should have taken place', () => {
    const { operator, draw, dueAt, endVoid } = opened(witnessed, 0)
    const close = operator.noteOf(operator.close(draw))
    endVoid('outage', dueAt)
    const report = verifyBundle(operator.bundle(draw, { witnesses: [witness.line(close, dueAt - 100)] }))
    expect(checkOf(report, 'close.witnesses')).toMatchObject({
      outcome: 'failed',
      detail: '1 witnesses signed it in time, so the draw should have taken place.',
    })
  })

  it('leaves a draw that was postponed although its witnesses had signed in time failed as well', () => {
    const { operator, draw, dueAt, postpone } = opened(witnessed)
    const close = operator.noteOf(operator.close(draw))
    postpone(dueAt - 50, { reason: 'witness' })
    const report = verifyBundle(operator.bundle(draw, { witnesses: [witness.line(close, dueAt - 100)] }))
    expect(checkOf(report, 'close.witnesses').outcome).toBe('failed')
  })
})

describe('when a seal was seen', () => {
  const strange = 'ab'.repeat(32)
  /** What the verifier remembers, and what the file says of it. */
  function sighted(
    seen: readonly number[],
    claimed: readonly number[],
    more: { nowAt?: (dueAt: number) => number; signed?: (dueAt: number) => number; hash?: string } = {},
  ) {
    const { operator, draw, dueAt } = opened(witnessed)
    const closeHash = operator.close(draw)
    const record = (times: readonly number[]) => ({
      key: null,
      username: null,
      receipts: [],
      sights: times.map((before) => ({ hash: more.hash ?? closeHash, seenAt: dueAt - before })),
    })
    const lines = more.signed === undefined ? [] : [witness.line(operator.noteOf(closeHash), more.signed(dueAt))]
    const nowAt = more.nowAt?.(dueAt) ?? null
    const bundle = operator.bundle(draw, { own: record(claimed), witnesses: lines })
    return checkOf(verifyBundle(bundle, { own: record(seen), nowAt }), 'close.seen')
  }

  it('the first time counts', () => {
    expect(sighted([-5, 300, 2], [])).toMatchObject({
      outcome: 'passed',
      detail: 'It was seen 5 min before the round was due, and is still the same.',
    })
    expect(sighted([1], []).outcome).toBe('passed')
    expect(sighted([0], [])).toMatchObject({
      outcome: 'unchecked',
      detail: 'It was first seen after its round was due. Whether it was public before cannot be told here.',
    })
    expect(sighted([], [])).toMatchObject({
      outcome: 'unchecked',
      detail:
        'Nobody who saw it before its round is on record here. Whether it was public in time cannot be told here.',
    })
    expect(sighted([300], [], { hash: strange }).detail).toContain('Nobody who saw it')
  })

  it('is told by a witness of the draw that signed before the round, whatever is remembered', () => {
    expect(sighted([], [], { signed: (dueAt) => dueAt - 1 })).toMatchObject({
      outcome: 'passed',
      detail: 'The witness one.example signed it before the round was due.',
    })
    expect(sighted([], [], { signed: (dueAt) => dueAt }).outcome).toBe('unchecked')
  })

  it('is now, where the round is not due', () => {
    expect(sighted([], [], { nowAt: (dueAt) => dueAt - 1 })).toMatchObject({
      outcome: 'passed',
      detail: 'The round is not due yet: it is seen right now.',
    })
    expect(sighted([], [], { nowAt: (dueAt) => dueAt }).outcome).toBe('unchecked')
  })

  it('is what the file says only where nothing better is known', () => {
    const said = 'The file says that it was seen 5 min before the round was due: that is the word of whoever saved it.'
    expect(sighted([], [-5, 300])).toMatchObject({ outcome: 'unchecked', detail: said })
    expect(sighted([], [1]).detail).toContain('The file says')
    expect(sighted([], [0]).detail).toContain('Nobody who saw it')
    expect(sighted([-9], [300]).detail).toContain('It was first seen after')
    expect(sighted([300], [300]).outcome).toBe('passed')
  })
})

describe('the witnesses of a seal that was replaced', () => {
  it('did not sign in time', () => {
    for (const [before, outcome] of [
      [61, 'failed'],
      [60, 'passed'],
      [0, 'passed'],
    ] as const) {
      const { operator, draw, dueAt, postpone } = opened(witnessed)
      const first = operator.noteOf(operator.close(draw))
      const round = postpone(dueAt - 50, { reason: 'witness' })
      operator.close(draw, { round, time: dueAt + 5 })
      const report = verifyBundle(operator.bundle(draw, { witnesses: [witness.line(first, dueAt - before)] }))
      expect(checkOf(report, 'close.once').outcome, String(before)).toBe(outcome)
    }
  })
})

describe('the witnesses of a draw that is under way', () => {
  it('that was called void for its beacon had to sign all the same', () => {
    const { operator, draw, open, endVoid } = opened(witnessed)
    operator.close(draw)
    endVoid('beacon', open.start + WEEK)
    const report = verifyBundle(operator.bundle(draw, { beacon: null }), { nowAt: open.start + WEEK })
    expect(checkOf(report, 'close.witnesses')).toMatchObject({
      outcome: 'failed',
      detail: '0 of the 1 needed signed it in time.',
    })
  })

  it('cannot be judged where the chain is not known', () => {
    const { operator, draw, dueAt } = opened(witnessed)
    operator.close(draw)
    const log = resigned(operator.notes, operator, (one) =>
      one.type === 'open' ? { ...one, chain: 'ab'.repeat(32) } : one,
    )
    const found = checkOf(verifyBundle({ ...operator.bundle(draw), log }, { nowAt: dueAt }), 'close.witnesses')
    expect(found).toMatchObject({ outcome: 'unchecked', detail: 'When its round was due is not known.' })
    expect(found.inputs.map(({ name }) => name)).toEqual([
      'witnesses needed',
      `witness one.example (${witness.publicKey})`,
    ])
  })

  it('who sign twice are shown with the earlier time', () => {
    const { operator, draw, dueAt } = opened(witnessed)
    const close = operator.noteOf(operator.close(draw))
    const lines = [dueAt - 70, dueAt - 90].map((at) => witness.line(close, at))
    const { inputs } = checkOf(verifyBundle(operator.bundle(draw, { witnesses: lines })), 'close.witnesses')
    expect(inputs.at(-1)?.value).toContain(`(${dueAt - 90})`)
  })

  it('have until a minute before its round, and then it failed', () => {
    const { operator, draw, dueAt } = opened(witnessed)
    operator.close(draw)
    for (const [nowAt, outcome] of [
      [dueAt - 61, 'unchecked'],
      [dueAt - 60, 'failed'],
      [null, 'unchecked'],
    ] as const) {
      const report = verifyBundle(operator.bundle(draw), { nowAt })
      expect(checkOf(report, 'close.witnesses').outcome, String(nowAt)).toBe(outcome)
    }
  })

  it('are shown by name, key, and when each signed', () => {
    const second = new WitnessFixture('two.example')
    const list = [witness, second].map(({ name, publicKey }) => ({ name, publicKey }))
    const { operator, draw, dueAt } = opened({ witness: { required: 1, list } })
    const close = operator.noteOf(operator.close(draw))
    const signedAt = dueAt - 100
    const report = verifyBundle(operator.bundle(draw, { witnesses: [witness.line(close, signedAt)] }))
    const { outcome, detail, inputs } = checkOf(report, 'close.witnesses')
    expect([outcome, detail]).toEqual([
      'passed',
      '1 of the 1 needed signed it at least a minute before the round was due.',
    ])
    expect(inputs).toEqual([
      { name: 'witnesses needed', value: '1' },
      { name: 'to be signed before', value: expect.stringContaining(`(${dueAt - 60})`) },
      { name: `witness one.example (${witness.publicKey})`, value: expect.stringContaining(`(${signedAt})`) },
      { name: `witness two.example (${second.publicKey})`, value: 'not signed' },
    ])
  })
})
