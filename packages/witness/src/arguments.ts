import { parseArgs } from 'node:util'
import { readNamedKey } from './operator-key.ts'
import { isWitnessName } from './witness-key.ts'

/** What the program was asked to do. */
export type Command =
  | { readonly verb: 'help' }
  | { readonly verb: 'follow'; readonly url: string; readonly state: string; readonly follow: FollowOptions }
  | { readonly verb: 'key'; readonly state: string; readonly name: string | null; readonly isJson: boolean }
  | { readonly verb: 'check'; readonly state: string; readonly isJson: boolean }
  | { readonly verb: 'compare'; readonly folders: readonly [string, string]; readonly isJson: boolean }

/** How an operator is followed. */
export interface FollowOptions {
  readonly name: string | null
  /** public key or fingerprint, 64 digits of hex */
  readonly key: string | null
  readonly intervalSeconds: number
  readonly patienceSeconds: number
  readonly alarmCommand: string | null
  readonly posts: boolean
  readonly verifies: boolean
  readonly isOnce: boolean
  readonly isJson: boolean
  /** whose clock dates what is seen; the operator's for demonstrations only */
  readonly clock: 'own' | 'operator'
}

/** What is wrong with what was asked, for the person who asked. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const HELP = `fairball-witness: follows the log of a Fairball lottery, keeps what it saw, signs seals, and alarms.

  fairball-witness <address> --state <folder> [--name <name>] [options]
  fairball-witness key --state <folder> [--name <name>]     makes your key at the first use; prints the line for the operator
  fairball-witness check --state <folder>                   verifies and sums up what was kept, without the network
  fairball-witness compare <folder A> <folder B>            holds what two witnesses saw against each other

  --name <name>             how you are called in the operator's log; needed until there is a key
  --state <folder>          where your key is and everything seen is kept
  --key <hex>               the operator's first public key or its fingerprint; without it the first one seen is taken
  --interval <seconds>      how often to look, 5 to 240 (30)
  --silence <minutes>       alarm after so many minutes without an answer, or without a seal that is due (10)
  --alarm-command <program> run with the text of each alarm as its argument
  --no-post                 keep signatures, do not hand them over
  --no-verify               do not fetch and verify draws once they have ended
  --once                    look once and end, for cron
  --clock own|operator      whose clock counts; operator is for demonstrations with a moved clock only (own)
  --json                    one JSON object a line
  --help

Exit status: 0 all is well; 1 an alarm was raised or still stands, the folders differ, or what was kept holds alarms;
2 the operator could not be reached, the folder cannot be used, or the program was not asked properly.
`

/** The text of --help. */
export function helpText(): string {
  return HELP
}

/** Reads the arguments after the program's name. @throws UsageError */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  if (values.help === true) return { verb: 'help' }
  const [first, ...more] = positionals
  const isJson = values.json === true
  if (first === 'compare') {
    const [one, other, ...others] = more
    if (one === undefined || other === undefined || others.length > 0)
      throw new UsageError('compare takes two folders.')
    return { verb: 'compare', folders: [one, other], isJson }
  }
  if (first === undefined) throw new UsageError('Say which operator to follow: https://…')
  if (more.length > 0) throw new UsageError(`There is one word too many: ${more[0]}`)
  const state = values.state ?? ''
  if (state === '') throw new UsageError('Say with --state in which folder everything is kept.')
  const name = values.name ?? null
  if (name !== null && !isWitnessName(name)) {
    throw new UsageError(
      'A name has up to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit.',
    )
  }
  if (first === 'key') return { verb: 'key', state, name, isJson }
  if (first === 'check') return { verb: 'check', state, isJson }
  return { verb: 'follow', url: readUrl(first), state, follow: readFollow(values, { name, isJson }) }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.')
  }
}

const OPTIONS = {
  name: { type: 'string' },
  state: { type: 'string' },
  key: { type: 'string' },
  interval: { type: 'string', default: '30' },
  silence: { type: 'string', default: '10' },
  'alarm-command': { type: 'string' },
  'no-post': { type: 'boolean' },
  'no-verify': { type: 'boolean' },
  once: { type: 'boolean' },
  clock: { type: 'string', default: 'own' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parsed>['values']

function readFollow(values: Values, { name, isJson }: { name: string | null; isJson: boolean }): FollowOptions {
  const key = values.key === undefined ? null : readNamedKey(values.key)
  if (values.key !== undefined && key === null)
    throw new UsageError('--key takes 64 digits of hex: a public key or its fingerprint.')
  const { clock } = values
  if (clock !== 'own' && clock !== 'operator') throw new UsageError('--clock is own or operator.')
  return {
    name,
    key,
    // A look at least every 4 minutes: seals come that long, and longer, before their last moment.
    intervalSeconds: readWhole(values.interval, { option: '--interval', least: 5, most: 240 }),
    patienceSeconds: 60 * readWhole(values.silence, { option: '--silence', least: 1, most: 10_080 }),
    alarmCommand: values['alarm-command'] ?? null,
    posts: values['no-post'] !== true,
    verifies: values['no-verify'] !== true,
    isOnce: values.once === true,
    isJson,
    clock,
  }
}

function readWhole(text: string, { option, least, most }: { option: string; least: number; most: number }): number {
  const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}.`)
}

/** The address without a slash at its end. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UsageError(`${text} is neither a command nor an address that begins with https:// or http://.`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('The address takes no user, password, query or fragment.')
  }
  return url.href.replace(/\/+$/, '')
}
