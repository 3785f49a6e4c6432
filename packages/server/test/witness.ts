import { fromBase64, toHex } from '@fairball/domain/protocol/bytes'
import { type Checkpoint, logKey, readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { cosignatureLine, isSignedBy, verifierKey, WITNESS_KEY_TYPE } from '@fairball/domain/protocol/note'
import { isConsistent, type TreeHead } from '@fairball/domain/protocol/tree'
import { addressIn } from './relays.ts'

/** A test's own witness, as in C2SP tlog-witness; the test can change its behaviour. */
export interface TestWitness {
  readonly name: string
  readonly url: string
  /** its line in a policy, by the name before the dot of its host */
  readonly policyLine: string
  /** heads that it cosigned, newest last */
  readonly seen: Checkpoint[]
  /** number of requests */
  asked: number
  /** its clock, epoch seconds */
  now: () => number
  /** what it answers instead of the right answer; null for the right one */
  misbehaves: ((request: string) => Promise<Response> | Response) | null
}

/** @param place 1 to 200: which of them, with a key of its own */
export function testWitness(place: number, now: () => number): TestWitness {
  const name = `w${place}.example/witness`
  const key = { name, publicKey: publicKeyOf(seedOf(place)) }
  const url = `https://w${place}.example`
  return {
    name,
    url,
    policyLine: `witness w${place} ${verifierKey(key, WITNESS_KEY_TYPE)} ${url}`,
    seen: [],
    asked: 0,
    now,
    misbehaves: null,
  }
}

/** A policy that this many of some witnesses meet. */
export function policyOf(witnesses: readonly TestWitness[], threshold: number): string {
  const names = witnesses.map((_, place) => witnesses[place]?.policyLine.split(' ')[1])
  const lines = witnesses.map(({ policyLine }) => policyLine)
  return [...lines, `group all ${threshold} ${names.join(' ')}`, 'quorum all', ''].join('\n')
}

/** Whether a request goes to one of some witnesses. */
export function isOfWitness(witnesses: readonly TestWitness[], input: Parameters<typeof globalThis.fetch>[0]): boolean {
  return witnesses.some(({ url }) => addressIn(input).startsWith(`${url}/`))
}

/** The network with some witnesses. @param publicKey of the log, hex */
export function witnessFetch(
  witnesses: readonly TestWitness[],
  log: () => { readonly origin: string; readonly publicKeys: readonly Uint8Array[] },
): typeof globalThis.fetch {
  return async (input, init) => {
    const address = addressIn(input)
    const witness = witnesses.find(({ url }) => address === `${url}/add-checkpoint`)
    if (witness === undefined) throw new TypeError('no such host')
    witness.asked += 1
    const body = init?.body
    if (typeof body !== 'string') throw new TypeError('a witness takes a text')
    return (await witness.misbehaves?.(body)) ?? answer(witness, body, log())
  }
}

function answer(
  witness: TestWitness,
  body: string,
  { origin, publicKeys }: { readonly origin: string; readonly publicKeys: readonly Uint8Array[] },
): Response {
  const end = body.indexOf('\n\n')
  const [first = '', ...proof] = body.slice(0, end).split('\n')
  const note = body.slice(end + 2)
  const checkpoint = readCheckpoint(note)
  if (checkpoint === null || !first.startsWith('old ')) return new Response('not a request', { status: 400 })
  if (checkpoint.origin !== origin) return new Response('unknown log', { status: 404 })
  if (!publicKeys.some((key) => isSignedBy(checkpoint.note, logKey(origin, key)))) {
    return new Response('not signed', { status: 403 })
  }
  const last: TreeHead = witness.seen.at(-1) ?? { size: 0, root: nobleHash() }
  if (Number(first.slice(4)) !== last.size) {
    return new Response(`${last.size}\n`, { status: 409, headers: { 'content-type': 'text/x.tlog.size' } })
  }
  if (!isConsistent(nobleHash, last, checkpoint, proof.map(fromBase64))) {
    return new Response('does not continue', { status: 422 })
  }
  witness.seen.push(checkpoint)
  return new Response(`${cosignedBy(witness, checkpoint.note.text, witness.now())}\n`)
}

/** The line of a witness over the text of a checkpoint. @param at epoch seconds */
export function cosignedBy({ name }: Pick<TestWitness, 'name'>, text: string, at: number): string {
  return cosignatureLine(text, name, at, seedOf(Number(/^w(\d+)/.exec(name)?.[1])))
}

/** The name under which a witness's cosignatures are kept. */
export function keyOfWitness({ name }: Pick<TestWitness, 'name'>): string {
  return toHex(publicKeyOf(seedOf(Number(/^w(\d+)/.exec(name)?.[1]))))
}

function seedOf(place: number): Uint8Array {
  return new Uint8Array(32).fill(0x60 + place)
}
