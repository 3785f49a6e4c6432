import { asciiBytes, utf8Bytes } from '@fairball/domain/protocol/bytes'
import { textHash } from '@fairball/domain/protocol/hash'
import {
  TEST_LOG_SEED,
  TEST_ORIGIN,
  TEST_POLICY,
  TEST_ROUNDS,
  TEST_RULES,
  TestOperator,
} from '@fairball/domain/protocol/operator-fixture'
import { soldDraw } from '@fairball/domain/protocol/read-log-fixture'
import { writeRules } from '@fairball/domain/protocol/rules'
import { type ServedFiles, serveTree, servedFiles } from '@fairball/domain/protocol/served-files-fixture'
import { checkpointOf, consistencyProof, handKey, requestOf } from './c2sp-fixture.ts'
import { runProgram } from './program.ts'
import type { WebAnswer } from './runtime.ts'
import { MemoryFiles, World } from './world-fixture.ts'

/** A test operator's served log, and a witness of it that runs in a test world. */

export const LOG_KEY = handKey(TEST_ORIGIN, TEST_LOG_SEED)
export const STATE = 'state'
export const FOLDER = `${STATE}/logs/${encodeURIComponent(TEST_ORIGIN)}`
const LOGS_FILE = 'logs.txt'
const PREFIX = `https://${TEST_ORIGIN}/`

/** An operator that serves its published files. */
export class ServedLog {
  readonly operator: TestOperator
  readonly files: ServedFiles = new Map()
  /** overrides the answers; null serves the file */
  instead: ((path: string) => Response | Promise<Response> | null) | null = null
  /** every requested path */
  readonly asked: string[] = []

  constructor(operator = new TestOperator()) {
    this.operator = operator
  }

  /** The texts of all statements. */
  get leaves(): string[] {
    return this.operator.statements.map(({ text }) => text)
  }

  /** Serves the log in its current state, with the trees of its draws. */
  publish(leaves: readonly string[] = this.leaves): string {
    serveTree(
      this.files,
      '',
      leaves.map((leaf) => Buffer.from(leaf, 'latin1')),
    )
    for (const draw of this.operator.draws) serveTree(this.files, `draw/${draw.open.hash}/`, draw.leaves)
    for (const text of [writeRules(TEST_RULES), TEST_POLICY]) this.files.set(`text/${textHash(text)}`, asciiBytes(text))
    const checkpoint = checkpointOf(leaves, LOG_KEY)
    this.files.set('checkpoint', utf8Bytes(checkpoint))
    return checkpoint
  }

  /** Serves all files that a verifier needs for the draws that are over. */
  async publishDraws(): Promise<void> {
    const bundle = await this.operator.bundle()
    for (const [path, bytes] of servedFiles(bundle, this.leaves)) this.files.set(path, bytes)
    this.publish()
  }

  /** A request to cosign the log's newest head. @param old size that the witness cosigned last */
  request(old: number, leaves: readonly string[] = this.leaves): string {
    return requestOf(old, consistencyProof(old, leaves), checkpointOf(leaves, LOG_KEY))
  }

  readonly network = async (url: string): Promise<Response> => {
    if (!url.startsWith(PREFIX)) return new Response(null, { status: 204 })
    const path = url.slice(PREFIX.length)
    this.asked.push(path)
    const other = (await this.instead?.(path)) ?? null
    if (other !== null) return other
    const bytes = this.files.get(path)
    return bytes === undefined ? new Response('', { status: 404 }) : new Response(Buffer.from(bytes))
  }
}

/** A running witness. */
interface RunningWitness {
  readonly world: World
  /** in the form of policies */
  readonly verifierKey: string
  /** its exit status, after its end */
  readonly ended: Promise<number>
  stop(): Promise<number>
}

/** Starts a witness of a log. @param files those of an earlier witness to continue */
export async function startWitness(
  log: ServedLog,
  {
    files = new MemoryFiles(),
    args = [],
    logs = `log ${LOG_KEY.verifierKey}\n`,
    at = log.operator.now + 1,
  }: {
    files?: MemoryFiles
    args?: readonly string[]
    logs?: string
    at?: number
  } = {},
): Promise<RunningWitness> {
  const world = new World(log.network, at, files, 4711 + files.writes)
  files.content.set(LOGS_FILE, Buffer.from(logs))
  const ending = new AbortController()
  const asleep = world.asleep()
  const all = ['serve', '--state', STATE, '--logs', LOGS_FILE, '--name', 'w.example/alice', ...args]
  const ended = runProgram(all, world, ending.signal, TEST_ROUNDS.isRoundSigned)
  await Promise.race([asleep, ended])
  const stop = async (): Promise<number> => {
    ending.abort()
    return await ended
  }
  return { world, verifierKey: await verifierKeyOf(files), ended, stop }
}

/** Requests the newest head of a log, as a log does that does not know the witness's size. */
export async function askAgain(log: ServedLog, { world }: RunningWitness): Promise<WebAnswer> {
  const answer = await world.post(log.request(0))
  return answer.status === 409 ? await world.post(log.request(Number(answer.body))) : answer
}

/** The kinds of the raised alarms. */
export function alarmKinds({ files }: World): unknown[] {
  return files.rows(`${FOLDER}/alarms.jsonl`).flatMap(({ kind }) => kind ?? [])
}

async function verifierKeyOf(files: MemoryFiles): Promise<string> {
  const world = new World(() => new Response(), 0, files)
  await runProgram(['key', '--state', STATE], world, new AbortController().signal)
  return world.outLines.at(-1) ?? ''
}

/** Starts a witness that has cosigned a log. */
export async function startCosigned(log = new ServedLog(soldDraw().operator), args: readonly string[] = []) {
  log.publish()
  const witness = await startWitness(log, { args })
  const { status } = await witness.world.post(log.request(0))
  if (status !== 200) throw new Error(`the first head was answered ${status}`)
  return { log, witness, world: witness.world, size: log.leaves.length }
}

/** The texts of the alarms, one per line. */
export function alarmTexts({ files }: World): string {
  const rows = files.rows(`${FOLDER}/alarms.jsonl`)
  return rows.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

/** The names of the evidence files. */
export function evidenceFiles({ files }: World): string[] {
  return files.names(FOLDER).filter((name) => name.startsWith('evidence-'))
}

/** A server's answer for a missing file. */
export const missing = (): Response => new Response('', { status: 404 })
