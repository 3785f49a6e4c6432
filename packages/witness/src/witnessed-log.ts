import { equalBytes } from '@fairball/domain/protocol/bytes'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { cosignatureLine } from '@fairball/domain/protocol/note'
import { type GetFile, RemoteError, textFile } from '@fairball/domain/protocol/remote-log'
import { isConsistent } from '@fairball/domain/protocol/tree'
import type { Alarms } from './alarms.ts'
import { conflict, cosigned, refused } from './answers.ts'
import { clockTrouble } from './clock-check.ts'
import { ConnectionProblem } from './connection.ts'
import type { KeptHead, KeptLog } from './kept-log.ts'
import { type LogReading, overdueIn } from './log-reading.ts'
import { nodeHash } from './node-hash.ts'
import { Queue } from './queue.ts'
import type { CheckpointRequest } from './request.ts'
import type { WebAnswer } from './runtime.ts'
import { lengthText, type Teller } from './teller.ts'
import type { VerifiedDraws } from './verified-draws.ts'
import type { WitnessKey } from './witness-key.ts'

/** Maximum number of waiting requests of one log. */
const MAX_WAITING = 16

/** The dependencies of a log's witness. */
interface WitnessedLogDeps {
  readonly origin: string
  readonly kept: KeptLog
  readonly reading: LogReading
  readonly alarms: Alarms
  readonly get: GetFile
  readonly key: WitnessKey
  /** epoch seconds */
  readonly now: () => number
  /** the clock that dates cosignatures; `log`, the log's times, is for demonstrations only */
  readonly clock: 'own' | 'log'
  /** null if draws are not verified */
  readonly verified: VerifiedDraws | null
  readonly patienceSeconds: number
  readonly teller: Teller
}

/** The witness of one log: it answers requests to cosign and polls the log's served files, one task at a time. */
export class WitnessedLog {
  readonly #deps: WitnessedLogDeps
  readonly #queue = new Queue()
  /** time since which every look has failed, epoch seconds; null if the last one succeeded */
  #failingSince: number | null = null

  constructor(deps: WitnessedLogDeps) {
    this.#deps = deps
  }

  /** Raises and reports the alarms that a crash prevented. */
  async recall(): Promise<void> {
    await this.#deps.alarms.reportUnreported()
    await this.#deps.reading.recall()
  }

  /** Answers a request for this log (C2SP tlog-witness, `add-checkpoint`). */
  async add(request: CheckpointRequest): Promise<WebAnswer> {
    const { reading } = this.#deps
    const checkpoint = readCheckpoint(request.note)
    if (checkpoint === null) return refused(400, 'This is no checkpoint of the draw protocol.')
    const head = { checkpoint, note: request.note }
    if (!reading.isSigned(head)) return refused(403, 'No signature is of a key that is trusted for this log.')
    if (request.oldSize > checkpoint.size) return refused(400, 'The old size is above the size of the checkpoint.')
    if (this.#queue.waiting >= MAX_WAITING) return refused(503, 'Too many requests for this log are waiting.')
    return await this.#queue.run(() => this.#judge(request, head))
  }

  async #judge({ oldSize, proof }: CheckpointRequest, head: KeptHead): Promise<WebAnswer> {
    const { kept, reading } = this.#deps
    const { checkpoint } = head
    const before = reading.refusal()
    if (before !== null) return refusedForBreach(before)
    // A signed head within the statements read is always compared with them, even if the request is refused.
    if (checkpoint.size <= kept.size) await reading.readTo(head)
    const last = kept.cosigned
    const isSame = checkpoint.size === last.size && equalBytes(checkpoint.root, last.root)
    if (oldSize !== last.size || (checkpoint.size === last.size && !isSame)) return conflict(last.size)
    if (!isConsistent(nodeHash, last, checkpoint, proof)) {
      await this.#read(head) // it may show a fork
      return refused(422, `The proof does not lead from the checkpoint of size ${last.size} to this one.`)
    }
    const problem = await this.#read(head)
    if (problem !== null) return refused(503, problem)
    const found = reading.refusal()
    if (found !== null) return refusedForBreach(found)
    if (!(await this.#checkClock())) return refused(503, 'The clocks of the witness and of the log do not agree.')
    return this.#cosign(head)
  }

  /** Keeps the head as the last cosigned one, and then signs it. */
  #cosign({ checkpoint, note }: KeptHead): WebAnswer {
    const { kept, key, now, clock, teller, origin } = this.#deps
    // The times of cosignatures never decrease (C2SP tlog-cosignature).
    const at = Math.max(clock === 'own' ? now() : kept.reader.time, kept.cosigned.at)
    kept.keepCosigned(checkpoint, note, at)
    const line = cosignatureLine(checkpoint.note.text, key.name, at, key.secretSeed)
    teller.say('cosigned', `Cosigned ${checkpoint.size} statements of ${origin}.`, {
      origin,
      size: checkpoint.size,
      at,
    })
    return cosigned([line])
  }

  /** Reads up to a head. @returns the problem with the served files, or null */
  async #read(head: KeptHead): Promise<string | null> {
    const { origin, teller, reading } = this.#deps
    try {
      await reading.readTo(head)
      return null
    } catch (error) {
      const reason = reasonOf(error)
      teller.warn('unread', `The log ${origin} cannot be read up to size ${head.checkpoint.size}: ${reason}`, {
        origin,
      })
      return `The log cannot be read: ${reason}`
    }
  }

  /** Whether the clocks agree; raises an alarm while they do not. */
  async #checkClock(): Promise<boolean> {
    const { kept, alarms, clock, origin, now } = this.#deps
    if (clock === 'log') return true
    const at = now()
    const trouble = clockTrouble({ origin, statementAt: kept.reader.time, cosignedAt: kept.cosigned.at }, at)
    for (const suspicion of trouble) await alarms.raise(suspicion, at)
    alarms.endOthers(['clock'], new Set(trouble.map(({ key }) => key)), at)
    return trouble.length === 0
  }

  /** Gets the head that the log serves now, reads up to it, and checks for overdue statements. */
  async look(): Promise<void> {
    const { alarms, verified, kept, now } = this.#deps
    try {
      await this.#queue.run(() => this.#lookAtHead())
    } catch (error) {
      return await this.#failed(reasonOf(error), error instanceof ConnectionProblem ? 'silence' : 'unreadable')
    }
    this.#failingSince = null
    alarms.endOthers(['silence', 'unreadable'], new Set(), now())
    await verified?.verifyNext(kept, alarms, now())
  }

  async #lookAtHead(): Promise<void> {
    const { origin, get, kept, reading, alarms, now } = this.#deps
    const beganAt = now()
    const note = await textFile(get, 'checkpoint')
    const checkpoint = readCheckpoint(note)
    if (checkpoint === null || checkpoint.origin !== origin)
      throw new RemoteError('It serves no checkpoint of the log.')
    if (!reading.isSigned({ checkpoint, note }))
      throw new RemoteError('It serves a checkpoint that is not signed by the log.')
    await reading.readTo({ checkpoint, note })
    const { size } = kept.cosigned
    if (checkpoint.size < size) {
      throw new RemoteError(`It serves a head of ${checkpoint.size} statements, and ${size} were cosigned.`)
    }
    if (checkpoint.size === kept.size) reading.looked(beganAt)
    await this.#checkClock()
    const overdue = overdueIn(kept, beganAt)
    for (const suspicion of overdue) await alarms.raise(suspicion, beganAt)
    alarms.endOthers(['late'], new Set(overdue.map(({ key }) => key)), beganAt)
  }

  async #failed(reason: string, kind: 'silence' | 'unreadable'): Promise<void> {
    const { origin, alarms, now, patienceSeconds, teller } = this.#deps
    const at = now()
    this.#failingSince ??= at
    const since = at - this.#failingSince
    if (since < patienceSeconds) return teller.warn('look', `${origin} cannot be looked at: ${reason}`, { origin })
    const text = `For ${lengthText(since)}, ${origin} could not be looked at: ${reason}`
    await alarms.raise({ kind, key: kind, text, duration: 'while-so', evidence: null }, at)
  }
}

/** The answer after the log broke the protocol: none of its keys is trusted any more. */
function refusedForBreach(why: string): WebAnswer {
  return refused(403, `This log is not cosigned any more. ${why}`)
}

/** The reason why files could not be read, for people. @throws any other error, which ends the program */
function reasonOf(error: unknown): string {
  if (error instanceof RemoteError || error instanceof ConnectionProblem) {
    return error.message
  }
  throw error
}
