import type { Files } from './runtime.ts'

/** A problem with the witness's own folder. The message is for its owner. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/** Maximum length of a file, in bytes; the witness of a lottery never needs as much. */
const MAX_BYTES = 512 * 1024 * 1024

/** An append-only file with one JSON line per fact. A line cut off by a crash is removed before the next is added. */
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
   * @param isReadOnly leaves the file unchanged, because another process may own or write it
   * @throws FolderError if a complete line is not a JSON object, which a crash of this program cannot cause
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
   * Adds facts, which are on the disk when this returns. After a failure nothing more is added, because the last line
   * may be incomplete.
   *
   * @throws FolderError after a failure, and any error of the disk
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
    return value as Record<string, unknown> // every other kind of value was excluded above
  } catch {
    return null // not JSON
  }
}
