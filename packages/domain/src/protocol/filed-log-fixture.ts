import { assert } from '../assert.ts'
import type { Bundle } from './bundle.ts'
import { asciiBytes, toHex, utf8Bytes, utf8Text } from './bytes.ts'
import { checkpointText } from './checkpoint.ts'
import type { CollectRequest } from './collect-bundle.ts'
import { publicKeyOf } from './ed25519.ts'
import { nobleHash, textHash } from './hash.ts'
import { cosignatureLine, signatureLine, writeNote } from './note.ts'
import { TILE_WIDTH } from './numbers.ts'
import { TEST_LOG_SEED, TEST_ORIGIN, TEST_POLICY, TEST_RULES, TestOperator } from './operator-fixture.ts'
import { writeRules } from './rules.ts'
import { collect, type ServedFiles, serveTree } from './served-files-fixture.ts'
import { NO_HASH } from './statement-codecs.ts'
import { type LogStatement, type StatementOf, type StatementType, writeStatement } from './statements.ts'

/** A log for tests of what is read from it: each statement stands in the file of 256 that the test chooses. */

/** Secret seeds of the log's keys, in the order of their announcements. */
export const SEEDS = [TEST_LOG_SEED, new Uint8Array(32).fill(2), new Uint8Array(32).fill(3)] as const
/** A leaf that is no statement of the protocol. */
const FILLER = 'no statement\n'
const WITNESS_SEED = new Uint8Array(32).fill(9)

/** An honest statement of each type, for the values that a test does not choose. */
const MODELS = modelsOf()

/** Values of a statement that a test chooses. */
type Chosen<T extends LogStatement['type']> = Partial<Omit<StatementOf<T>, 'type'>>

export class FiledLog {
  readonly leaves: string[] = []

  /** @param isWhole whether the log begins as usual, with its key and the rules of its game */
  constructor(isWhole = true) {
    if (!isWhole) return
    this.addKey('log', 0)
    this.add('game', {})
  }

  /** Adds a statement; what is not given is as in an honest draw without plays. @returns its hash */
  add<T extends LogStatement['type']>(type: T, chosen: Chosen<T>): string {
    const model = MODELS.find((statement) => statement.type === type)
    const text = writeStatement({ ...model, ...chosen, type } as unknown as StatementOf<StatementType>)
    this.leaves.push(text)
    return textHash(text)
  }

  /** Announces a key of `SEEDS`, which promises the next one. @returns the hash of the statement */
  addKey(type: 'log' | 'key', place: 0 | 1 | 2): string {
    const next = SEEDS[place + 1]
    return this.add(type, {
      key: toHex(publicKeyOf(SEEDS[place])),
      next: next === undefined ? NO_HASH : toHex(nobleHash(publicKeyOf(next))),
    })
  }

  /** Begins further files of 256 statements: what is missing is filled with leaves that are no statements. */
  nextFile(files = 1): void {
    const size = (Math.ceil(this.leaves.length / TILE_WIDTH) + files - 1) * TILE_WIDTH
    this.fill(size - this.leaves.length)
  }

  /** Adds leaves that are no statements. */
  fill(count: number): void {
    for (let added = 0; added < count; added += 1) this.leaves.push(FILLER)
  }

  /** The files of the log. @param seeds of the keys that sign the head, besides a witness */
  files(seeds: readonly Uint8Array[] = [TEST_LOG_SEED]): ServedFiles {
    const files: ServedFiles = new Map()
    const root = serveTree(files, '', this.leaves.map(asciiBytes))
    const text = checkpointText(TEST_ORIGIN, { size: this.leaves.length, root })
    const lines = seeds.map((seed) => signatureLine(text, TEST_ORIGIN, seed))
    const witnessed = cosignatureLine(text, 'w.example', 1, WITNESS_SEED)
    files.set('checkpoint', utf8Bytes(writeNote(text, [...lines, witnessed])))
    for (const named of [writeRules(TEST_RULES), TEST_POLICY]) files.set(`text/${textHash(named)}`, asciiBytes(named))
    return files
  }
}

/** What a collected bundle has, and what was read for it. */
interface Collected {
  readonly bundle: Bundle
  /** indexes of its statements */
  readonly statements: readonly number[]
  /** the files of statements that were asked for, in this order */
  readonly read: readonly number[]
}

/** Collects a bundle, and says what was read of the log. */
export async function collected(
  files: ServedFiles,
  draws: CollectRequest['draws'],
  request: Partial<CollectRequest> = {},
): Promise<Collected> {
  const { asked, bundle: made } = collect(files, { draws, ...request })
  const bundle = await made
  const read = asked.flatMap((path) => /^tile\/entries\/([0-9]{3})/.exec(path)?.[1] ?? []).map(Number)
  return { bundle, statements: bundle.statements.map(({ index }) => index), read }
}

/** A seal as served. @param start tells seals apart */
export function servedSeal(files: ServedFiles, start: number, checkpoint?: string): Uint8Array {
  const head = files.get('checkpoint')
  assert(head !== undefined, 'no head')
  const note = checkpoint ?? utf8Text(head)
  return utf8Bytes(JSON.stringify({ checkpoint: note, start, left: [], statements: [], consistency: [] }))
}

function modelsOf(): readonly LogStatement[] {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  operator.sell(draw, [])
  operator.closeDraw(draw)
  operator.settle(draw)
  operator.giveUp(operator.openDraw(), 'outage')
  const ofLog = { log: TEST_ORIGIN, time: operator.now }
  const chain = { name: 'another', public_key: 'ab'.repeat(96), period: 3, genesis: 1, group_hash: NO_HASH }
  return [
    ...operator.statements.map(({ statement }) => statement),
    { type: 'key', ...ofLog, key: NO_HASH, next: NO_HASH },
    { type: 'postpone', ...ofLog, open: NO_HASH, reason: 'outage', start: operator.now, round: 1 },
    { type: 'chain', ...ofLog, ...chain, chain: NO_HASH, beacon_id: 'another', scheme: 'another' },
  ]
}
