import { expect, it } from 'vitest'
import addresses from '../vectors/addresses.json'
import { type BitcoinNetwork, parseBtcAddress } from './btc-address.ts'
import { toHex } from './protocol/bytes.ts'

/** Number of changed addresses in every run (trust.md section 3); they take three seconds. */
const MUTATIONS = 100_000
const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l123456789ABCDEFGHJKLMNPQRSTUVWXYZbio0OIl \n\0-_.:é１\u202E\uFEFF'

/** A seeded generator, so that every run makes the same changes (mulberry32). */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const random = generator(183)
// Only valid addresses are changed: one of Bitcoin Core's invalid ones is an address with an extra letter, so dropping
// that letter makes it valid.
const vectors = addresses.valid.map(({ address }) => address)
const letter = (): string => LETTERS.charAt(random(LETTERS.length))
const other = (): string => vectors[random(vectors.length)] ?? ''
const spliced = (text: string, at: number, removed: number, put: string): string =>
  text.slice(0, at) + put + text.slice(at + removed)

/** Ways to change an address; each takes the text and a position in it. */
const CHANGES: readonly ((text: string, at: number) => string)[] = [
  (text, at) => spliced(text, at, 1, letter()),
  (text, at) => spliced(text, at, 0, letter()),
  (text, at) => spliced(text, at, 1, ''),
  (text, at) => spliced(text, at, 2, (text[at + 1] ?? '') + (text[at] ?? '')),
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at) => text.slice(0, at) + other().slice(at),
  (text, at) => spliced(text, at, 1, (text[at] ?? '').toUpperCase()),
  (text, at) => spliced(text, at, 0, (text[at] ?? '').repeat(1 + random(200))),
  (text) => `bitcoin:${text}?amount=1`,
  (text) => ` ${text}`,
  (text) => `${text}\n`,
  (text) => text + text,
  (text) => text.split('').toReversed().join(''),
  // An inserted q before a last p keeps the checksum of BIP 173 valid; the length of the program shows the change.
  (text) => text.replace(/p$/, 'qp'),
  (text) => text.replace(/qp$/, 'p'),
]

const NETWORKS: readonly BitcoinNetwork[] = ['mainnet', 'testnet4', 'signet', 'regtest']

it(`a changed address is refused, or still pays to the script of its vector, in ${MUTATIONS} random changes`, () => {
  const known = new Map(addresses.valid.map((one) => [spelling(one.address), one]))
  const wrong: string[] = []
  let letIn = 0
  for (let count = 0; count < MUTATIONS; count++) {
    let text = other()
    for (let changes = 1 + random(3); changes > 0; changes--)
      text = CHANGES[random(CHANGES.length)]?.(text, random(text.length + 1)) ?? text
    const network = NETWORKS[random(NETWORKS.length)] ?? 'mainnet'
    const parsed = parseBtcAddress(text, network)
    if (parsed === null) continue
    letIn += 1
    const vector = known.get(spelling(text))
    const isSame = vector?.script_pub_key === toHex(parsed.scriptPubKey) && vector.networks.includes(network)
    if (!isSame) wrong.push(`${JSON.stringify(text)} on ${network}`)
  }
  expect(wrong).toEqual([])
  // Two changes may undo each other: a few addresses are valid again, most are not.
  expect(letIn).toBeGreaterThan(0)
  expect(letIn).toBeLessThan(MUTATIONS / 20)
}, 60_000)

/** Lower case for bech32, which may be written in capitals; base58 is case-sensitive. */
function spelling(address: string): string {
  const isBech32 =
    /^(bc|tb|bcrt)1/i.test(address) && (address === address.toLowerCase() || address === address.toUpperCase())
  return isBech32 ? address.toLowerCase() : address
}
