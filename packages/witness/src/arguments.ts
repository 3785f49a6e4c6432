import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'
import { isWitnessName } from './witness-key.ts'

/** The parsed command line. */
export type Command =
  | { readonly verb: 'help' }
  | ServeCommand
  | { readonly verb: 'key'; readonly state: string; readonly name: string | null; readonly isJson: boolean }
  | { readonly verb: 'check'; readonly state: string; readonly isJson: boolean }

/** The options of serving. */
export interface ServeCommand {
  readonly verb: 'serve'
  readonly state: string
  readonly name: string | null
  /** the file that names the logs */
  readonly logs: string
  readonly host: string
  readonly port: number
  readonly intervalSeconds: number
  readonly patienceSeconds: number
  readonly alarmCommand: string | null
  readonly alarmWebhook: string | null
  readonly verifiesDraws: boolean
  /** the clock that dates cosignatures; `log`, the log's times, is for demonstrations only */
  readonly clock: 'own' | 'log'
  readonly isJson: boolean
}

const HELP = `fairball-witness: a witness of Fairball logs (C2SP tlog-witness) that reads every statement before it cosigns.

  fairball-witness serve --state <folder> --logs <file> [--name <name>] [options]
  fairball-witness key --state <folder> [--name <name>]     makes your key at the first use; prints it for operators' policies
  fairball-witness check --state <folder>                   verifies and sums up what was kept, without the network

  --state <folder>          where your key is and everything seen is kept
  --name <name>             how cosignatures name you, such as witness.example/alice; needed until there is a key
  --logs <file>             lines "log <verifier key> [<address of its files>]": what is cosigned
  --listen <host:port>      where add-checkpoint is answered (127.0.0.1:8480)
  --interval <seconds>      how often to look at what each log serves, 5 to 3600 (60)
  --silence <minutes>       alarm after so many minutes without a usable answer of a log (10)
  --alarm-command <program> run with the text of each alarm as its argument
  --alarm-webhook <url>     each alarm is posted there as JSON
  --no-verify               do not fetch and verify draws once they are over
  --clock own|log           what dates cosignatures; log is for demonstrations with a moved clock only (own)
  --json                    one JSON object a line
  --help

Exit status: 0 ended when asked, or all is well; 1 what was kept holds alarms (check); 2 the folder, the file of logs or the
port cannot be used, or the program was not asked properly.
`

/** The text of --help. */
export function helpText(): string {
  return HELP
}

/** Parses the arguments after the program's name. @throws UsageError */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  if (values.help === true) return { verb: 'help' }
  const [verb, ...more] = positionals
  if (verb !== 'serve' && verb !== 'key' && verb !== 'check') {
    throw new UsageError(verb === undefined ? 'Say what to do: serve, key or check.' : `There is no command ${verb}.`)
  }
  if (more.length > 0) throw new UsageError(`There is one word too many: ${more[0]}`)
  const state = values.state ?? ''
  if (state === '') throw new UsageError('Say with --state in which folder everything is kept.')
  const name = values.name ?? null
  if (name !== null && !isWitnessName(name)) {
    throw new UsageError(
      'A name has up to 128 letters, digits, dots, dashes, underscores, tildes and slashes, and begins with a letter or digit.',
    )
  }
  const isJson = values.json === true
  if (verb === 'serve') return readServe(values, { state, name, isJson })
  return verb === 'key' ? { verb, state, name, isJson } : { verb, state, isJson }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.')
  }
}

const OPTIONS = {
  state: { type: 'string' },
  name: { type: 'string' },
  logs: { type: 'string' },
  listen: { type: 'string', default: '127.0.0.1:8480' },
  interval: { type: 'string', default: '60' },
  silence: { type: 'string', default: '10' },
  'alarm-command': { type: 'string' },
  'alarm-webhook': { type: 'string' },
  'no-verify': { type: 'boolean' },
  clock: { type: 'string', default: 'own' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parsed>['values']

function readServe(
  values: Values,
  common: { readonly state: string; readonly name: string | null; readonly isJson: boolean },
): ServeCommand {
  const { logs, clock } = values
  if (logs === undefined) throw new UsageError('Say with --logs which file names the logs to cosign.')
  if (clock !== 'own' && clock !== 'log') throw new UsageError('--clock is own or log.')
  return {
    verb: 'serve',
    ...common,
    logs,
    ...readListen(values.listen),
    intervalSeconds: readWhole(values.interval, { option: '--interval', least: 5, most: 3600 }),
    patienceSeconds: 60 * readWhole(values.silence, { option: '--silence', least: 1, most: 10_080 }),
    alarmCommand: values['alarm-command'] ?? null,
    alarmWebhook: readWebhook(values['alarm-webhook']),
    verifiesDraws: values['no-verify'] !== true,
    clock,
  }
}

function readWhole(text: string, { option, least, most }: { option: string; least: number; most: number }): number {
  const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}.`)
}

/** A host and a port, such as `[::1]:8480`. */
function readListen(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host !== undefined && port <= 65_535) return { host, port }
  throw new UsageError('--listen takes a host and a port, such as 127.0.0.1:8480.')
}

function readWebhook(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href
  throw new UsageError('--alarm-webhook takes an address that begins with https:// or http://.')
}
