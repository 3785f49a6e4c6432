import { equalBytes, toHex } from '@fairball/domain/protocol/bytes'
import type { Fault } from '@fairball/domain/protocol/read-state'
import { logKey } from '@fairball/domain/protocol/checkpoint'
import { isSignedAt } from '@fairball/domain/protocol/known-log'
import { isSignedBy, type NoteKey } from '@fairball/domain/protocol/note'
import { TILE_WIDTH } from '@fairball/domain/protocol/numbers'
import { textsNamedBy } from '@fairball/domain/protocol/read-log'
import { type GetFile, RemoteError, RemoteLog, textFile } from '@fairball/domain/protocol/remote-log'
import { consistencyNodes, foldPeaks, inclusionNodes, proofOf, type TreeNode } from '@fairball/domain/protocol/tree'
import type { Alarms, Suspicion } from './alarms.ts'
import { contradict, forkOfOneSize, forkOfTwoSizes } from './fork.ts'
import type { KeptHead, KeptLog } from './kept-log.ts'
import { nameOfText, nodeHash } from './node-hash.ts'
import { lengthText } from './teller.ts'
import { treesThatShrank } from './tree-growth.ts'

/** A statement dated so long before a look at the log that did not have it is back-dated, in seconds. */
const BACK_DATED_SECONDS = 60
/** Not more alarms of broken rules than a person can read. */
const MAX_BREACHES = 50

/** What a reading needs. */
interface ReadingDeps {
  readonly kept: KeptLog
  readonly alarms: Alarms
  readonly get: GetFile
  readonly now: () => number
  /** the keys of the log that its witness was given, one at least */
  readonly named: readonly NoteKey[]
  /** whether the log's times are held against the own clock */
  readonly holdsClock: boolean
}

/** Reads what heads of one log vouch for, and raises an alarm for what breaks the protocol (section 16). */
export class LogReading {
  readonly #deps: ReadingDeps
  /** when the newest look began that found the log to end where it was read to; null before */
  #lookedAt: number | null = null

  constructor(deps: ReadingDeps) {
    this.#deps = deps
  }

  /**
   * Whether a head is signed by the key in force at its size, as far as the log was read, or by a named one that the log has
   * not told yet.
   */
  isSigned({ checkpoint: { origin, note, size } }: KeptHead): boolean {
    const { kept, named } = this.#deps
    const { keys } = kept.reader
    const isTold = ({ publicKey }: NoteKey) => keys.some((key) => equalBytes(key.publicKey, publicKey))
    return isSignedAt(keys, origin, note, size) || named.some((key) => !isTold(key) && isSignedBy(note, key))
  }

  /** Raises what a crash kept from being raised, and ends what an older version of this program took for a breach. */
  async recall(): Promise<void> {
    const { kept, alarms, now } = this.#deps
    for (const fault of kept.faults) await alarms.raise(suspicionOf(fault, null), now())
    const found = new Set(kept.faults.map(faultKey))
    for (const { key } of alarms.standing) if (key.startsWith('fault:') && !found.has(key)) alarms.end(key, now())
  }

  /** Why this log is not cosigned any more; null while it is honest as far as it was read. */
  refusal(): string | null {
    const { kept, alarms } = this.#deps
    const breach = kept.faults.find(({ grade }) => grade === 'breach')
    if (breach !== undefined) return breach.text
    return alarms.standing.find(({ duration }) => duration === 'for-good')?.text ?? null
  }

  /** Notes that a look, begun at a moment, found the log to end where it was read to. @param at epoch seconds */
  looked(at: number): void {
    this.#lookedAt = at
  }

  /**
   * Reads up to a signed head: keeps it, and every statement that it vouches for.
   *
   * @throws RemoteError, or what getting a file throws, where the files that are served do not lead to it
   */
  async readTo(head: KeptHead): Promise<void> {
    const { kept } = this.#deps
    const { size } = head.checkpoint
    const same = kept.headOf(size)
    if (same !== null && contradict(same, head))
      return await this.#raise(forkOfOneSize(same, head, this.#signerOf(same, head)))
    if (size <= kept.size) return await this.#holdOlder(head)
    const remote = new RemoteLog(this.#deps.get, head.note, nodeHash)
    if (!(await this.#isContinued(head, remote))) return
    kept.keepHead(head, this.#deps.now())
    while (kept.size < size) await this.#takeNext(head, remote)
    await this.#holdKeys(head)
  }

  /** A head of what was read already. */
  async #holdOlder(head: KeptHead): Promise<void> {
    const { kept, now } = this.#deps
    const { size, root } = head.checkpoint
    const own = kept.rootAt(size)
    if (equalBytes(own, root)) {
      kept.keepHead(head, now())
      return await this.#holdKeys(head)
    }
    const newer = kept.headUpTo(kept.size)
    // Else what was read so far is vouched for by a head whose other statements could not be read yet.
    if (newer === null || newer.checkpoint.size < size) return
    const path = consistencyNodes(size, newer.checkpoint.size)
    const consistency = proofOf(nodeHash, path, (node) => kept.node(node))
    await this.#raise(forkOfTwoSizes(head, newer, { size, root: own, consistency }, this.#signerOf(head, newer)))
  }

  /** Whether a larger head continues what was seen; where both are signed and it does not, that is a fork. */
  async #isContinued(head: KeptHead, remote: RemoteLog): Promise<boolean> {
    const { kept } = this.#deps
    const older = kept.headUpTo(head.checkpoint.size)
    const size = older?.checkpoint.size ?? 0
    const root = await remote.tree.rootAt(size)
    if (older !== null && !equalBytes(root, older.checkpoint.root)) {
      const consistency = await proofFrom(remote, consistencyNodes(size, head.checkpoint.size))
      await this.#raise(forkOfTwoSizes(older, head, { size, root, consistency }, this.#signerOf(older, head)))
      return false
    }
    if (equalBytes(await remote.tree.rootAt(kept.size), kept.rootAt(kept.size))) return true
    throw new RemoteError('The statements that are served are not those that were served before.')
  }

  /** Takes the next statements, 256 at most. */
  async #takeNext(head: KeptHead, remote: RemoteLog): Promise<void> {
    const { kept, get, now } = this.#deps
    const tile = Math.floor(kept.size / TILE_WIDTH)
    const leaves = (await remote.tree.entries(tile)).slice(kept.size % TILE_WIDTH)
    const texts = leaves.map((leaf) => Buffer.from(leaf).toString('latin1'))
    for (const name of texts.flatMap(textsNamedBy)) await this.#takeText(name)
    // Raised before the statements count as read: after a crash they are read, and raised, again.
    for (const folder of await treesThatShrank(kept.reader, texts, get)) await this.#raise(shrank(folder, head))
    const firstIndex = kept.size
    const timeBefore = kept.reader.time
    const faults = kept.take(leaves, now())
    for (const fault of faults.slice(0, MAX_BREACHES)) {
      const path = await proofFrom(remote, inclusionNodes(fault.index, head.checkpoint.size))
      await this.#raise(suspicionOf(fault, evidenceOf(fault, texts[fault.index - firstIndex] ?? '', path, head)))
    }
    await this.#holdDates(timeBefore)
  }

  async #takeText(name: string): Promise<void> {
    const { kept, get } = this.#deps
    if (kept.hasText(name)) return
    const text = await textFile(get, `text/${name}`)
    if (nameOfText(text) !== name) throw new RemoteError(`The operator serves another text under text/${name}.`)
    kept.keepText(text)
  }

  /** What was not in the log when it was looked at, and is dated long before that look, is back-dated. */
  async #holdDates(timeBefore: number): Promise<void> {
    const { kept, holdsClock } = this.#deps
    const { time } = kept.reader
    const early = (this.#lookedAt ?? 0) - time
    if (!holdsClock || time === timeBefore || early <= BACK_DATED_SECONDS) return
    await this.#raise({
      kind: 'back-dated',
      key: `back-dated:${kept.size - 1}`,
      text:
        `Statement ${kept.size - 1} is dated ${lengthText(early)} before a moment at which the log did not have it: ` +
        'it is back-dated, or a clock is wrong.',
      duration: 'once',
      evidence: null,
    })
  }

  /** A key that was named is one of the log, and the one in force signed the head. */
  async #holdKeys({ checkpoint: { origin, note, size } }: KeptHead): Promise<void> {
    const { kept, named } = this.#deps
    const { keys } = kept.reader
    const isNamed = named.some((key) => keys.some(({ publicKey }) => equalBytes(publicKey, key.publicKey)))
    const about = { kind: 'breach', duration: 'for-good', evidence: null } as const
    if (!isNamed) {
      const text = `No key that was named for ${origin} is one of the keys in its log.`
      await this.#raise({ ...about, key: 'key:named', text })
    }
    if (!isSignedAt(keys, origin, note, size)) {
      const text = `The head of size ${size} of ${origin} is not signed with the key that its log has in force.`
      await this.#raise({ ...about, key: `key:${size}`, text })
    }
  }

  /** The key that signed both heads, as evidence names it: hex. */
  #signerOf(one: KeptHead, other: KeptHead): string {
    const { kept, named } = this.#deps
    const { origin } = one.checkpoint
    const keys = [...named, ...kept.reader.keys.map(({ publicKey }) => logKey(origin, publicKey))]
    const signs = (key: NoteKey, { checkpoint }: KeptHead) => isSignedBy(checkpoint.note, key)
    const key = keys.find((it) => signs(it, one) && signs(it, other)) ?? keys.find((it) => signs(it, other)) ?? keys[0]
    return toHex(key?.publicKey ?? new Uint8Array())
  }

  async #raise(suspicion: Suspicion): Promise<void> {
    await this.#deps.alarms.raise(suspicion, this.#deps.now())
  }
}

/** What the log has not and should have, as alarms that end when it has. */
export function overdueIn(kept: KeptLog, now: number): Suspicion[] {
  return kept.reader.overdue(now).map(({ index, rule, text }) => {
    return { kind: 'late', key: `late:${rule}:${index}`, text, duration: 'while-so', evidence: null }
  })
}

/** What a tree is of. */
function treeTitle(folder: string): string {
  return folder === 'paid/' ? 'the payments' : `the draw ${folder.split('/')[1] ?? ''}`
}

function shrank(folder: string, { checkpoint }: KeptHead): Suspicion {
  return {
    kind: 'breach',
    key: `tree:${folder}:${checkpoint.size}`,
    text: `Fraud: the tree of ${treeTitle(folder)} was changed after its operator had signed it.`,
    duration: 'for-good',
    evidence: null,
  }
}

function faultKey({ index, rule }: Fault): string {
  return `fault:${index}:${rule}`
}

function suspicionOf(fault: Fault, evidence: Suspicion['evidence']): Suspicion {
  const isBreach = fault.grade === 'breach'
  return {
    kind: isBreach ? 'breach' : 'doubt',
    key: faultKey(fault),
    text: fault.text,
    duration: isBreach ? 'for-good' : 'once',
    evidence: isBreach ? evidence : null,
  }
}

/** The statement, and the proof that a head with the log's signature has it. */
function evidenceOf(
  { index, rule, text: why }: Fault,
  text: string,
  path: readonly Uint8Array[],
  { note }: KeptHead,
): Suspicion['evidence'] {
  const file = { format: 'fairball/witness-breach/v2', rule, why, head: note, index, text, path: path.map(toHex) }
  return { name: `statement-${index}`, file: `${JSON.stringify(file, null, 1)}\n` }
}

/** The hashes of a proof, from the tiles that are served. */
async function proofFrom(remote: RemoteLog, path: readonly (readonly TreeNode[])[]): Promise<Uint8Array[]> {
  const hashes: Uint8Array[] = []
  for (const nodes of path) {
    hashes.push(foldPeaks(nodeHash, await Promise.all(nodes.map((node) => remote.node(node)))))
  }
  return hashes
}
