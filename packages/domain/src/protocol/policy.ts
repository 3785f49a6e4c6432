import { toHex, utf8Bytes } from './bytes.ts'
import { cosignedAt, LOG_KEY_TYPE, type NoteKey, readVerifierKey, type SignedNote, WITNESS_KEY_TYPE } from './note.ts'
import { POLICY_BYTES } from './numbers.ts'

/** Policies: the witnesses, and the quorum of them (section 3; C2SP tlog-policy). */

export interface PolicyWitness extends NoteKey {
  /** it takes checkpoints at `<url>/add-checkpoint`; null if the policy gives no URL */
  readonly url: string | null
}

export interface Policy {
  /** keys of logs that the policy names */
  readonly logs: readonly NoteKey[]
  readonly witnesses: readonly PolicyWitness[]
  /** null for `quorum none`, which is never met */
  readonly quorum: Quorum | null
}

/** One witness, or a threshold of a group. */
type Quorum = PolicyWitness | { readonly threshold: number; readonly members: readonly Quorum[] }

/** A text is not a policy. The message gives the reason, for its author. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
}

const NONE = 'none'
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/
const THRESHOLD = /^[1-9][0-9]{0,3}$/

/** The part of a policy read so far. */
interface Draft {
  readonly logs: NoteKey[]
  readonly witnesses: PolicyWitness[]
  readonly named: Map<string, Quorum>
  readonly grouped: Set<string>
  quorum: Quorum | null | undefined
}

/** Reads a policy. Witness keys are distinct and of type cosignature/v1. @throws PolicyError for anything else */
export function readPolicy(text: string): Policy {
  if (utf8Bytes(text).length > POLICY_BYTES) throw new PolicyError(`A policy has at most ${POLICY_BYTES} bytes.`)
  if (CONTROL.test(text)) throw new PolicyError('A policy has no control characters but tabs and line feeds.')
  if (text !== '' && !text.endsWith('\n')) throw new PolicyError('Each line of a policy ends with a line feed.')
  const draft: Draft = { logs: [], witnesses: [], named: new Map(), grouped: new Set(), quorum: undefined }
  for (const line of text.split('\n')) {
    const words = line.split(/[ \t]/).filter((word) => word !== '')
    if (words[0] !== undefined && !words[0].startsWith('#')) readLine(draft, words)
  }
  const { logs, witnesses, quorum } = draft
  if (quorum === undefined) throw new PolicyError('A policy says its quorum.')
  return { logs, witnesses, quorum }
}

/**
 * Whether a checkpoint meets a policy if only cosignatures dated from `from` to `until` count (section 3).
 * `quorum none` is never met.
 *
 * @param from epoch seconds, included
 * @param until epoch seconds, included
 */
export function isMet({ quorum }: Policy, checkpoint: SignedNote, from: number, until: number): boolean {
  const counts = (part: Quorum): boolean => {
    if ('publicKey' in part) return cosignedAt(checkpoint, part).some((at) => at >= from && at <= until)
    return part.members.filter(counts).length >= part.threshold
  }
  return quorum !== null && counts(quorum)
}

const READERS: ReadonlyMap<string, (draft: Draft, words: readonly string[]) => void> = new Map([
  ['log', readLog],
  ['witness', readWitness],
  ['group', readGroup],
  ['quorum', readQuorum],
])

function readLine(draft: Draft, [kind = '', ...words]: readonly string[]): void {
  const read = READERS.get(kind)
  if (read === undefined) throw new PolicyError(`A policy has no line "${kind}".`)
  read(draft, words)
}

function readLog(draft: Draft, [key, ...more]: readonly string[]): void {
  if (key === undefined || more.length > 1) throw new PolicyError('A line "log" has a key and perhaps a URL.')
  const log = keyOf(key, LOG_KEY_TYPE)
  if (isAmong(draft.logs, log)) throw new PolicyError(`The log key ${key} stands twice.`)
  draft.logs.push(log)
}

function readWitness(draft: Draft, [name, key, url, ...more]: readonly string[]): void {
  if (name === undefined || key === undefined || more.length > 0) {
    throw new PolicyError('A line "witness" has a name, a key and perhaps a URL.')
  }
  const witness = { ...keyOf(key, WITNESS_KEY_TYPE), url: url ?? null }
  if (isAmong(draft.witnesses, witness)) throw new PolicyError(`The witness key ${key} stands twice.`)
  draft.witnesses.push(witness)
  define(draft, name, witness)
}

function readGroup(draft: Draft, [name, threshold, ...names]: readonly string[]): void {
  if (name === undefined || threshold === undefined || names.length === 0) {
    throw new PolicyError('A line "group" has a name, a threshold and its members.')
  }
  const members = names.map((member) => {
    const part = draft.named.get(member)
    if (part === undefined) throw new PolicyError(`"${member}" is not defined above the group "${name}".`)
    if (draft.grouped.has(member)) throw new PolicyError(`"${member}" is a member twice.`)
    draft.grouped.add(member)
    return part
  })
  define(draft, name, { threshold: thresholdOf(threshold, members.length), members })
}

function readQuorum(draft: Draft, [name, ...more]: readonly string[]): void {
  if (draft.quorum !== undefined) throw new PolicyError('A policy has one line "quorum".')
  if (name === undefined || more.length > 0) throw new PolicyError('A line "quorum" has one name.')
  const quorum = name === NONE ? null : draft.named.get(name)
  if (quorum === undefined) throw new PolicyError(`"${name}" is not defined above the quorum.`)
  draft.quorum = quorum
}

function define({ named }: Draft, name: string, part: Quorum): void {
  if (name === NONE || named.has(name)) throw new PolicyError(`The name "${name}" is taken.`)
  named.set(name, part)
}

function thresholdOf(text: string, members: number): number {
  if (text === 'all') return members
  if (text === 'any') return 1
  const threshold = Number(text)
  if (!THRESHOLD.test(text) || threshold > members) {
    throw new PolicyError(`"${text}" of ${members} members is no threshold.`)
  }
  return threshold
}

function keyOf(text: string, type: number): NoteKey {
  try {
    return readVerifierKey(text, type)
  } catch {
    throw new PolicyError(`Not a key of type ${type}: ${text}`)
  }
}

function isAmong(keys: readonly NoteKey[], key: NoteKey): boolean {
  return keys.some(({ publicKey }) => toHex(publicKey) === toHex(key.publicKey))
}
