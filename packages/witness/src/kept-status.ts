import { join } from 'node:path'
import { FolderError, parseObject } from './journal.ts'
import type { Files } from './runtime.ts'

const STATUS_FILE = 'status.json'

/** What an operator may stop serving: the log's end, or what was in it before. */
const PARTS = ['log', 'old'] as const
export type Part = (typeof PARTS)[number]

/** The key of the alarm that a part of the log has not come since a moment, epoch seconds. */
export function silenceKey(part: Part, since: number): string {
  return `silence:${part}:${since}`
}

/** What a witness knows from one round to the next, and after its program was started again. Times are epoch seconds. */
export class KeptStatus {
  readonly #place: StatusPlace
  readonly #failingSince: Record<Part, number | null>
  #lookedAt: number | null

  /** The page of old statements that did not come when asked for; null for none. In the file from its next change on. */
  owedFrom: number | null

  private constructor(place: StatusPlace, row: Record<string, unknown>) {
    this.#place = place
    this.#lookedAt = wholeOf(row['looked_at'])
    this.#failingSince = { log: wholeOf(row['log_since']), old: wholeOf(row['old_since']) }
    this.owedFrom = wholeOf(row['old_from'])
  }

  /** Reads what was kept; nothing is known before the first round. @throws FolderError where the file is damaged */
  static open(place: StatusPlace): KeptStatus {
    const bytes = place.files.read(join(place.folder, STATUS_FILE))
    const row = bytes === null ? {} : parseObject(new TextDecoder().decode(bytes))
    if (row === null) throw new FolderError(`${STATUS_FILE} is damaged. Delete it: it is made again.`)
    return new KeptStatus(place, row)
  }

  /** When the whole log was last looked at: when its last page was asked for. Null before. */
  get lookedAt(): number | null {
    return this.#lookedAt
  }

  /** Since when a part has not come; null while it does. */
  failingSince(part: Part): number | null {
    return this.#failingSince[part]
  }

  /** The keys of the alarms for what does not come now. */
  get silenceKeys(): string[] {
    return PARTS.flatMap((part) => {
      const since = this.#failingSince[part]
      return since === null ? [] : [silenceKey(part, since)]
    })
  }

  /** Keeps when the whole log was looked at. */
  keepLooked(at: number): void {
    this.#lookedAt = at
    this.#write()
  }

  /** Keeps since when a part does not come; null once it does again. */
  keepFailing(part: Part, since: number | null): void {
    this.#failingSince[part] = since
    this.#write()
  }

  #write(): void {
    const { files, folder, url } = this.#place
    const content = {
      format: 'fairball/witness-status/v1',
      url,
      looked_at: this.#lookedAt,
      log_since: this.#failingSince.log,
      old_since: this.#failingSince.old,
      old_from: this.owedFrom,
    }
    files.replace(join(folder, STATUS_FILE), `${JSON.stringify(content)}\n`)
  }
}

/** Where a status is kept, and whose it is. */
interface StatusPlace {
  readonly files: Files
  readonly folder: string
  /** the operator's address */
  readonly url: string
}

function wholeOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? Number(value) : null
}
