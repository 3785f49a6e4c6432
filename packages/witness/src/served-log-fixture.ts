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

/** A test operator's log as it is served, and a witness of it that runs in a world of its own. */

export const LOG_KEY = handKey(TEST_ORIGIN, TEST_LOG_SEED)
export const STATE = 'state'
export const FOLDER = `${STATE}/logs/${encodeURIComponent(TEST_ORIGIN)}`
const LOGS_FILE = 'logs.txt'
const PREFIX = `https://${TEST_ORIGIN}/`

/** An operator who serves what it publishes. */
export class ServedLog {
  readonly operator: TestOperator
  readonly files: ServedFiles = new Map()
  /** answers in place of the files; null leaves it to them */
  instead: ((path: string) => Response | Promise<Response> | null) | null = null
  /** every path that was asked for */
  readonly asked: string[] = []

  constructor(operator = new TestOperator()) {
    this.operator = operator
  }

  /** The texts of all statements. */
  get leaves(): string[] {
    return this.operator.statements.map(({ text }) => text)
  }

  /** Serves the log as it is now, and the trees of its draws. */
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

  /** Serves all that a verifier needs of the draws that are over. */
  async publishDraws(): Promise<void> {
    const bundle = await this.operator.bundle()
    for (const [path, bytes] of servedFiles(bundle, this.leaves)) this.files.set(path, bytes)
    this.publish()
  }

  /** The request by which a log asks for its newest head. @param old what the witness cosigned last */
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

/** A witness that runs. */
interface RunningWitness {
  readonly world: World
  /** as operators' policies have it */
  readonly verifierKey: string
  /** its exit status, once it ended */
  readonly ended: Promise<number>
  stop(): Promise<number>
}

/** Starts a witness of a log. @param files those of an earlier one, to go on from */
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

/** Asks for the newest head of a log, as a log does that has lost what the witness knows. */
export async function askAgain(log: ServedLog, { world }: RunningWitness): Promise<WebAnswer> {
  const answer = await world.post(log.request(0))
  return answer.status === 409 ? await world.post(log.request(Number(answer.body))) : answer
}

/** Kinds of the alarms that were raised. */
export function alarmKinds({ files }: World): unknown[] {
  return files.rows(`${FOLDER}/alarms.jsonl`).flatMap(({ kind }) => kind ?? [])
}

async function verifierKeyOf(files: MemoryFiles): Promise<string> {
  const world = new World(() => new Response(), 0, files)
  await runProgram(['key', '--state', STATE], world, new AbortController().signal)
  return world.outLines.at(-1) ?? ''
}

/** A witness that has cosigned a log. */
export async function startCosigned(log = new ServedLog(soldDraw().operator), args: readonly string[] = []) {
  log.publish()
  const witness = await startWitness(log, { args })
  const { status } = await witness.world.post(log.request(0))
  if (status !== 200) throw new Error(`the first head was answered ${status}`)
  return { log, witness, world: witness.world, size: log.leaves.length }
}

/** What the alarms say, one a line. */
export function alarmTexts({ files }: World): string {
  const rows = files.rows(`${FOLDER}/alarms.jsonl`)
  return rows.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

/** The names of the files of evidence. */
export function evidenceFiles({ files }: World): string[] {
  return files.names(FOLDER).filter((name) => name.startsWith('evidence-'))
}

/** What a server answers that does not have a file. */
export const missing = (): Response => new Response('', { status: 404 })
