import { fromHex, toHex } from '@fairball/domain/fairness/bytes'
import { randomnessOf } from '@fairball/domain/fairness/chain'
import { ENTRY_KIND, leafHash } from '@fairball/domain/fairness/entry'
import { drawKey, drawNumbers } from '@fairball/domain/fairness/sampler'
import { parseStatementOf } from '@fairball/domain/fairness/statements'
import { TreeHasher } from '@fairball/domain/fairness/tree'
import { settlePrizes } from '@fairball/domain/jackpot'
import { lineMask } from '@fairball/domain/lines'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { NODE_HASH } from '../fairness/service.ts'
import * as queries from './queries.ts'

/** Entries read at a time. */
const ENTRIES_A_STEP = 10_000

type Sealed = RowOf<typeof queries.findSealed>

/**
 * I8: root, counts, numbers and prizes of every sealed draw, computed again from its stored entries and its round, are
 * those of its statements, and nothing joined or left it after the close. The beacon's signature was verified when it was
 * stored and is not verified again.
 *
 * @param tx one snapshot: `repeatable read` where others work meanwhile
 * @param fromDrawId draws with a lower id are left out: what is settled does not change
 * @returns one sentence for each difference
 */
export async function differencesOfSealedDraws(tx: Tx, fromDrawId = 0n): Promise<string[]> {
  const differences: string[] = []
  for (const draw of await tx.run(queries.findSealed, [fromDrawId])) {
    const say = (what: string): void => void differences.push(`draw ${draw.id}: ${what}`)
    const masks = await checkEntries(tx, draw, say)
    if (draw.result_text !== null) await checkResult(tx, { ...draw, result_text: draw.result_text }, masks, say)
  }
  return differences
}

/** Holds the entries against the close. @returns how often each mask was entered */
async function checkEntries(tx: Tx, draw: Sealed, say: (what: string) => void): Promise<Map<bigint, number>> {
  const close = parseStatementOf('close', draw.close_text)
  const openHash = fromHex(draw.open_hash)
  const tree = new TreeHasher(NODE_HASH)
  const masks = new Map<bigint, number>()
  let entries = 0
  let free = 0
  for await (const rows of tx.stream(queries.streamSealedEntries, [draw.id], ENTRIES_A_STEP)) {
    for (const row of rows) {
      const kind = row.kind === ENTRY_KIND.free ? ENTRY_KIND.free : ENTRY_KIND.paid
      // A mask comes back from PostgreSQL as a signed number of the same 64 bits.
      const mask = BigInt.asUintN(64, row.mask)
      tree.add(leafHash(openHash, { id: row.entry_id, kind, mask, ownerTag: row.owner_tag }, NODE_HASH))
      masks.set(mask, (masks.get(mask) ?? 0) + 1)
      entries += 1
      free += row.kind
    }
  }
  const root = toHex(tree.root())
  if (close.open !== draw.open_hash) say(`its close is of another draw, ${close.open}`)
  if (root !== close.root || root !== draw.root) say(`its entries have the root ${root}, its close says ${close.root}`)
  if (entries !== close.entries || free !== close.free)
    say(`it has ${entries} entries, ${free} of them free; its close says ${close.entries} and ${close.free}`)
  if (BigInt(entries) !== draw.played) say(`${draw.played} lines are played in it, ${entries} were sealed`)
  return masks
}

/** Holds numbers, winners and prizes against the result. */
async function checkResult(
  tx: Tx,
  draw: Sealed & { readonly result_text: string },
  masks: ReadonlyMap<bigint, number>,
  say: (what: string) => void,
): Promise<void> {
  const close = parseStatementOf('close', draw.close_text)
  const rules = parseStatementOf('rules', draw.rules_text)
  const result = parseStatementOf('result', draw.result_text)
  const { close_hash: closeHash } = draw
  if (result.close !== closeHash || result.signature !== draw.beacon_signature) say('its result is of another seal')
  const sources = { seed: fromHex(close.seed), openHash: fromHex(draw.open_hash), closeHash: fromHex(closeHash) }
  const key = drawKey(
    { ...sources, round: close.round, randomness: randomnessOf(fromHex(result.signature)) },
    NODE_HASH,
  )
  const numbers = drawNumbers(key, rules, NODE_HASH)
  if (numbers.join() !== result.numbers.join()) say(`its numbers are ${numbers.join(' ')}, its result says others`)

  const drawn = lineMask(numbers)
  const winnersByMatches = new Map<number, number>()
  for (const [mask, times] of masks) {
    const matches = bitsOf(mask & drawn)
    winnersByMatches.set(matches, (winnersByMatches.get(matches) ?? 0) + times)
  }
  const { tiers } = settlePrizes({
    tiers: rules.tiers,
    winnersByMatches,
    poolSats: close.pool,
    bankrollSats: close.bankroll,
    floorSats: close.floor,
    satsPerUnit: close.rate.amount,
  })
  const wins = new Map((await tx.run(queries.countWins, [draw.id])).map((row) => [row.matches, row]))
  for (const [place, tier] of tiers.entries()) {
    const { matches, winners, satsEach } = tier
    const said = result.tiers[place]
    if (said?.matches !== matches || said.winners !== winners || said.satsEach !== satsEach)
      say(`${matches} matches win ${winners} times ${satsEach} sats, its result says otherwise`)
    const won = wins.get(matches)
    const isPaid = winners === 0 || (won?.least_sats === satsEach && won.most_sats === satsEach)
    if ((won?.winners ?? 0) !== winners || !isPaid)
      say(`${matches} matches won ${winners} times ${satsEach} sats, wins differ`)
    wins.delete(matches)
  }
  if (wins.size > 0) say(`it has wins for ${[...wins.keys()].join(', ')} matches, which win nothing`)
}

function bitsOf(mask: bigint): number {
  let bits = 0
  for (let rest = mask; rest > 0n; rest &= rest - 1n) bits += 1
  return bits
}
