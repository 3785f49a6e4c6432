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

/** A statement dated longer than this before a look that did not find it is back-dated, in seconds. */
const BACK_DATED_SECONDS = 60
/** Maximum number of alarms of broken rules: more than a person can read. */
const MAX_BREACHES = 50

/** The dependencies of a reading. */
interface ReadingDeps {
  readonly kept: KeptLog
  readonly alarms: Alarms
  readonly get: GetFile
  readonly now: () => number
  /** the configured keys of the log, at least one */
  readonly named: readonly NoteKey[]
  /** whether the log's times are compared with this computer's clock */
  readonly holdsClock: boolean
}

/**
 * Reads the statements that heads of one log vouch for, and raises alarms for breaches of the protocol (section 16).
 */
export class LogReading {
  readonly #deps: ReadingDeps
  /** start of the newest look that found no statements beyond those read; null before the first */
  #lookedAt: number | null = null

  constructor(deps: ReadingDeps) {
    this.#deps = deps
  }

  /**
   * Whether a head is signed by the key in force at its size, by the statements read so far, or by a configured key
   * that the log has not announced yet.
   */
  isSigned({ checkpoint: { origin, note, size } }: KeptHead): boolean {
    const { kept, named } = this.#deps
    const { keys } = kept.reader
    const isTold = ({ publicKey }: NoteKey) => keys.some((key) => equalBytes(key.publicKey, publicKey))
    return isSignedAt(keys, origin, note, size) || named.some((key) => !isTold(key) && isSignedBy(note, key))
  }

  /**
   * Raises alarms that a crash prevented, and ends alarms of breaches that only an older version of this program found.
   */
  async recall(): Promise<void> {
    const { kept, alarms, now } = this.#deps
    for (const fault of kept.faults) await alarms.raise(suspicionOf(fault, null), now())
    const found = new Set(kept.faults.map(faultKey))
    for (const { key } of alarms.standing) if (key.startsWith('fault:') && !found.has(key)) alarms.end(key, now())
  }

  /** The reason why this log is no longer cosigned; null if no breach was found so far. */
  refusal(): string | null {
    const { kept, alarms } = this.#deps
    const breach = kept.faults.find(({ grade }) => grade === 'breach')
    if (breach !== undefined) return breach.text
    return alarms.standing.find(({ duration }) => duration === 'for-good')?.text ?? null
  }

  /** Records that a look found no statements beyond those read. @param at start of the look, epoch seconds */
  looked(at: number): void {
    this.#lookedAt = at
  }

  /**
   * Reads up to a signed head: keeps it and every statement that it vouches for.
   *
   * @throws RemoteError if the served files do not lead to the head, and any error of getting a file
   */
  async readTo(head: KeptHead): Promise<void> {
    const { kept } = this.#deps
    const { size } = head.checkpoint
    const same = kept.headOf(size)
    if (same !== null && contradict(same, head))
      return await this.#raise(forkOfOneSize(same, head, this.#signerOf(same, head)))
    if (size <= kept.size) return await this.#compareOlder(head)
    const remote = new RemoteLog(this.#deps.get, head.note, nodeHash)
    if (!(await this.#isContinued(head, remote))) return
    kept.keepHead(head, this.#deps.now())
    while (kept.size < size) await this.#takeNext(head, remote)
    await this.#checkKeys(head)
  }

  /** Compares a head with the statements already read. */
  async #compareOlder(head: KeptHead): Promise<void> {
    const { kept, now } = this.#deps
    const { size, root } = head.checkpoint
    const own = kept.rootAt(size)
    if (equalBytes(own, root)) {
      kept.keepHead(head, now())
      return await this.#checkKeys(head)
    }
    const newer = kept.headUpTo(kept.size)
    // Otherwise only a head with statements not yet readable vouches for those read so far.
    if (newer === null || newer.checkpoint.size < size) return
    const path = consistencyNodes(size, newer.checkpoint.size)
    const consistency = proofOf(nodeHash, path, (node) => kept.node(node))
    await this.#raise(forkOfTwoSizes(head, newer, { size, root: own, consistency }, this.#signerOf(head, newer)))
  }

  /** Whether a larger head continues the heads seen before. If both are signed and it does not, that is a fork. */
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

  /** Reads the next statements, at most 256. */
  async #takeNext(head: KeptHead, remote: RemoteLog): Promise<void> {
    const { kept, get, now } = this.#deps
    const tile = Math.floor(kept.size / TILE_WIDTH)
    const leaves = (await remote.tree.entries(tile)).slice(kept.size % TILE_WIDTH)
    const texts = leaves.map((leaf) => Buffer.from(leaf).toString('latin1'))
    for (const name of texts.flatMap(textsNamedBy)) await this.#takeText(name)
    // The alarm is raised before the statements count as read, so that after a crash they are read, and the alarm
    // raised, again.
    for (const folder of await treesThatShrank(kept.reader, texts, get)) await this.#raise(shrank(folder, head))
    const firstIndex = kept.size
    const timeBefore = kept.reader.time
    const faults = kept.take(leaves, now())
    for (const fault of faults.slice(0, MAX_BREACHES)) {
      const path = await proofFrom(remote, inclusionNodes(fault.index, head.checkpoint.size))
      await this.#raise(suspicionOf(fault, evidenceOf(fault, texts[fault.index - firstIndex] ?? '', path, head)))
    }
    await this.#checkDates(timeBefore)
  }

  async #takeText(name: string): Promise<void> {
    const { kept, get } = this.#deps
    if (kept.hasText(name)) return
    const text = await textFile(get, `text/${name}`)
    if (nameOfText(text) !== name) throw new RemoteError(`The operator serves another text under text/${name}.`)
    kept.keepText(text)
  }

  /** Raises an alarm for statements that an earlier look did not find although they are dated long before it. */
  async #checkDates(timeBefore: number): Promise<void> {
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

  /** Checks that a configured key belongs to the log, and that the key in force signed the head. */
  async #checkKeys({ checkpoint: { origin, note, size } }: KeptHead): Promise<void> {
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

  /** The key that signed both heads, in hex for evidence. */
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

/** Alarms of overdue statements, which end when the log has them. */
export function overdueIn(kept: KeptLog, now: number): Suspicion[] {
  return kept.reader.overdue(now).map(({ index, rule, text }) => {
    return { kind: 'late', key: `late:${rule}:${index}`, text, duration: 'while-so', evidence: null }
  })
}

/** The name of a tree in sentences. */
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

/** The statement, and the proof that a head signed by the log includes it. */
function evidenceOf(
  { index, rule, text: why }: Fault,
  text: string,
  path: readonly Uint8Array[],
  { note }: KeptHead,
): Suspicion['evidence'] {
  const file = { format: 'fairball/witness-breach/v2', rule, why, head: note, index, text, path: path.map(toHex) }
  return { name: `statement-${index}`, file: `${JSON.stringify(file, null, 1)}\n` }
}

/** The hashes of a proof, from the served tiles. */
async function proofFrom(remote: RemoteLog, path: readonly (readonly TreeNode[])[]): Promise<Uint8Array[]> {
  const hashes: Uint8Array[] = []
  for (const nodes of path) {
    hashes.push(foldPeaks(nodeHash, await Promise.all(nodes.map((node) => remote.node(node)))))
  }
  return hashes
}
