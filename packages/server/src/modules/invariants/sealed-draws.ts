import { fromHex, toHex, viewOf } from '@fairball/domain/protocol/bytes'
import { randomnessOf } from '@fairball/domain/protocol/chain'
import { prizesOf } from '@fairball/domain/protocol/money'
import { LEAF, MASK_BYTES, maskOf, revokedSummary, stakeOf } from '@fairball/domain/protocol/plays'
import { readRules, type Rules } from '@fairball/domain/protocol/rules'
import { drawKey, drawNumbers } from '@fairball/domain/protocol/sampler'
import { readStatement, type Statement } from '@fairball/domain/protocol/statements'
import { leafHash, TreeFolder } from '@fairball/domain/protocol/tree'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { NODE_HASH } from '../fairness/service.ts'
import * as queries from './sealed-queries.ts'

/** Leaves read at a time. */
const LEAVES_A_STEP = 5000

type Sealed = RowOf<typeof queries.findSealed>
type Close = Extract<Statement, { readonly type: 'close' }>
type Say = (what: string) => void

/** What the leaves of a draw add up to, without the revoked ones. */
interface Counted {
  size: number
  lines: number
  free: number
  carried: number
  stake: bigint
  /** how often each mask is played */
  readonly masks: Map<bigint, number>
}

/**
 * I8: root, counts, money, numbers and prizes of every sealed draw, recomputed from its stored leaves and its round,
 * are those of its statements, and nothing joined or left it after the close. The beacon's signature was verified when
 * it was stored and is not verified again.
 *
 * @param tx one snapshot: `repeatable read` if others work meanwhile
 * @param fromDrawId draws with a lower id are left out: what is settled does not change
 * @returns one sentence for each difference
 */
export async function differencesOfSealedDraws(tx: Tx, fromDrawId = 0n): Promise<string[]> {
  const differences: string[] = []
  for (const draw of await tx.run(queries.findSealed, [fromDrawId])) {
    const say = (what: string): void => void differences.push(`draw ${draw.id}: ${what}`)
    const close = readStatement(draw.closeText)
    const rules = readRules(draw.rulesText)
    if (close.type !== 'close') throw new Error(`the close of draw ${draw.id} is a ${close.type}`)
    if (close.open !== draw.openHash) say(`its close is of another draw, ${close.open}`)
    const counted = await checkLeaves(tx, draw, { close, rules, say })
    if (draw.resultText !== null)
      await checkResult(tx, { ...draw, resultText: draw.resultText }, counted.masks, { close, rules, say })
  }
  return differences
}

interface Signed {
  readonly close: Close
  readonly rules: Rules
  readonly say: Say
}

/** Compares the leaves with the close, and the plays with the leaves. */
async function checkLeaves(tx: Tx, draw: Sealed, { close, rules, say }: Signed): Promise<Counted> {
  const revoked = await revokedOf(tx, draw.id)
  const gone = new Set(revoked.map(({ index }) => index))
  const tree = new TreeFolder(NODE_HASH)
  const counted: Counted = { size: 0, lines: 0, free: 0, carried: 0, stake: 0n, masks: new Map() }
  for await (const rows of tx.stream(queries.streamLeaves, [draw.id], LEAVES_A_STEP)) {
    for (const { leaf, isRevocation } of rows) {
      tree.add(leafHash(NODE_HASH, leaf))
      if (!isRevocation && !gone.has(counted.size)) count(counted, leaf, rules.price.value)
      counted.size += 1
    }
  }
  const root = toHex(tree.root())
  if (root !== close.root) say(`its leaves have the root ${root}, its close says ${close.root}`)
  const { count: times, list } = revokedSummary(revoked)
  if (times !== close.revoked.count || list !== close.revoked.list) say('other leaves are revoked than its close says')
  for (const figure of ['size', 'lines', 'free', 'carried', 'stake'] as const)
    if (counted[figure] !== close[figure])
      say(`its leaves come to ${figure} ${counted[figure]}, its close says ${close[figure]}`)
  if (draw.plays !== counted.size - 2 * revoked.length || Number(draw.played) !== counted.lines)
    say(`${draw.plays} plays of ${draw.played} lines are in it, its leaves say otherwise`)
  return counted
}

/** Which leaves are revoked, and by which leaf. */
async function revokedOf(tx: Tx, drawId: bigint): Promise<{ index: number; by: number }[]> {
  const revocations = await tx.run(queries.findRevocations, [drawId])
  return revocations.map(({ index: by, leaf }) => ({
    index: Number(viewOf(leaf).getBigUint64(LEAF.revokedIndex)),
    by,
  }))
}

function count(counted: Counted, leaf: Uint8Array, price: number): void {
  const view = viewOf(leaf)
  const [rate, free, lines] = [view.getUint32(LEAF.rate), view.getUint16(LEAF.free), view.getUint16(LEAF.lines)]
  counted.lines += lines
  counted.free += free
  counted.carried += rate === 0 ? lines - free : 0
  counted.stake += stakeOf(lines - free, price, rate)
  for (let line = 0; line < lines; line += 1) {
    const mask = view.getBigUint64(LEAF.masks + MASK_BYTES * line)
    counted.masks.set(mask, (counted.masks.get(mask) ?? 0) + 1)
  }
}

/** Compares numbers, winners and prizes with the result. */
async function checkResult(
  tx: Tx,
  draw: Sealed & { readonly resultText: string },
  masks: ReadonlyMap<bigint, number>,
  { close, rules, say }: Signed,
): Promise<void> {
  const result = readStatement(draw.resultText)
  if (result.type !== 'result') throw new Error(`the result of draw ${draw.id} is a ${result.type}`)
  if (result.close !== draw.closeHash || result.signature !== draw.beaconSignature) say('its result is of another seal')
  const key = drawKey({
    seed: fromHex(close.seed),
    openHash: fromHex(draw.openHash),
    closeHash: fromHex(draw.closeHash),
    round: close.round,
    randomness: randomnessOf(fromHex(result.signature)),
  })
  const numbers = drawNumbers(key, rules)
  if (numbers.join() !== result.numbers.join()) say(`its numbers are ${numbers.join(' ')}, its result says others`)
  const winnersByMatches = winnersOf(masks, maskOf(numbers))
  const winners = rules.tier.map(({ matches }) => winnersByMatches.get(matches) ?? 0)
  const prizes = prizesOf(rules, winners, { ...close, rate: close.rate.value })
  if (prizes.left !== result.left) say(`${prizes.left} sats are left, its result says ${result.left}`)
  const wins = new Map((await tx.run(queries.countWins, [draw.id])).map((row) => [row.matches, row]))
  for (const [place, { matches }] of rules.tier.entries()) {
    const [times, each] = [winners[place] ?? 0, prizes.each[place] ?? 0n]
    const said = result.tier[place]
    if (said?.matches !== matches || said.winners !== times || said.each !== each)
      say(`${matches} matches win ${times} times ${each} sats, its result says otherwise`)
    const won = wins.get(matches)
    const isPaid = times === 0 || (won?.leastSats === each && won.mostSats === each)
    if ((won?.winners ?? 0) !== times || !isPaid) say(`${matches} matches won ${times} times ${each} sats, wins differ`)
    wins.delete(matches)
  }
  if (wins.size > 0) say(`it has wins for ${[...wins.keys()].join(', ')} matches, which win nothing`)
}

function winnersOf(masks: ReadonlyMap<bigint, number>, drawn: bigint): Map<number, number> {
  const winners = new Map<number, number>()
  for (const [mask, times] of masks) {
    const matches = bitsOf(mask & drawn)
    winners.set(matches, (winners.get(matches) ?? 0) + times)
  }
  return winners
}

function bitsOf(mask: bigint): number {
  let bits = 0
  for (let rest = mask; rest > 0n; rest &= rest - 1n) bits += 1
  return bits
}
