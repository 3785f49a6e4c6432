import { logContext } from './log-context.ts'
import { withoutKnown, withoutSecrets } from './log-secrets.ts'
import type { Logger, LogFunction, LogLevel } from './runtime.ts'

/** The levels in order, each with the number that pino and its readers know. */
const LEVELS: Record<LogLevel, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
}

/** Every level that `LOG_LEVEL` may name. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const satisfies LogLevel[]

/** A field whose name marks a secret is never written. */
const SECRET_NAME =
  /pass(word|phrase)?$|secret|token|authorization|cookie|mnemonic|private_?key|api_?key|xprv|^seed$|database_?url|smtp_?url|rpc_?url/i
const DEEPEST = 6

/** The destination of lines, and the level. */
interface LoggerOptions {
  level: LogLevel
  /** Takes one whole line, including its line feed. */
  write: (line: string) => void
  /** Epoch milliseconds for the line's `time`. */
  nowMs: () => number
  /** `json` for machines: one object per line. `text` for a person at a terminal. */
  format: 'json' | 'text'
  /** Secrets of the configuration, which no line may contain. */
  secrets?: readonly string[]
}

/**
 * Makes the logger of the process. Lines are written immediately, so that the last ones before a crash are not lost.
 */
export function createLogger(options: LoggerOptions): Logger {
  // JSON escapes a quote or a backslash in a secret.
  const secrets = (options.secrets ?? []).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  return loggerWith({ ...options, write: (line) => options.write(withoutKnown(line, secrets)) }, {})
}

function loggerWith(options: LoggerOptions, bindings: object): Logger {
  const at =
    (level: LogLevel): LogFunction =>
    (first, message) => {
      if (LEVELS[level] < (LEVELS[logger.level as LogLevel] ?? LEVELS.info)) return // an unknown level reads as info
      const isText = typeof first === 'string'
      const own = first instanceof Error ? { err: first } : isText || first === null ? {} : (first as object)
      const fields = plainFields({ ...logContext(), ...bindings, ...own })
      options.write(formatLine(options, level, withoutSecrets(isText ? first : (message ?? '')), fields))
    }
  const logger: Logger = {
    level: options.level,
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    silent: () => undefined,
    child: (fields) => loggerWith({ ...options, level: logger.level as LogLevel }, { ...bindings, ...fields }),
  }
  return logger
}

function formatLine(options: LoggerOptions, level: LogLevel, message: string, fields: Record<string, unknown>): string {
  const nowMs = options.nowMs()
  if (options.format === 'json') return `${JSON.stringify({ level, time: nowMs, ...fields, msg: message })}\n`

  const { err, ...others } = fields
  const pairs = Object.entries(others).map(([name, value]) => ` ${name}=${printable(value)}`)
  const stack = isRecord(err) ? `\n  ${String(err['stack'] ?? err['message']).replaceAll('\n', '\n  ')}` : ''
  const time = new Date(nowMs).toISOString().slice(11, 19)
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join('')}${stack}\n`
}

function printable(value: unknown): string {
  return typeof value === 'string' && /^\S*$/.test(value) ? value : JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Fields as JSON can carry them: secrets masked, bigint as text, bytes as hex, errors and requests abbreviated. */
function plainFields(fields: object): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) plain[name] = plainField(name, value)
  return plain
}

function plainField(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return '[secret]'
  if (name === 'req' && isRecord(value)) return shortRequest(value)
  if (name === 'res' && isRecord(value)) return { statusCode: value['statusCode'] }
  return plainValue(value, 0)
}

function plainValue(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return withoutSecrets(value)
  if (value instanceof Error) return plainError(value, depth)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (typeof value === 'function' || typeof value === 'symbol') return String(value)
  if (!isRecord(value) || value instanceof Date) return value
  if (depth >= DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((one) => plainValue(one, depth + 1))
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    SECRET_NAME.test(name) ? '[secret]' : plainValue(one, depth + 1),
  ])
  return Object.fromEntries(entries)
}

function plainError(error: Error, depth: number): unknown {
  const { code } = error as { code?: unknown }
  const told = (text: string): string => withoutSecrets(isAboutValue(code) ? withoutQuoted(text) : text)
  return {
    type: error.name,
    message: told(error.message),
    stack: told(error.stack ?? ''),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause !== undefined && depth < DEEPEST ? { cause: plainValue(error.cause, depth + 1) } : {}),
  }
}

/** SQLSTATEs of class 22: PostgreSQL repeats the value that it could not take, which came from a user. */
function isAboutValue(code: unknown): boolean {
  return typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
}

function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"/g, '"…"')
}

/** A request without its query: addresses of the mails' links contain tokens there. */
function shortRequest(request: Record<string, unknown>): unknown {
  const url = typeof request['url'] === 'string' ? request['url'].split('?', 1)[0] : undefined
  return { method: request['method'], url, remoteAddress: request['ip'] }
}
