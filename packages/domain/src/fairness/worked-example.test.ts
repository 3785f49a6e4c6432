/** The worked example of the draw protocol, vectors/fairness.json, from one end to the other. */
import { describe, expect, it } from 'vitest'
import example from '../../vectors/fairness.json'
import { settlePrizes } from '../jackpot.ts'
import { lineMask, maskNumbers, matchesOf } from '../lines.ts'
import { QUICKNET, randomnessOf, roundOf, verifySignature } from './beacon.ts'
import { concatBytes, fromHex, toHex, u64 } from './bytes.ts'
import { ENTRY_RECORD_BYTES, leafData, leafHash, ownerTag, readEntryRecord } from './entry.ts'
import { drawKey, drawNumbers, sampleNumbers, seedHash, streamBlock, streamBytes, type SampledByte } from './sampler.ts'
import { keyId, signingPublicKey, signNote, verifyNote } from './signed-note.ts'
import { parseStatement, parseStatementOf, statementHash, statementText } from './statements.ts'
import { inclusionPath, TreeHasher, verifyInclusion } from './tree.ts'

const secretSeed = fromHex(example.operator.ed25519_private_seed)
const operator = { name: example.operator.name, publicKey: fromHex(example.operator.ed25519_public_key) }
const openHash = fromHex(example.open.hash)
const entriesBytes = fromHex(example.entries_bin)
const entries = example.entries.map((_, place) => readEntryRecord(entriesBytes, place * ENTRY_RECORD_BYTES))
const leafHashes = entries.map((entry) => leafHash(openHash, entry))

describe('the worked example of the draw protocol', () => {
  it('has the operator it says', () => {
    expect(toHex(signingPublicKey(secretSeed))).toBe(example.operator.ed25519_public_key)
    expect(toHex(keyId(operator))).toBe(example.operator.key_id)
  })

  it.each([example.rules, example.open, example.close, example.result])('hashes to $hash', ({ text, hash }) => {
    expect(statementHash(text)).toBe(hash)
  })

  it.each([example.open, example.close, example.result, example.receipt])(
    'is signed byte for byte',
    ({ text, note }) => {
      expect(signNote(text, { name: operator.name, secretSeed })).toBe(note)
      expect(verifyNote(note, operator)).toBe(text)
    },
  )

  it.each([example.rules, example.open, example.close, example.result, example.receipt])(
    'has statements that are read and written back the same',
    ({ text }) => expect(statementText(parseStatement(text))).toBe(text),
  )

  it('opens with the hash of its seed and the round of its start', () => {
    const open = parseStatementOf('open', example.open.text)
    expect(toHex(seedHash(fromHex(example.seed.seed)))).toBe(example.seed.seedhash)
    expect(open.seedhash).toBe(example.seed.seedhash)
    expect(open.rules).toBe(example.rules.hash)
    expect(roundOf(open.start, QUICKNET)).toBe(open.round)
  })

  it.each(example.entries.map((entry, place) => ({ ...entry, place })))(
    'entry $place has its mask, owner tag, leaf and place in the published entries',
    ({ place, id, kind, numbers, mask, player, owner_tag, leaf_data, leaf_hash }) => {
      const secret = fromHex(example.players.find((known) => known.player === player)?.secret ?? '')
      const entry = {
        id: fromHex(id),
        kind: kind === 1 ? 1 : 0,
        mask: lineMask(numbers),
        ownerTag: fromHex(owner_tag),
      } as const
      expect(toHex(u64(lineMask(numbers)))).toBe(mask)
      expect(maskNumbers(lineMask(numbers))).toEqual(numbers)
      expect(toHex(ownerTag(secret, openHash, fromHex(id), player))).toBe(owner_tag)
      expect(toHex(leafData(openHash, entry))).toBe(leaf_data)
      expect(toHex(leafHash(openHash, entry))).toBe(leaf_hash)
      expect(entries[place]).toEqual(entry)
    },
  )

  it('publishes the entries as their leaves without the identity of the draw', () => {
    expect(toHex(concatBytes(...entries.map((entry) => leafData(openHash, entry).subarray(32))))).toBe(
      example.entries_bin,
    )
  })

  it('seals them under the root of its close statement', () => {
    const tree = new TreeHasher()
    for (const hash of leafHashes) tree.add(hash)
    expect(toHex(tree.root())).toBe(example.root)
    expect(parseStatementOf('close', example.close.text)).toMatchObject({ root: example.root, entries: 5, free: 1 })
  })

  it.each(example.paths)('leads from entry $index to the root', ({ index, size, path }) => {
    const proof = { index, size, path: path.map((hash) => fromHex(hash)), root: fromHex(example.root) }
    expect(inclusionPath(leafHashes, index).map(toHex)).toEqual(path)
    expect(verifyInclusion({ ...proof, leafHash: leafHashes[index] ?? new Uint8Array() })).toBe(true)
  })

  it('draws its numbers from seed, open, close and beacon', () => {
    const { round, signature, randomness } = example.beacon
    expect(verifySignature(QUICKNET, BigInt(round), signature)).toBe(true)
    expect(toHex(randomnessOf(fromHex(signature)))).toBe(randomness)
    const key = drawKey({
      seed: fromHex(example.seed.seed),
      openHash,
      closeHash: fromHex(example.close.hash),
      round: BigInt(round),
      randomness: fromHex(randomness),
    })
    expect(toHex(key)).toBe(example.draw_key)
    expect(toHex(streamBlock(key, 0))).toBe(example.stream_block_0)
    expect(toHex(streamBlock(key, 1))).toBe(example.stream_block_1)
    const steps: SampledByte[] = []
    sampleNumbers(streamBytes(key), { pick: 6, pool: 49 }, (step) => steps.push(step))
    expect(steps).toEqual(example.sampling)
    expect(drawNumbers(key, { pick: 6, pool: 49 })).toEqual(example.numbers)
  })

  it('pays what its result statement says', () => {
    const close = parseStatementOf('close', example.close.text)
    const result = parseStatementOf('result', example.result.text)
    const rules = parseStatementOf('rules', example.rules.text)
    const drawnMask = lineMask(example.numbers)
    const matches = entries.map((entry) => matchesOf(entry.mask, drawnMask))
    expect(matches).toEqual(example.entries.map((entry) => entry.matches))
    const winnersByMatches = new Map<number, number>()
    for (const count of matches) winnersByMatches.set(count, (winnersByMatches.get(count) ?? 0) + 1)
    const { tiers } = settlePrizes({
      tiers: rules.tiers,
      winnersByMatches,
      poolSats: close.pool,
      bankrollSats: close.bankroll,
      floorSats: close.floor,
      satsPerUnit: close.rate.amount,
    })
    expect(tiers).toEqual(result.tiers)
  })
})
