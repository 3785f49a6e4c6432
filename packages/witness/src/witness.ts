import { refused } from './answers.ts'
import { readRequest } from './request.ts'
import type { Runtime, WebAnswer, WebRequest } from './runtime.ts'
import type { WitnessedLog } from './witnessed-log.ts'

/** The end of the path; a server in front of the witness may add a prefix. */
const PATH = '/add-checkpoint'

/** A witness of one or more logs: it answers requests and polls each log's served files. */
export class Witness {
  readonly #logs: ReadonlyMap<string, WitnessedLog>
  readonly #broken = new AbortController()

  /** @param logs by origin */
  constructor(logs: ReadonlyMap<string, WitnessedLog>) {
    this.#logs = logs
  }

  /** Answers an HTTP request. @throws errors that end the program, if its folder cannot be written */
  async answer(request: WebRequest): Promise<WebAnswer> {
    try {
      return await this.#answer(request)
    } catch (error) {
      this.#broken.abort(error)
      throw error
    }
  }

  async #answer({ method, path, body }: WebRequest): Promise<WebAnswer> {
    if (!path.endsWith(PATH)) return refused(404, 'A witness answers at /add-checkpoint.')
    if (method !== 'POST') return refused(405, 'Checkpoints are posted.')
    if (body === null) return refused(413, 'The request is too long.')
    const request = readRequest(body)
    if (request === null) return refused(400, 'This is no old size, proof and checkpoint.')
    const log = this.#logs.get(request.origin)
    return log === undefined ? refused(404, 'This witness does not know the log.') : await log.add(request)
  }

  /** Polls all logs until the signal. @throws errors that end the program */
  async watch(runtime: Pick<Runtime, 'sleep'>, intervalSeconds: number, signal: AbortSignal): Promise<void> {
    const logs = [...this.#logs.values()]
    for (const log of logs) await log.recall()
    const ending = AbortSignal.any([signal, this.#broken.signal])
    while (!ending.aborted) {
      await Promise.all(logs.map((log) => log.look()))
      if (!ending.aborted) await runtime.sleep(intervalSeconds * 1000, ending)
    }
    if (this.#broken.signal.aborted) throw this.#broken.signal.reason
  }
}
