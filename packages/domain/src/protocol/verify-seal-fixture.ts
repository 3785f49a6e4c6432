import { assert } from '../assert.ts'
import type { BundleDraw } from './bundle.ts'
import { QUICKNET, roundDueAt } from './chain.ts'
import { readCheckpoint } from './checkpoint.ts'
import { nobleHash } from './hash.ts'
import { TEST_TRUST, type TestDraw } from './operator-fixture.ts'
import type { Trust } from './trust.ts'
import { changedDraw, type Changes, type DrawOfLog, notPassed } from './verify-fixture.ts'
import type { OpenedDraw } from './verify-open.ts'
import { verifySeal } from './verify-seal.ts'

/** The sealing of draws, for the checks of the verifier. */

/** What a verifier is given about the sealing of a draw. */
export interface Given {
  readonly changes?: Changes
  readonly opened?: Partial<OpenedDraw>
  readonly trust?: Trust
  /** when the witness saw the sealing, in seconds after the close */
  readonly seen?: number
  /** the first statement of the range */
  readonly start?: number
  /** the size of the log that the witness saw */
  readonly size?: number
  /** how many statements the range and its tail lack at their end */
  readonly without?: number
  readonly postpones?: BundleDraw['postpones']
}

/** Judges the sealing of a draw with some values changed. The honest witness sees the log up to its last close. */
export function judgeSeal({ operator, draw }: DrawOfLog, given: Given = {}) {
  const { log, statements, opened, checks } = changedDraw({ operator, draw }, given.changes)
  const close = statements.find(({ hash }) => hash === draw.close?.hash)
  const size = given.size ?? (close?.index ?? statements.length) + 1
  const seen = (close?.statement.time ?? operator.now) + (given.seen ?? 1)
  const checkpoint = readCheckpoint(operator.checkpoint(seen))
  assert(checkpoint !== null, 'no checkpoint')
  const end = statements.length - (given.without ?? 0)
  const ranges = {
    sealed: { checkpoint: { ...checkpoint, size }, statements: statements.slice(given.start ?? 3, size) },
    tail: statements.slice(size, end),
  }
  const of = { postpones: given.postpones ?? draw.postpones } as BundleDraw
  const context = { trust: given.trust ?? TEST_TRUST, hash: nobleHash, checks }
  const sealed = verifySeal(log, { ...opened, ...given.opened }, of, ranges, context)
  return { sealed, checks, found: notPassed(checks) }
}

/** A draw whose seals of postponements lead to the head. */
export async function continued(one: DrawOfLog): Promise<DrawOfLog> {
  const [of] = (await one.operator.bundle([one.draw])).draws
  one.draw.postpones = [...(of?.postpones ?? [])]
  return one
}

/** When the round of a draw is due, epoch seconds. */
export function dueTime(draw: TestDraw): number {
  return roundDueAt(QUICKNET, draw.round)
}
