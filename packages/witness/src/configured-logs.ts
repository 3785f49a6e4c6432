import { operatorOf } from '@fairball/domain/protocol/checkpoint'
import { LOG_KEY_TYPE, type NoteKey, readVerifierKey } from '@fairball/domain/protocol/note'
import { UsageError } from './usage-error.ts'

/** A log that the witness cosigns, from the file of logs. */
export interface ConfiguredLog {
  /** `<operator>/fairball` */
  readonly origin: string
  /** at least one; several while the log changes its key */
  readonly keys: readonly NoteKey[]
  /** the address of its files, with a trailing slash */
  readonly prefix: string
}

/**
 * Reads the file of logs: lines `log <verifier key> [<address of its files>]`, as in C2SP tlog-policy. Empty lines and
 * lines that begin with `#` are ignored. Without an address, the files are at `https://<origin>/`.
 *
 * @returns each log once, with all its named keys
 * @throws UsageError with the line that is wrong
 */
export function readLogs(text: string): ConfiguredLog[] {
  const logs = new Map<string, ConfiguredLog>()
  text.split('\n').forEach((line, place) => {
    const words = line.split(/[ \t\r]+/).filter((word) => word !== '')
    if (words[0] === undefined || words[0].startsWith('#')) return
    const log = readLine(words)
    if (log === null) throw new UsageError(`Line ${place + 1} of the logs is not "log <verifier key> [<address>]".`)
    const known = logs.get(log.origin)
    if (known !== undefined && known.prefix !== log.prefix) {
      throw new UsageError(`The logs name two addresses for ${log.origin}.`)
    }
    logs.set(log.origin, { ...log, keys: [...(known?.keys ?? []), ...log.keys] })
  })
  if (logs.size === 0) throw new UsageError('The file of logs names none.')
  return [...logs.values()]
}

function readLine([kind, encoded = '', address, ...more]: readonly string[]): ConfiguredLog | null {
  if (kind !== 'log' || more.length > 0) return null
  const key = keyOf(encoded)
  if (key === null || !isOrigin(key.name)) return null
  const prefix = prefixOf(address ?? `https://${key.name}/`)
  return prefix === null ? null : { origin: key.name, keys: [key], prefix }
}

function keyOf(text: string): NoteKey | null {
  try {
    return readVerifierKey(text, LOG_KEY_TYPE)
  } catch {
    return null // the reader throws for invalid keys
  }
}

/** Whether a name is `<host>/fairball`: other logs have no statements that this program can read. */
function isOrigin(name: string): boolean {
  const host = operatorOf(name)
  return host !== null && /^[A-Za-z0-9][A-Za-z0-9.:[\]-]*$/.test(host)
}

function prefixOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!isPlain || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}
