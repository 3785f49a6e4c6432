import { assert } from '../assert.ts'
import { asciiBytes, equalBytes, u64 } from './bytes.ts'
import { type Hash, nobleHash } from './hash.ts'
import { type Codec, fail, hash32, sats, whole, word, words } from './statement-codecs.ts'
import { linesOf, readFields, writeFields } from './statements.ts'
import { splitOf } from './tree.ts'

/** Solvency (section 10): a sum tree of the debts to accounts, and the text that proves the reserves. */

const LEAF = Uint8Array.of(2)
const NODE = Uint8Array.of(3)

/** A node of the sum tree: its hash, and the total owed to the accounts below it. */
interface SumNode {
  readonly hash: Uint8Array
  readonly sats: bigint
}

/** The leaf of an account: `H(0x02 || nonce || u64 sats || username)`. @param nonce 32 random bytes of the account */
export function sumLeaf(
  { nonce, username, sats: owed }: { readonly nonce: Uint8Array; readonly username: string; readonly sats: bigint },
  hash: Hash = nobleHash,
): SumNode {
  assert(nonce.length === 32 && owed >= 0n, 'not an account')
  return { hash: hash(LEAF, nonce, u64(Number(owed)), asciiBytes(username)), sats: owed }
}

/** The parent of two neighbours: `H(0x03 || lh || u64 ls || rh || u64 rs)`, and their sum. */
function sumNode(left: SumNode, right: SumNode, hash: Hash = nobleHash): SumNode {
  const joined = hash(NODE, left.hash, u64(Number(left.sats)), right.hash, u64(Number(right.sats)))
  return { hash: joined, sats: left.sats + right.sats }
}

/** The root of a sum tree with at least one leaf, split as in RFC 6962. */
export function sumRoot(leaves: readonly SumNode[], hash: Hash = nobleHash): SumNode {
  const [first, second] = leaves
  assert(first !== undefined, 'a sum tree has a leaf')
  if (second === undefined) return first
  const middle = splitOf(leaves.length)
  return sumNode(sumRoot(leaves.slice(0, middle), hash), sumRoot(leaves.slice(middle), hash), hash)
}

/** A step from a leaf to the root: the neighbour and its side. */
interface SumStep extends SumNode {
  readonly side: 'left' | 'right'
}

/** The path of a leaf, from the leaf up. */
export function sumPath(leaves: readonly SumNode[], index: number, hash: Hash = nobleHash): SumStep[] {
  if (leaves.length <= 1) return []
  const middle = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)]
  return index < middle
    ? [...sumPath(left, index, hash), { side: 'right', ...sumRoot(right, hash) }]
    : [...sumPath(right, index - middle, hash), { side: 'left', ...sumRoot(left, hash) }]
}

/** Whether a path leads from an account's leaf to the root in a `solvency` statement. */
export function isInSum(leaf: SumNode, path: readonly SumStep[], root: SumNode, hash: Hash = nobleHash): boolean {
  let node = leaf
  for (const step of path) node = step.side === 'left' ? sumNode(step, node, hash) : sumNode(node, step, hash)
  return node.sats === root.sats && equalBytes(node.hash, root.hash)
}

/** The reserves of an operator, proven by signatures of their addresses over the previous `solvency` statement. */
interface Reserves {
  readonly block: { readonly height: number; readonly hash: string }
  readonly utxo: readonly {
    readonly transaction: string
    readonly output: number
    readonly sats: bigint
    readonly address: string
  }[]
  readonly signature: readonly { readonly address: string; readonly signature: string }[]
}

const block = words(whole, hash32)(
  (height, hash) => ({ height, hash }),
  ({ height, hash }: Reserves['block']) => [height, hash],
)
const output: Codec<{ readonly transaction: string; readonly output: number }> = {
  read: (text) => {
    const [transaction = '', place = '', ...more] = text.split(':')
    return more.length === 0
      ? { transaction: hash32.read(transaction), output: whole.read(place) }
      : fail(`not an output: ${text}`)
  },
  write: ({ transaction, output: place }) => `${transaction}:${place}`,
}
const utxo = words(
  output,
  sats,
  word,
)(
  (place, amount, address) => ({ ...place, sats: amount, address }),
  ({ transaction, output: place, sats: amount, address }: Reserves['utxo'][number]) => [
    { transaction, output: place },
    amount,
    address,
  ],
)
const signature = words(word, word)(
  (address, signed) => ({ address, signature: signed }),
  ({ address, signature: signed }: Reserves['signature'][number]) => [address, signed],
)
const FIELDS = [
  { key: 'block', codec: block, many: '' },
  { key: 'utxo', codec: utxo, many: '*' },
  { key: 'signature', codec: signature, many: '*' },
] as const
const FIRST_LINE = 'fairball/reserves/v2'

/** Reads the text of reserves. @throws StatementError for anything else */
export function readReserves(text: string): Reserves {
  const [first, ...lines] = linesOf(text)
  if (first !== FIRST_LINE) return fail('no reserves of version 2')
  return readFields(lines, FIELDS) as unknown as Reserves // the table above gives each key its values
}

/** Writes the text of reserves. @throws StatementError if they are invalid */
export function writeReserves(reserves: Reserves): string {
  const text = `${FIRST_LINE}\n${writeFields(FIELDS, reserves)}`
  readReserves(text)
  return text
}
