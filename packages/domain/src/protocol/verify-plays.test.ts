import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import type { BundleDraw } from './bundle.ts'
import { fromHex } from './bytes.ts'
import { nobleHash } from './hash.ts'
import { LEAF_RATE_FACTOR } from './numbers.ts'
import { TestOperator } from './operator-fixture.ts'
import { LEAF, maskOf, writePlayLeaf, writeRevocationLeaf } from './plays.ts'
import { plays } from './read-log-fixture.ts'
import { writeSections } from './sections.ts'
import { NO_HASH } from './statement-codecs.ts'
import { changedDraw, type Changes, closedDraw, closeOf, type DrawOfLog, findingsOf } from './verify-fixture.ts'
import { verifyPlays } from './verify-plays.ts'

const HASH = 'ab'.repeat(32)
const DRAWN = closedDraw(new TestOperator(), plays(3))
const SECTIONS = DRAWN.operator.count(DRAWN.draw).sections

type Plays = NonNullable<BundleDraw['plays']>

/** Checks the plays of a draw. @param given the plays that the bundle has */
async function judge(
  changes: Changes = {},
  given: (plays: Plays) => Plays | null = (honest) => honest,
  drawn: DrawOfLog = DRAWN,
) {
  const [honest] = (await drawn.operator.bundle([drawn.draw])).draws
  assert(honest?.plays != null, 'no plays')
  const { log, opened, checks } = changedDraw(drawn, changes)
  const draw = { ...honest, plays: given(honest.plays) }
  const sealed = verifyPlays(log, opened, closeOf(log), draw, { hash: nobleHash, checks })
  return { found: findingsOf(checks), sealed, checks }
}

const PARTLY = [
  'plays.leaves',
  'plays.root',
  'plays.revoked',
  'plays.counts',
  'plays.sold',
  'plays.rate',
  'money.stake',
]
/** What is said where no section is here. */
const NOTHING = PARTLY.map((id) => `${id} unknown: only 0 of 1 sections were counted here`)
const NOT_SEALED = 'plays.root broken: these are not the plays that were sealed'

describe('the plays of a close', () => {
  it('honest plays pass each check', async () => {
    const { found, sealed, checks } = await judge()
    expect(found).toEqual([])
    expect(Object.keys(checks.findings()).toSorted()).toEqual(PARTLY.toSorted())
    expect(sealed).toMatchObject({ areSealed: true, areAll: true, count: 1, isRevokedElsewhere: false, file: null })
  })

  it('without them nothing is said against them', async () => {
    const { found, sealed } = await judge({}, () => null)
    expect(found.toSorted()).toEqual(NOTHING.toSorted())
    expect(sealed).toMatchObject({ areSealed: true, areAll: false, sections: [] })
  })

  it.each<[string, (plays: Plays) => Plays]>([
    [
      'a part of no section',
      ({ parts, ...more }) => ({ ...more, parts: parts.map((one) => ({ ...one, section: 1 })) }),
    ],
    ['a section twice', ({ parts, ...more }) => ({ ...more, parts: [...parts, ...parts] })],
    [
      'a section cut short',
      ({ parts, ...more }) => ({ ...more, parts: parts.map((one) => ({ ...one, leaves: one.leaves.slice(1) })) }),
    ],
    ['a sections file that is none', (honest) => ({ ...honest, sections: new Uint8Array(1) })],
    ['a sections file of another length', (honest) => ({ ...honest, sections: new Uint8Array() })],
  ])('%s cannot be of the draw', async (_what, given) => {
    const { found, sealed } = await judge({}, given)
    expect(found.toSorted()).toEqual([...NOTHING.filter((one) => !one.startsWith('plays.root')), NOT_SEALED].toSorted())
    expect(sealed).toMatchObject({ areSealed: false, sections: [], file: null })
  })

  it('plays with another root were not sealed, and a sections file with another root than theirs neither', async () => {
    const last = ({ leaves }: { readonly leaves: Uint8Array }) =>
      leaves.map((byte, place) => (place === leaves.length - 1 ? byte ^ 1 : byte))
    const turned = await judge({}, ({ parts, ...more }) => ({
      ...more,
      parts: parts.map((one) => ({ ...one, leaves: last(one) })),
    }))
    expect(turned.found).toEqual([NOT_SEALED, 'plays.sold fail: what was sealed does not continue what was sold'])
    expect(turned.sealed.areSealed).toBe(false)
    const own = writeSections(SECTIONS)
    const records = (await judge({}, (honest) => ({ ...honest, sections: own }))).sealed.file?.records
    expect(records).toHaveLength(1)
    const others = writeSections(SECTIONS.map((one) => ({ ...one, root: fromHex(HASH) })))
    expect((await judge({}, (honest) => ({ ...honest, sections: others }))).found).toEqual([NOT_SEALED])
    // The file alone tells the root.
    const alone = (sections: Uint8Array) => judge({}, () => ({ sections, parts: [] }))
    expect((await alone(own)).sealed.areSealed).toBe(true)
    expect((await alone(others)).found).toContain(NOT_SEALED)
  })

  const { lines } = DRAWN.draw.close?.statement ?? { lines: 0 }
  const COUNTS = `plays.counts fail: there are ${lines} lines, 0 of them free, and 0 carried over`

  it.each<[string, Changes, string]>([
    ['a line more', { close: { lines: lines + 1 } }, COUNTS],
    ['a free line more', { close: { free: 1 } }, COUNTS],
    ['a line carried over', { close: { carried: 1 } }, COUNTS],
    [
      'another stake',
      { close: ({ stake }) => ({ stake: stake + 1n }) },
      `money.stake fail: the stakes add up to ${DRAWN.draw.close?.statement.stake}`,
    ],
    [
      'another number of revoked plays',
      { close: ({ revoked }) => ({ revoked: { ...revoked, count: 1 } }) },
      'plays.revoked fail: the revoked plays are others',
    ],
    [
      'another list of revoked plays',
      { close: ({ revoked }) => ({ revoked: { ...revoked, list: HASH } }) },
      'plays.revoked fail: the revoked plays are others',
    ],
    ['a batch that is not here', { close: { sold: HASH } }, 'plays.sold broken: the last batch is not here'],
    ['no batch', { close: { sold: NO_HASH } }, 'plays.sold fail: the close does not name the last batch'],
    ['a batch that is larger', { sold: { size: 4 } }, 'plays.sold fail: more was sold than was sealed'],
    [
      'a batch of other plays',
      { sold: { root: HASH } },
      'plays.sold fail: what was sealed does not continue what was sold',
    ],
    [
      'a batch of another stake',
      { sold: ({ stake }) => ({ stake: stake - 1n }) },
      'plays.sold fail: the stake of a batch is another',
    ],
    [
      'a batch at no rate',
      { sold: { rate: { currency: 'GBP', value: 99 } } },
      'plays.rate fail: a batch was sold at a rate that is none',
    ],
    [
      'a rate of another time',
      { close: { rate: { currency: 'GBP', value: 3000 * LEAF_RATE_FACTOR + 1 } } },
      'plays.rate fail: leaf 0: its rate is none of its time',
    ],
  ])('a close with %s is found', async (_what, changes, finding) => {
    expect((await judge(changes)).found).toEqual([finding])
  })

  it('every batch is compared, and one that was logged after the close is not the last', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    for (const from of [0, 2]) operator.sell(draw, plays(2, from))
    operator.closeDraw(draw)
    const drawn = { operator, draw }
    expect((await judge({}, undefined, drawn)).found).toEqual([])
    operator.sell(draw, [])
    const changes: Changes = { sold: ({ rate }) => ({ size: 5, rate: { ...rate, value: 99 } }) }
    const { found } = await judge(changes, undefined, drawn)
    expect(found.toSorted()).toEqual([
      'plays.rate fail: a batch was sold at a rate that is none',
      'plays.sold fail: more was sold than was sealed',
    ])
  })

  it('a revocation that names no play, and a revoked play, are found', async () => {
    const revoking = async (index: number) => {
      const operator = new TestOperator()
      const draw = operator.openDraw()
      operator.sell(draw, plays(2))
      const playId = draw.leaves[0]?.subarray(LEAF.playId, LEAF.rate) ?? new Uint8Array()
      const openHash = fromHex(draw.open.hash)
      draw.leaves.push(writeRevocationLeaf({ openHash, playId, index, transaction: new Uint8Array(32) }))
      operator.closeDraw(draw)
      return await judge({}, undefined, { operator, draw })
    }
    const honest = await revoking(0)
    expect([honest.found, honest.sealed.inForce, honest.sealed.isRevokedElsewhere]).toEqual([
      [],
      [{ index: 0, by: 2 }],
      false,
    ])
    expect((await revoking(1)).found).toEqual(['plays.revoked fail: leaf 2 revokes another play than it names'])
  })

  it('of a part nothing is said of the whole', async () => {
    const changes: Changes = {
      close: ({ stake, revoked }) => ({ lines: lines + 1, stake: stake + 1n, revoked: { ...revoked, count: 1 } }),
      sold: { root: HASH, stake: 0n },
    }
    const { found, sealed } = await judge(changes, () => null)
    expect(found.toSorted()).toEqual(NOTHING.toSorted())
    expect(sealed.isRevokedElsewhere).toBe(true)
  })

  it('a leaf that is invalid, and a play that stands twice, are the operator’s fault', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(2))
    const [first] = draw.leaves
    assert(first !== undefined, 'no play')
    draw.leaves.push(first)
    operator.closeDraw(draw)
    expect((await judge({}, undefined, { operator, draw })).found).toEqual(['plays.leaves fail: a play stands twice'])

    const other = new TestOperator()
    const invalid = other.openDraw()
    other.sell(invalid, plays(2))
    const ofOther = { openHash: fromHex(HASH), playId: new Uint8Array(16), rate: 3000, free: 0 }
    invalid.leaves.push(writePlayLeaf({ ...ofOther, masks: [maskOf([1, 2, 3])], ownerTag: new Uint8Array(32) }))
    other.closeDraw(invalid)
    const { found } = await judge({}, undefined, { operator: other, draw: invalid })
    expect(found).toEqual(['plays.leaves fail: leaf 2: it is of another draw'])
  })
})
