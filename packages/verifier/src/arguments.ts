import { parseArgs } from 'node:util'

/** What the command was asked for. */
export interface CliArguments {
  /** bundles or evidence, as files */
  readonly files: readonly string[]
  /** an operator to fetch a bundle from */
  readonly from: { readonly operator: string; readonly game: string; readonly draw: number } | null
  /** where to save the fetched bundle */
  readonly save: string | null
  /** the operator's first key or its fingerprint, 32 bytes as hex */
  readonly key: string | null
  readonly username: string | null
  /** files with receipts */
  readonly receipts: readonly string[]
  readonly json: boolean
  /** whether to show what went into each check */
  readonly inputs: boolean
}

/** A command that cannot be understood. The message is for people. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What `--help` says. */
export const USAGE = `Verifies draws of a Fairball operator (fairness protocol, version 1). Nothing is believed of the operator.

  fairball-verify <bundle.json> …
  fairball-verify --from <https://operator> --game <key> --draw <number> [--save <file>]

  --from <address>    fetch the bundle of a draw from its operator, with --game and --draw
  --save <file>       keep the fetched bundle as a file
  --key <hex>         the operator's first key, or its fingerprint, as you know it from another source
  --receipt <file>    a receipt of yours, as saved; may be given several times
  --username <name>   whose receipts they have to be
  --inputs            show what went into each check
  --json              write the report as JSON
  --help              show this

Exit status: 0 nothing failed (the report says what could not be checked), 1 something failed,
2 nothing could be looked at (usage, a file that cannot be read, no network).
`

/**
 * Reads the command's arguments; null where help is asked for.
 *
 * @throws UsageError for arguments that make no sense
 */
export function readArguments(args: readonly string[]): CliArguments | null {
  const { values, positionals } = parse(args)
  if (values.help === true) return null
  const { from, game, draw, save, key, username } = values
  if ((from === undefined) === (positionals.length === 0)) {
    throw new UsageError('Name bundles, or an operator with --from: one of the two.')
  }
  if (from === undefined && (game !== undefined || draw !== undefined || save !== undefined)) {
    throw new UsageError('--game, --draw and --save go with --from.')
  }
  if (key !== undefined && !/^[0-9a-f]{64}$/.test(key)) throw new UsageError('--key has 64 digits of lowercase hex.')
  return {
    files: positionals,
    from: from === undefined ? null : { operator: operatorOf(from), game: gameOf(game), draw: drawOf(draw) },
    save: save ?? null,
    key: key ?? null,
    username: username ?? null,
    receipts: values.receipt ?? [],
    json: values.json ?? false,
    inputs: values.inputs ?? false,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        game: { type: 'string' },
        draw: { type: 'string' },
        save: { type: 'string' },
        key: { type: 'string' },
        username: { type: 'string' },
        receipt: { type: 'string', multiple: true },
        inputs: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'These arguments make no sense.', { cause: error })
  }
}

/** The operator's address without a slash at its end. Plain HTTP only to this computer: others could change the answers. */
function operatorOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHere = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))) {
    throw new UsageError('--from is an https:// address.')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function gameOf(game: string | undefined): string {
  if (game === undefined || !/^[a-z][a-z0-9-]{0,63}$/.test(game))
    throw new UsageError('--game names a game: bitcoin-lotto.')
  return game
}

function drawOf(draw: string | undefined): number {
  if (draw === undefined || !/^[1-9][0-9]{0,14}$/.test(draw))
    throw new UsageError('--draw is the number of a draw, from 1.')
  return Number(draw)
}
