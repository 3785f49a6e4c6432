import type { GameWithRules } from '@fairball/domain/games'
import { GAMES } from '@fairball/domain/seeds'
import type { JsonValue } from './hostile-values.ts'
import type { KnownValues } from './schema-values.ts'
import { textAt } from './told.ts'

/** The password of every player in the attacked world. */
export const PASSWORD = 'Correct-horse7battery'
/** The attacked player's payout address. */
export const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const OTHER_ADDRESS = 'bcrt1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5ssm803es'

/** The secret of an existing order. */
export const USED_SECRET = '5a'.repeat(32)

/** What exists in the world for requests to name; answers as the API gave them. */
interface Owned {
  readonly email: string
  readonly username: string
  readonly game: GameWithRules
  readonly lines: number[][]
  /** an order */
  readonly paid: string
  /** orders */
  readonly open: readonly string[]
  readonly plays: unknown
  readonly messages: unknown
  readonly sessions: unknown
  /** hashes of statements, rules and policies */
  readonly hashes: readonly string[]
  /** a draw that has its result, by the hash of its announcement */
  readonly opened: string
  readonly now: () => number
}

/** Values for fields by name, so that many requests get past the first validation. */
export function knownValues(owned: Owned): KnownValues {
  const { email, username, game, lines, paid, open, plays, messages, sessions, hashes, opened, now } = owned
  const keys = [...GAMES.map(({ key }) => key), 'threasure']
  const emails = [email, 'nobody@example.org']
  const known = new Map<string, readonly JsonValue[]>(
    Object.entries({
      key: ['no-key-of-anybody'],
      game: keys,
      number: ['1', '2', '3'],
      _page: ['1', '2', '100000000'],
      from: ['0', '1', '5'],
      transaction_id: [paid, ...open, '00000000-0000-4000-8000-000000000000'],
      play_id: [textAt(plays, 'data', 'results', 0, 'id')],
      id: [textAt(messages, 'results', 0, 'id')],
      hash: [...new Set(hashes)].slice(0, 30),
      file: filesOf(opened, hashes),
      round: ['1', '2', '1000'],
      'submitBeaconRound.round': [1, 2, 1000],
      value: [username, 'free-name', ...emails],
      to: emails,
      email: emails,
      email_confirm: emails,
      email_or_username: [email, username, 'nobody@example.org'],
      username: [username, 'another-name'],
      password: [PASSWORD, PASSWORD, 'Wrong-horse7battery'],
      password_confirm: [PASSWORD, 'Other-Horse-8-Staple'],
      current_password: [PASSWORD, 'Wrong-horse7battery'],
      new_password: ['Other-Horse-8-Staple', 'weak'],
      confirm_password: ['Other-Horse-8-Staple'],
      btc_address: [ADDRESS, OTHER_ADDRESS],
      'tokens[]': ['00000000-0000-4000-8000-000000000000', textAt(sessions, 0, 'access_token')],
      timezone_id: [1, 202],
      currency_id: [1, 2, 3],
      country_id: [1, 2],
      security_question_id: [1, 2],
      twofa_code: [0, '000000', null],
      'createPayment.key': [game.key, game.key, ...keys],
      'createPayment.days': [[6], [7], [1, 2, 3, 4, 5, 6, 7]],
      'createPayment.weeks': [1, 2],
      'createPayment.tickets[].numbers': lines,
      'createPayment.secret!edges': [
        USED_SECRET,
        USED_SECRET.toUpperCase(),
        USED_SECRET.slice(1),
        `${USED_SECRET}5`,
        '',
      ],
      'saveNumbers.lines[]': lines,
      'checkNumbers.lines[]': lines,
      weekly_limit: [0, 1, 1_000_000],
      time_out_until: [now(), now() + 86_400],
      // A lockout of months would end the attack on this account, so only near ends and refused values are tested.
      excluded_until: [0, now() - 1],
      amount: ['0.00000001', '0.00001', '0.5'],
      confirmations: [0, 1, 3],
      // Weeks of draws mean a lot of work, in the demo only. Jumps here are short, or too far to be accepted.
      'moveClock.advance!only': [0, 1, 60],
      'moveClock.to!only': [now(), now() + 60],
      'moveClock.advance!edges': [-1, 0, 34_560_001, 0.5],
      'moveClock.to!edges': [-1, 0, 253_402_300_799, 253_402_300_800, now() - 1, 0.5],
    } satisfies Record<string, readonly JsonValue[]>),
  )
  for (const name of ['getWatch', 'streamWatch', 'getDraws', 'getDraw', 'getStatistics', 'checkNumbers', 'getWins'])
    known.set(`${name}.key`, keys)
  for (const name of ['getPlays', 'getSavedNumbers', 'saveNumbers', 'deleteSavedNumbers', 'getLastPlayedNumbers'])
    known.set(`${name}.key`, keys)
  return known
}

/** Existing files of the log, and similar paths that do not exist. */
function filesOf(opened: string, hashes: readonly string[]): string[] {
  const draw = `draw/${opened}`
  const named = [...new Set(hashes)].slice(0, 10).flatMap((hash) => [`text/${hash}`, `seal/${hash}`])
  const ofDraw = ['tile/0/000.p/2', 'tile/entries/000.p/2', 'revoked', 'sections', 'beacon']
  const like = [
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/00/000',
    'tile/8/000',
    'tile/0/x001/000',
    'tile/entries/999',
  ]
  const ofLog = [
    'checkpoint',
    'tile/0/000.p/5',
    'tile/entries/000.p/5',
    'paid/tile/0/000.p/1',
    'paid/tile/entries/000.p/1',
  ]
  return [...ofLog, ...named, ...ofDraw.map((file) => `${draw}/${file}`), ...like, `${draw}/../../checkpoint`]
}
