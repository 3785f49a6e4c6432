import type { FairnessSource } from '@fairball/domain/fairness/collect-bundle'
import { ENTRY_RECORD_BYTES } from '@fairball/domain/fairness/entry'
import { STATEMENT_MAX_BYTES } from '@fairball/domain/fairness/statements'
import { parseObject } from './journal.ts'
import { fail, OperatorConnection, OperatorProblem } from './operator-connection.ts'
import type { OperatorAnswer } from './operator-connection.ts'
import type { Runtime } from './runtime.ts'

/** Some notes of the log; `next` is the `seq` to go on from, null at its end. */
export interface LogPage {
  readonly notes: readonly string[]
  readonly next: number | null
}

/** What is asked of an operator who is not trusted: every answer has a limit of time and size, and a shape. */
export interface OperatorClient extends FairnessSource {
  log(from: number): Promise<LogPage>
  /** Hands a signed note over. @returns null when it was taken, else what the operator said */
  handOver(note: string): Promise<string | null>
  /** the operator's clock by its last answer, epoch seconds; null where it never said */
  operatorNow(): number | null
}

const ENTRIES_TIMEOUT_MS = 300_000
const MOST_PAGE_BYTES = 4 * 1024 * 1024
const MOST_TEXT_BYTES = 64 * 1024
/** 2,000,000 entries: twice the largest draw a lottery is built for. */
const MOST_ENTRIES_BYTES = 2_000_000 * ENTRY_RECORD_BYTES
const MOST_NOTES_A_PAGE = 1000
/** A statement, and signature lines of some hundred bytes each. */
const LONGEST_NOTE = STATEMENT_MAX_BYTES + 32 * 1024

/** @param base where the lottery is, without a slash at the end */
export function createOperatorClient(runtime: Pick<Runtime, 'fetch' | 'nowMs'>, base: string): OperatorClient {
  const connection = new OperatorConnection(runtime, base)

  async function getObject(path: string): Promise<Record<string, unknown>> {
    const answer = await connection.ask(path, { mostBytes: MOST_PAGE_BYTES })
    assertFound(answer)
    return parseObject(decode(answer.bytes)) ?? fail('Its answer is not JSON.')
  }

  return {
    async log(from) {
      const { notes, next } = await getObject(`log?from=${from}`)
      const isEnd = next === null
      if (!isNotes(notes)) return fail('Its answer is not a page of a log.')
      if (!isEnd && (next !== from + notes.length || notes.length === 0))
        return fail('Its pages do not follow each other.')
      return { notes, next: isEnd ? null : from + notes.length }
    },

    async handOver(note) {
      const { status, bytes } = await connection.ask('witness', { mostBytes: MOST_TEXT_BYTES, body: note })
      return status === 200 || status === 201 ? null : `${status} ${refusalOf(bytes)}`
    },

    async record(game, draw) {
      const { notes, witnesses, beacon } = await getObject(`draws/${encodeURIComponent(game)}/${draw}`)
      if (!isNotes(notes) || !isNotes(witnesses)) return fail('Its record of a draw has another shape.')
      return { notes, witnesses, beacon: readBeacon(beacon) }
    },

    async rules(hash) {
      const answer = await connection.ask(`rules/${hash}`, { mostBytes: MOST_TEXT_BYTES })
      assertFound(answer)
      return decode(answer.bytes)
    },

    async entries(game, draw) {
      const path = `draws/${encodeURIComponent(game)}/${draw}/entries`
      const answer = await connection.ask(path, { mostBytes: MOST_ENTRIES_BYTES, timeoutMs: ENTRIES_TIMEOUT_MS })
      if (answer.status === 404) return null
      assertFound(answer)
      return answer.bytes
    },

    operatorNow: () => connection.operatorNow(),
  }
}

function assertFound({ status }: OperatorAnswer): void {
  if (status !== 200) throw new OperatorProblem(`It answers with status ${status}.`, { status })
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function isNotes(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_NOTES_A_PAGE &&
    value.every((note) => typeof note === 'string' && note.length <= LONGEST_NOTE)
  )
}

function readBeacon(value: unknown): { round: number; signature: string } | null {
  if (typeof value !== 'object' || value === null) return null
  const { round, signature } = value as { round?: unknown; signature?: unknown }
  if (typeof round !== 'number' || !Number.isSafeInteger(round) || round < 1 || typeof signature !== 'string') {
    return fail('Its beacon round has another shape.')
  }
  return { round, signature: signature.slice(0, 1000) }
}

/** What the operator says when it does not take a signature, for a line on a screen. */
function refusalOf(bytes: Uint8Array): string {
  const error = parseObject(decode(bytes))?.['error']
  if (typeof error !== 'object' || error === null) return ''
  const { code, message, fields } = error as { code?: unknown; message?: unknown; fields?: unknown }
  const note = typeof fields === 'object' && fields !== null ? (fields as { note?: unknown }).note : undefined
  return [code, message, note]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 300)
}
