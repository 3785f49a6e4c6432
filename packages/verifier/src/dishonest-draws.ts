/** Draws whose operator does one thing that the protocol forbids. */
import type { Bundle, OwnRecord } from '@fairball/domain/fairness/bundle'
import { toHex } from '@fairball/domain/fairness/bytes'
import { roundDueAt, roundOf } from '@fairball/domain/fairness/chain'
import { type DrawFixture, fixedBytes, publishedBytes, rootOf } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture, WitnessFixture } from '@fairball/domain/fairness/operator-fixture'
import { resigned, textOf } from '@fairball/domain/fairness/resigned-fixture'
import { parseStatementOf, statementHash, statementText } from '@fairball/domain/fairness/statements'

import {
  afterwards,
  type Change,
  changing,
  cleverly,
  opened,
  postponed,
  settled,
  witnessedDraw,
} from './example-draws.ts'

/** An own record of somebody who kept nothing. */
export const EMPTY_OWN: OwnRecord = { key: null, username: null, sights: [], receipts: [] }

/** A draw settled with a new key, signed by the old one as it should be. */
export function settledAfterKeyChange() {
  const { operator, draw } = opened()
  operator.changeKey(fixedBytes('second key'))
  operator.settle(draw)
  return { operator, bundle: operator.bundle(draw) }
}

export function settledWithBadKeyChange(): Bundle {
  const { operator, draw } = opened()
  operator.changeKey(fixedBytes('second key'))
  const text = textOf(operator.notes.at(-1) ?? '')
  operator.notes.splice(-1, 1, operator.sign(text)) // with the new key alone
  operator.settle(draw)
  return operator.bundle(draw)
}

/** Another close of the same draw under the same number, as a player got it with a receipt. */
export function forkedReceipt(operator: OperatorFixture, draw: DrawFixture, bundle: Bundle): Bundle {
  const shown = afterwards(
    bundle,
    operator,
    changing('close', () => ({ root: 'cd'.repeat(32) })),
  )
  const close = shown.log.find((note) => note.startsWith('fairball/close/v1\n')) ?? null
  const entries = operator.receipt(draw, 0, statementHash(textOf(operator.notes.at(-2) ?? ''))).entries
  const receipt = {
    ...operator.receipt(draw, 0, null),
    close,
    entries: entries.map((entry) => ({ ...entry, path: [] })),
  }
  return { ...bundle, own: { ...EMPTY_OWN, username: 'alice', receipts: [receipt] } }
}

export function chainUnknown(): Bundle {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [])
  operator.settle(draw)
  const change = changing('chain', () => ({ hash: 'ab'.repeat(32) }))
  return cleverly(operator.bundle(draw), operator, change)
}

export function roundShifted(): Bundle {
  const { operator, draw, bundle } = settled()
  const round = operator.openOf(draw).round + 2n
  const signature = operator.signatureOf(round)
  const startText = operator.openOf(draw)
  const openHash = statementHash(statementText({ ...startText, round }))
  const entries = new OperatorFixture().open(1, []).entriesBytes
  const change: Change = (statement) => {
    if (statement.type === 'open') return { ...statement, round }
    if (statement.type === 'close')
      return { ...statement, round, entries: 0, free: 0, stake: 0n, root: rootOf(openHash, []) }
    if (statement.type === 'result') return { ...statement, signature }
    return statement
  }
  return cleverly({ ...bundle, beacon: { round, signature } }, operator, change, entries)
}

export function postponedAfterSealing(): Bundle {
  const { operator, draw } = opened()
  operator.close(draw)
  const { round } = operator.openOf(draw)
  const time = roundDueAt(round, operator.chain) - 30
  const next = operator.postpone(draw, 'outage', time)
  operator.result(draw, operator.close(draw, { round: next, time: time + 300 }), { time: time + 1300 })
  return operator.bundle(draw)
}

export function postponedTimes(times: number): Bundle {
  const { operator, draw } = opened()
  const last = postponed(operator, draw, times)
  operator.result(draw, operator.close(draw, { round: last.round, time: last.time + 300 }), { time: last.time + 1300 })
  return operator.bundle(draw)
}

export function postponedTooLittle(): Bundle {
  const { operator, draw } = opened()
  const time = roundDueAt(operator.openOf(draw).round, operator.chain) - 30
  const start = Math.ceil((time + 300) / 60) * 60
  const round = roundOf(start, operator.chain)
  operator.append({ type: 'postpone', open: draw.openHash, reason: 'outage', start, round }, time)
  operator.result(draw, operator.close(draw, { round, time: time + 60 }), { time: start + 125 })
  return operator.bundle(draw)
}

/** A draw that was never sealed for its first round, postponed so many seconds after that was due. */
export function postponedFor(reason: 'outage' | 'witness', after: number): Bundle {
  const { operator, draw } = opened()
  const time = roundDueAt(operator.openOf(draw).round, operator.chain) + after
  const round = operator.postpone(draw, reason, time)
  operator.result(draw, operator.close(draw, { round, time: time + 300 }), { time: time + 1300 })
  return operator.bundle(draw)
}

/** A draw that was never sealed, called void so many seconds after its round was due. */
export function unsealedVoid(reason: 'outage' | 'beacon', after: number): Bundle {
  const { operator, draw } = opened()
  const time = roundDueAt(operator.openOf(draw).round, operator.chain) + after
  operator.append({ type: 'void', open: draw.openHash, reason }, time)
  return operator.bundle(draw)
}

/** A draw on sale that asks for two witnesses and names one key under two names. */
export function oneKeyTwice(): Bundle {
  const [one, two] = ['one.example', 'two.example'].map((name) => new WitnessFixture(name))
  const list = [one, two].flatMap((witness) =>
    witness === undefined ? [] : [{ name: witness.name, publicKey: witness.publicKey }],
  )
  const { operator, draw } = opened({ witness: { required: 2, list } })
  const bundle = operator.bundle(draw)
  const text = textOf(bundle.log.at(-1) ?? '').replace(two?.publicKey ?? '', one?.publicKey ?? '')
  return { ...bundle, log: bundle.log.with(-1, operator.sign(text)) }
}

export function voidOf(reason: 'outage' | 'beacon', after: number): Bundle {
  const { operator, draw } = opened()
  operator.close(draw)
  operator.append({ type: 'void', open: draw.openHash, reason }, operator.openOf(draw).start + after)
  return operator.bundle(draw)
}

export function sealedAt(time: number): Bundle {
  const { operator, draw } = opened()
  operator.result(draw, operator.close(draw, { time }))
  return operator.bundle(draw)
}

export function sealedTwice(): Bundle {
  const { operator, draw } = opened()
  operator.append({ ...parseStatementOf('close', operator.textOf(operator.close(draw))), root: 'ef'.repeat(32) })
  operator.notes.push(...operator.notes.splice(-2, 1)) // the sound seal is made last
  const change: Change = (statement) => ({
    ...statement,
    seq: statement.type === 'close' ? (closes += 1) : statement.seq,
  })
  let closes = operator.openOf(draw).seq
  operator.notes.splice(0, operator.notes.length, ...resigned(operator.notes, operator, change))
  operator.result(draw, statementHash(textOf(operator.notes.at(-1) ?? '')))
  return operator.bundle(draw)
}

export function witnessedAt(at: number | null): Bundle {
  const { operator, draw, witness } = witnessedDraw()
  const close = operator.settle(draw)
  return operator.bundle(draw, { witnesses: at === null ? [] : [witness.line(operator.noteOf(close), at)] })
}

/** Seals the draw's entries in another order, or with some of them twice. */
export function resealed(
  bundle: Bundle,
  operator: OperatorFixture,
  draw: DrawFixture,
  places: readonly number[],
): Bundle {
  const entries = places.flatMap((place) => draw.entries[place] ?? [])
  const root = rootOf(draw.openHash, entries)
  const change = changing('close', () => ({ root, entries: entries.length }))
  return cleverly(bundle, operator, change, publishedBytes(entries))
}

export function longLine(bundle: Bundle, operator: OperatorFixture, draw: DrawFixture): Bundle {
  const entries = draw.entries.map((entry, place) =>
    place === 2 ? { ...entry, mask: entry.mask | (entry.mask << 1n) | 1n } : entry,
  )
  const change = changing('close', () => ({ root: rootOf(draw.openHash, entries) }))
  return cleverly(bundle, operator, change, publishedBytes(entries))
}

/** The line with its lowest number changed to the lowest it does not have. */
export function movedNumber(mask: bigint): bigint {
  const lowest = mask & -mask
  const missing = ~mask & -~mask
  return (mask ^ lowest) | missing
}

export function freeNumber(numbers: readonly number[]): number {
  return [1, 2, 3, 4, 5, 6, 7].find((number) => !numbers.includes(number)) ?? 0
}

export function resultTwice(): Bundle {
  const { operator, draw, closeHash } = settled()
  operator.result(draw, closeHash)
  return operator.bundle(draw)
}

export function notSealed(): Bundle {
  const { operator, draw } = opened()
  const { openHash, number, game, seed } = draw
  const sealed = draw.entries.filter(({ id }) => toHex(id) !== toHex(draw.plays[0]?.ids[0] ?? new Uint8Array()))
  const left: DrawFixture = {
    openHash,
    number,
    game,
    seed,
    plays: draw.plays,
    free: 0,
    entries: sealed,
    entriesBytes: publishedBytes(sealed),
    root: rootOf(openHash, sealed),
  }
  operator.settle(left)
  const receipt = operator.receipt(draw, 0, null)
  return operator.bundle(left, { own: { ...EMPTY_OWN, username: 'alice', receipts: [receipt] } })
}
