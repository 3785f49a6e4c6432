import type { Files } from './runtime.ts'

/** What is wrong with the witness's own folder, for the person it belongs to. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/** A file of this many bytes is not read: no witness of a lottery fills it. */
const MAX_BYTES = 512 * 1024 * 1024

/** A file that only grows, a line of JSON for each fact. A line that a crash tore off is taken away before the next one. */
export class Journal {
  readonly #files: Files
  readonly #path: string
  #isTorn = false

  private constructor(files: Files, path: string) {
    this.#files = files
    this.#path = path
  }

  /**
   * Reads a journal and repairs its end.
   *
   * @param isReadOnly leaves the file as it is: somebody else's, or one that is being written
   * @throws FolderError where a whole line is no JSON object, which no crash of this program leaves
   */
  static open(
    files: Files,
    path: string,
    { isReadOnly = false }: { isReadOnly?: boolean } = {},
  ): { journal: Journal; rows: Record<string, unknown>[] } {
    const bytes = files.read(path) ?? new Uint8Array()
    if (bytes.length > MAX_BYTES) throw new FolderError(`${path} is too large to be read.`)
    const end = bytes.lastIndexOf(0x0a) + 1
    if (end < bytes.length && !isReadOnly) files.truncate(path, end)
    const lines = new TextDecoder().decode(bytes.subarray(0, end)).split('\n').slice(0, -1)
    const rows = lines.map((line, place) => readRow(line, `${path}, line ${place + 1}`))
    return { journal: new Journal(files, path), rows }
  }

  /**
   * Adds facts; when it returns they are on the disk. After a failure nothing more is added, because a line may be torn.
   *
   * @throws FolderError after a failure; and what the disk throws
   */
  add(...rows: readonly object[]): void {
    if (rows.length === 0) return
    if (this.#isTorn) throw new FolderError(`${this.#path} could not be written. Start again when it can.`)
    this.#isTorn = true
    this.#files.append(this.#path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    this.#isTorn = false
  }
}

/** A text of a row. @throws FolderError */
export function textOf(row: Record<string, unknown>, key: string): string {
  const value = row[key]
  if (typeof value !== 'string') throw new FolderError(`A line of the folder has no ${key}.`)
  return value
}

/** A whole number of a row. @throws FolderError */
export function numberOf(row: Record<string, unknown>, key: string): number {
  const value = row[key]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new FolderError(`A line of the folder has no number ${key}.`)
  }
  return value
}

function readRow(line: string, where: string): Record<string, unknown> {
  const row = parseObject(line)
  if (row === null) throw new FolderError(`${where} is damaged. Put back a copy of the folder, or begin a new one.`)
  return row
}

/** A JSON object, or null for anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return value as Record<string, unknown> // the line before has held it against every other kind of value
  } catch {
    return null // not JSON
  }
}
