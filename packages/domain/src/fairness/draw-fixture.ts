import { assert } from '../assert.ts'
import { gameByKey, type GameRules } from '../games.ts'
import { settlePrizes } from '../jackpot.ts'
import { lineMask } from '../lines.ts'
import { asciiBytes, compareBytes, concatBytes, fromHex, toHex } from './bytes.ts'
import { randomnessOf } from './chain.ts'
import { ENTRY_KIND, entryId, HASH_BYTES, leafData, leafHash, ownerTag, type PublishedEntry } from './entry.ts'
import { NOBLE_HASH } from './hash.ts'
import { drawKey, drawNumbers } from './sampler.ts'
import { winnersByMatches } from './sealed-entries.ts'
import { statementHash, type StatementOf, statementText } from './statements.ts'
import { MerkleTree } from './tree.ts'

/** The lines of one order in one draw. */
export interface PlayFixture {
  readonly username: string
  readonly lines: readonly (readonly number[])[]
  /** how many of them a free ticket paid for, the first ones */
  readonly free?: number
  /** 32 bytes; one that is the same in every run when left out */
  readonly secret?: Uint8Array
}

/** A draw as the operator knows it. */
export interface DrawFixture {
  readonly game: string
  readonly number: number
  readonly openHash: string
  readonly seed: Uint8Array
  readonly plays: readonly (Required<PlayFixture> & { readonly ids: readonly Uint8Array[] })[]
  /** in the order of the tree */
  readonly entries: readonly PublishedEntry[]
  /** as published */
  readonly entriesBytes: Uint8Array
  readonly root: string
  readonly free: number
}

const DRAW_TIME = 1_800_000_000

/** Bytes that look random and are the same in every run. */
export function fixedBytes(name: string, length = HASH_BYTES): Uint8Array {
  let bytes = new Uint8Array()
  for (let count = 0; bytes.length < length; count += 1) {
    bytes = concatBytes(bytes, NOBLE_HASH.sha256(asciiBytes(`${name} ${count}`))) as Uint8Array<ArrayBuffer>
  }
  return bytes.slice(0, length)
}

/** A play of the draw's lines for a player, with the same lines in every run. */
export function fixedPlay(
  username: string,
  lines: number,
  { pick, pool }: { pick: number; pool: number },
): PlayFixture {
  const line = (place: number): number[] =>
    drawNumbers(fixedBytes(`${username} line ${place}`), { pick, pool }).toSorted((one, other) => one - other)
  return { username, lines: Array.from({ length: lines }, (_, place) => line(place)) }
}

/** When draw n of a fixture starts, epoch seconds. */
export function startOf(number: number): number {
  return DRAW_TIME + number * 86_400
}

/** What an honest operator says after the round: numbers and tiers that follow. */
export function honestResult({
  open,
  close,
  rules,
  signature,
  entries,
}: {
  readonly open: StatementOf<'open'>
  readonly close: StatementOf<'close'>
  readonly rules: StatementOf<'rules'>
  readonly signature: string
  readonly entries: Uint8Array
}): Pick<StatementOf<'result'>, 'type' | 'close' | 'signature' | 'numbers' | 'tiers'> {
  const closeHash = statementHash(statementText(close))
  const openHash = statementHash(statementText(open))
  const key = drawKey({
    seed: fromHex(close.seed),
    openHash: fromHex(openHash),
    closeHash: fromHex(closeHash),
    round: close.round,
    randomness: randomnessOf(fromHex(signature)),
  })
  const numbers = drawNumbers(key, open)
  const { tiers } = settlePrizes({
    tiers: rules.tiers,
    winnersByMatches: winnersByMatches(entries, lineMask(numbers)),
    poolSats: close.pool,
    bankrollSats: close.bankroll,
    floorSats: close.floor,
    satsPerUnit: close.rate.amount,
  })
  return { type: 'result', close: closeHash, signature, numbers, tiers }
}

/** The draw's entries and tree for its plays. */
export function drawOf(
  draw: Pick<DrawFixture, 'game' | 'number' | 'openHash' | 'seed'>,
  plays: readonly PlayFixture[],
): DrawFixture {
  const open = fromHex(draw.openHash)
  const known = plays.map((play, place) => {
    const { free = 0, secret = fixedBytes(`secret of play ${place} in ${draw.game} ${draw.number}`) } = play
    return { ...play, free, secret, ids: play.lines.map((_, line) => entryId(secret, open, line)) }
  })
  const entries = known
    .flatMap(({ username, lines, free, secret, ids }) =>
      lines.map((numbers, line): PublishedEntry => {
        const id = ids[line] ?? new Uint8Array()
        const kind = line < free ? ENTRY_KIND.free : ENTRY_KIND.paid
        return { id, kind, mask: lineMask(numbers), ownerTag: ownerTag(secret, open, id, username) }
      }),
    )
    .toSorted((one, other) => compareBytes(one.id, other.id))
  return {
    ...draw,
    plays: known,
    entries,
    entriesBytes: publishedBytes(entries),
    root: rootOf(draw.openHash, entries),
    free: entries.filter(({ kind }) => kind === ENTRY_KIND.free).length,
  }
}

/** The entries as they are published. */
export function publishedBytes(entries: readonly PublishedEntry[]): Uint8Array {
  const unused = new Uint8Array(HASH_BYTES)
  return concatBytes(...entries.map((entry) => leafData(unused, entry).subarray(HASH_BYTES)))
}

/** The root over entries, hex. */
export function rootOf(openHash: string, entries: readonly PublishedEntry[]): string {
  const leaves = entries.map((entry) => leafHash(fromHex(openHash), entry))
  return toHex(new MerkleTree(concatBytes(...leaves)).root())
}

/** The game of a key. */
export function gameOf(key: string): GameRules {
  const game = gameByKey(key)
  assert(game !== null, `no game ${key}`)
  return game
}
