import { parseArgs } from 'node:util'
import type { DrawName } from '@fairball/domain/protocol/collect-bundle'
import { BUNDLE_LIMITS } from '@fairball/domain/protocol/numbers'

/** The parsed command line. */
export interface CliArguments {
  /** files with bundles or evidence */
  readonly files: readonly string[]
  /** an operator whose files a bundle is collected from */
  readonly from: { readonly operator: string; readonly draws: readonly DrawName[] } | null
  /** where to save the collected bundle */
  readonly save: string | null
  /** a trust file */
  readonly trust: string | null
  readonly json: boolean
}

/** The command line is invalid. The message is for people. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The text of `--help`. */
export const USAGE = `Verifies draws of a Fairball operator (draw protocol, version 2). Nothing is believed of the operator.

  fairball-verify <bundle or evidence> … [--trust <file>]
  fairball-verify --from <https://operator> [--draw <draw> …] [--trust <file>] [--save <file>]

  --trust <file>  what you know besides: policy, key, sights, heads (JSON)
  --from <url>    collect the bundle from what the operator serves
  --draw <draw>   a draw by game and number, bitcoin-lotto/17, or by the hash of its announcement; may be
                  given several times; without it the newest draw that is over
  --save <file>   keep the collected bundle as a file
  --json          write the reports as JSON
  --help          show this

Exit status: 0 proved, 1 failed, 2 broken or unreadable, 3 holds, 4 not yet; of several files the worst.
`

/**
 * Parses the command's arguments; null for `--help`.
 *
 * @throws UsageError for invalid arguments
 */
export function readArguments(args: readonly string[]): CliArguments | null {
  const { values, positionals } = parse(args)
  if (values.help === true) return null
  const { from, draw = [], save, trust } = values
  if ((from === undefined) === (positionals.length === 0)) {
    throw new UsageError('Name files, or an operator with --from: one of the two.')
  }
  if (from === undefined && (draw.length > 0 || save !== undefined)) {
    throw new UsageError('--draw and --save go with --from.')
  }
  return {
    files: positionals,
    from: from === undefined ? null : { operator: operatorOf(from), draws: drawsOf(draw) },
    save: save ?? null,
    trust: trust ?? null,
    json: values.json ?? false,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        draw: { type: 'string', multiple: true },
        save: { type: 'string' },
        trust: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'These arguments make no sense.', { cause: error })
  }
}

/**
 * The operator's address without a trailing slash. Plain HTTP is allowed only to this computer, because answers could
 * be changed on their way.
 */
function operatorOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHere = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))) {
    throw new UsageError('--from is an https:// address.')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/fairball$/, '')
}

function drawsOf(draws: readonly string[]): DrawName[] {
  if (draws.length > BUNDLE_LIMITS.draws) throw new UsageError(`A bundle has at most ${BUNDLE_LIMITS.draws} draws.`)
  return draws.map(drawOf)
}

function drawOf(draw: string): DrawName {
  if (/^[0-9a-f]{64}$/.test(draw)) return draw
  const [, game, number] = /^([a-z][a-z0-9-]{1,30})\/([1-9][0-9]{0,14})$/.exec(draw) ?? []
  if (game === undefined)
    throw new UsageError('--draw is a game and a number, bitcoin-lotto/17, or 64 digits of a hash.')
  return { game, draw: Number(number) }
}
