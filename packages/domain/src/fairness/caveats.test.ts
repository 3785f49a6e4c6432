import { describe, expect, it } from 'vitest'
import { caveatsOf } from './caveats.ts'
import { fixedPlay, gameOf } from './draw-fixture.ts'
import { OperatorFixture } from './operator-fixture.ts'
import { verifyBundle } from './verify.ts'

const UNSEEN =
  "Nothing here shows that the seal is older than the beacon's word: that takes somebody who saw it in time."
const PRIVATE = "The beacon is the operator's own: this shows the arithmetic, not the honesty."

describe('a draw that holds', () => {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay('alice', 1, gameOf('bitcoin-lotto'))])
  const hash = operator.settle(draw)
  const own = { key: null, username: null, receipts: [], sights: [{ hash, seenAt: operator.openOf(draw).close + 9 }] }
  const report = verifyBundle(operator.bundle(draw), { own })

  it('says when nobody saw its seal in time, and when its beacon is private', () => {
    expect(caveatsOf(verifyBundle(operator.bundle(draw)))).toEqual([UNSEEN, PRIVATE])
    expect(caveatsOf(report)).toEqual([PRIVATE])
    expect(caveatsOf({ ...report, isSeen: false, isPublicBeacon: true })).toEqual([UNSEEN])
  })

  it('that was seen, by a public beacon, says nothing more', () => {
    expect(caveatsOf({ ...report, isPublicBeacon: true })).toEqual([])
  })

  it('is the only one of which anything is left to say', () => {
    expect(caveatsOf({ ...report, outcome: 'failed' })).toEqual([])
    expect(caveatsOf({ ...report, outcome: 'unchecked' })).toEqual([])
  })
})
