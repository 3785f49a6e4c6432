import { describe, expect, it } from 'vitest'
import type { Bundle } from './bundle.ts'
import { asciiBytes, fromHex } from './bytes.ts'
import { QUICKNET, roundDueAt } from './chain.ts'
import { nobleHash } from './hash.ts'
import { type SoldPlay, TestOperator, TEST_ROUNDS, TEST_TRUST, type TestDraw } from './operator-fixture.ts'
import { writeRevocationLeaf } from './plays.ts'
import { NO_TRUST, type Trust } from './trust.ts'
import { verifyBundle } from './verify.ts'

/** Draws of an operator that follows the rules, and of one that breaks them (sections 6 to 9). */

const verify = (bundle: Bundle, trust: Trust = TEST_TRUST) => verifyBundle(bundle, trust, TEST_ROUNDS)

function plays(count: number, from = 0, changes: Partial<SoldPlay> = {}): SoldPlay[] {
  return Array.from({ length: count }, (_, place) => ({
    secret: nobleHash(asciiBytes(`order ${from + place}`)),
    username: `player-${from + place}`,
    lines: [
      [1, 2, 3 + ((from + place) % 7)],
      [4, 5, 6 + ((from + place) % 4)],
    ],
    free: 0,
    rate: 3000,
    ...changes,
  }))
}

/** A draw that is sold, closed, sealed and settled. */
async function wholeDraw(operator: TestOperator, sold = plays(20)): Promise<TestDraw> {
  const draw = operator.openDraw()
  operator.sell(draw, sold)
  operator.closeDraw(draw)
  await operator.seal(draw)
  operator.settle(draw)
  return draw
}

describe('an honest draw', () => {
  it('an honest draw is proved, and so are the draws that continue it', async () => {
    const operator = new TestOperator()
    await wholeDraw(operator)
    await wholeDraw(operator, plays(5, 100, { free: 1 }))
    await wholeDraw(operator, [])
    const report = verify(await operator.bundle())
    expect(report).toMatchObject({ outcome: 'proved', reasons: [], failed: [], broken: [], warned: [] })
  })

  it('a verifier tells each step of its work as it begins', async () => {
    const operator = new TestOperator()
    await wholeDraw(operator)
    const steps: string[] = []
    verifyBundle(await operator.bundle(), TEST_TRUST, { ...TEST_ROUNDS, onStep: (step) => steps.push(step) })
    expect(steps).toEqual(['log', 'open', 'seal', 'beacon', 'numbers', 'money', 'papers'])
  })

  it('a single draw is proved with only the statements that it names', async () => {
    const operator = new TestOperator()
    await wholeDraw(operator)
    const second = await wholeDraw(operator, plays(5, 100))
    const bundle = await operator.bundle([second])
    expect(bundle.statements.length).toBeLessThan(operator.statements.length)
    expect(verify(bundle).outcome).toBe('proved')
  })

  it('a play whose payment was reversed does not count', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    const [first] = draw.leaves
    draw.leaves.push(
      writeRevocationLeaf({
        openHash: fromHex(draw.open.hash),
        playId: (first ?? new Uint8Array()).slice(33, 49),
        index: 0,
        transaction: new Uint8Array(32),
      }),
    )
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    expect(draw.close?.statement).toMatchObject({ lines: 4, revoked: { count: 1 } })
    expect(verify(await operator.bundle()).outcome).toBe('proved')
  })

  it('a sealed draw waits for its result', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    await operator.seal(draw)
    expect(verify(await operator.bundle()).outcome).toBe('not yet')
  })

  it('an open draw waits for its seal', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    const report = verify(await operator.bundle())
    expect(report.draws[0]?.checks['seal.range']?.status).toBe('wait')
  })
})

describe('a postponed draw', () => {
  it('a postponed draw is proved if a trusted witness saw the postponement in time', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    await operator.postpone(draw)
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    expect(verify(await operator.bundle()).outcome).toBe('proved')
  })

  it('a draw with a postponed close is proved', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    await operator.postpone(draw)
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    expect(verify(await operator.bundle())).toMatchObject({ outcome: 'proved', reasons: [] })
  })

  it('a postponed draw only holds if no trusted witness saw the postponement', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    await operator.postpone(draw, null)
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    const report = verify(await operator.bundle())
    expect(report.outcome).toBe('holds')
    expect(report.reasons).toEqual(['open.postponed: put off, by the word of the operator'])
  })

  it('a draw fails if its result uses the postponed close', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    const { round, close } = draw
    await operator.seal(draw)
    await operator.postpone(draw)
    draw.round = round
    draw.close = close
    draw.postpones = []
    operator.settle(draw)
    expect(verify(await operator.bundle()).failed).toContain('seal.once')
  })

  it('a bundle with only the first seal of a postponed draw accuses no one', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    await operator.seal(draw)
    const early = await operator.bundle()
    await operator.postpone(draw)
    operator.closeDraw(draw)
    const sight = { open: draw.open.hash, hash: draw.close?.hash ?? '', at: operator.now }
    expect(verify(early, { ...TEST_TRUST, sights: [sight] }).outcome).toBe('not yet')
  })
})

describe('a void draw', () => {
  it('a void draw without plays is proved, and the game continues from it', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.now = draw.open.statement.close + 5
    operator.giveUp(draw, 'outage')
    await operator.seal(draw)
    await wholeDraw(operator)
    expect(verify(await operator.bundle()).outcome).toBe('proved')
  })

  it('a draw that is void after its close returns everything, and only holds', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.now = draw.open.statement.start + 604_800
    operator.giveUp(draw, 'beacon')
    await wholeDraw(operator, plays(3, 0, { rate: 0 }))
    const report = verify(await operator.bundle())
    expect(report).toMatchObject({ outcome: 'holds', failed: [], broken: [] })
    expect(report.reasons).toHaveLength(1)
    expect(report.draws.map(({ outcome }) => outcome)).toEqual(['holds', 'proved'])
  })

  it('a draw that is void because no witness cosigned its close in time holds', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    operator.giveUp(draw, 'outage')
    await operator.seal(draw, draw.open.statement.start + 600)
    await wholeDraw(operator, plays(3, 0, { rate: 0 }))
    const report = verify(await operator.bundle())
    expect(report).toMatchObject({ failed: [], broken: [] })
    expect(report.draws.map(({ outcome }) => outcome)).toEqual(['holds', 'proved'])
  })

  it('a draw fails if it becomes void too early for lack of a random number', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.now = draw.open.statement.start + 604_000
    operator.giveUp(draw, 'beacon')
    expect(verify(await operator.bundle()).failed).toEqual(['void.reason'])
  })

  it('a void draw continues from the state before a postponed close', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    await operator.postpone(draw)
    operator.giveUp(draw, 'outage', null)
    await operator.seal(draw)
    const report = verify(await operator.bundle())
    expect(report).toMatchObject({ outcome: 'proved', failed: [], broken: [] })
  })
})

describe('a verifier’s trust', () => {
  it('a verifier’s own sight of a close proves the sealing', async () => {
    const operator = new TestOperator()
    const draw = await wholeDraw(operator)
    const sight = { open: draw.open.hash, hash: draw.close?.hash ?? '', at: roundDueAt(QUICKNET, draw.round) - 1 }
    const bundle = await operator.bundle()
    expect(verify(bundle, NO_TRUST).outcome).toBe('holds')
    expect(verify(bundle, { ...NO_TRUST, sights: [sight] }).outcome).toBe('proved')
    expect(verify(bundle, { ...NO_TRUST, sights: [{ ...sight, at: sight.at + 1 }] }).outcome).toBe('holds')
    expect(verify(bundle, { ...NO_TRUST, sights: [{ ...sight, hash: 'ab'.repeat(32) }] }).failed).toEqual(['seal.seen'])
  })

  it('a kept head of the same size with another root fails the log', async () => {
    const operator = new TestOperator()
    await wholeDraw(operator)
    const bundle = await operator.bundle()
    const other = new TestOperator()
    await wholeDraw(other, plays(7))
    const heads = [other.checkpoint(other.now)]
    expect(verify(bundle, { ...TEST_TRUST, heads }).failed).toEqual(['log.remembered'])
    expect(verify(bundle, { ...TEST_TRUST, heads: [bundle.head] }).outcome).toBe('proved')
  })

  it('a log without the known key is broken', async () => {
    const operator = new TestOperator()
    await wholeDraw(operator)
    expect(verify(await operator.bundle(), { ...TEST_TRUST, key: 'ab'.repeat(32) }).broken).toContain('log.keys')
  })

  it('trust is not enough without the pairing', async () => {
    const operator = new TestOperator()
    await wholeDraw(operator)
    const report = verifyBundle(await operator.bundle(), TEST_TRUST, { isRoundSigned: null })
    expect(report).toMatchObject({ outcome: 'holds', failed: [] })
    expect(report.draws[0]?.checks['result.numbers']?.status).toBe('pass')
  })
})

describe('an operator that breaks the rules', () => {
  it('a draw fails if the time of a statement decreases', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.now -= 50
    operator.sell(draw, plays(3))
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    expect(verify(await operator.bundle()).failed).toEqual([])
    operator.now = draw.open.statement.time - 1
    operator.append('paid', { size: 0, root: '0'.repeat(64), draw: [{ open: draw.open.hash, won: 0n, paid: 0n }] })
    expect(verify(await operator.bundle()).failed).toContain('log.order')
  })

  it('a draw fails if its close skips the previous state', async () => {
    const operator = new TestOperator()
    await wholeDraw(operator)
    const second = operator.openDraw()
    operator.closeDraw(second, { last: '0'.repeat(64) })
    await operator.seal(second)
    operator.settle(second)
    expect(verify(await operator.bundle()).failed).toContain('money.state')
  })

  it('a draw fails if its close does not name the last batch', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(2))
    const sold = draw.sold?.hash ?? ''
    operator.sell(draw, plays(2, 50))
    operator.closeDraw(draw, { sold })
    await operator.seal(draw)
    operator.settle(draw)
    expect(verify(await operator.bundle()).failed).toEqual(['plays.sold'])
  })

  it('a draw fails if the stake of a batch is wrong', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.now += 60
    draw.sold = operator.append('sold', {
      open: draw.open.hash,
      size: 0,
      root: operator.rootOf(draw),
      stake: 5n,
      rate: { currency: 'GBP', value: 3000 },
    })
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    expect(verify(await operator.bundle()).failed).toEqual(['plays.sold'])
  })
})
