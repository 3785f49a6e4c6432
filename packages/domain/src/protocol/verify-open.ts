import type { BundleDraw } from './bundle.ts'
import { toHex, utf8Bytes } from './bytes.ts'
import { BEACON_SCHEME, type Chain, chainHash, QUICKNET, roundOf } from './chain.ts'
import { nobleHash } from './hash.ts'
import type { Logged, StatementBook } from './known-log.ts'
import { isRate } from './money.ts'
import {
  FEWEST_QUOTES,
  MONDAY_OFFSET_SECONDS,
  RULES_NOTICE_SECONDS,
  SHORTEST_CLOSING_SECONDS,
  WEEK_SECONDS,
} from './numbers.ts'
import { type Policy, readPolicy } from './policy.ts'
import { readOrNull } from './read-or-null.ts'
import type { Checks } from './report.ts'
import { readRules, type Rules } from './rules.ts'
import type { StatementOf } from './statements.ts'

/** The checks of an announcement (section 11): `open.form` to `open.round`. */

/** The announcement of a draw, as far as it is available. */
export interface OpenedDraw {
  readonly open: Logged<StatementOf<'open'>>
  readonly rules: Rules
  readonly chain: Chain
  /** null if its text is not available */
  readonly policy: Policy | null
}

/** Checks a draw's announcement. @returns null if the rest of the draw cannot be judged */
export function verifyOpen(
  log: StatementBook,
  texts: readonly string[],
  draw: Pick<BundleDraw, 'open'>,
  checks: Checks,
): OpenedDraw | null {
  const open = log.find('open', draw.open)
  if (open === null) {
    checks.end('open.form', 'broken', 'the announcement of the draw is not here')
    return null
  }
  verifyForm(open.statement, checks)
  const named = textsByHash(texts)
  const rules = verifyRules(log, open, named.get(open.statement.rules), checks)
  const policy = verifyPolicy(named.get(open.statement.policy), checks)
  if (rules !== null) verifyTimes(open.statement, rules, checks)
  const chain = verifyChain(log, open.statement.chain, checks)
  if (chain !== null) verifyRound(open.statement, chain, checks)
  return rules === null || chain === null ? null : { open, rules, chain, policy }
}

function verifyForm({ draw, rate }: StatementOf<'open'>, checks: Checks): void {
  checks.hold('open.form', draw >= 1, 'broken', 'draws are numbered from 1')
  checks.hold('open.form', isRate(rate.value), 'broken', 'its rate is none')
}

/** @returns null if there are no rules to judge the draw by */
function verifyRules(
  log: StatementBook,
  { index, statement: open }: Logged<StatementOf<'open'>>,
  text: string | undefined,
  checks: Checks,
): Rules | null {
  const games = log.all('game').filter((game) => game.statement.game === open.game && game.index < index)
  const own = games.filter(({ statement }) => isOfRules(statement, open))
  if (text === undefined || own.length === 0) {
    checks.end('open.rules', 'broken', 'its rules, or their announcement, are not here')
    return null
  }
  const rules = readOrNull(() => readRules(text))
  if (rules === null) {
    checks.end('open.rules', 'fail', 'its rules are none of the protocol')
    return null
  }
  const isNamed =
    rules.game === open.game && rules.version === open.version && rules.price.currency === open.rate.currency
  checks.hold('open.rules', isNamed, 'fail', 'its rules are those of another game, version or currency')
  const isAnnounced = own.some(({ statement }) => isInTime(statement) && statement.from <= open.start)
  checks.hold('open.rules', isAnnounced, 'fail', 'its rules were announced too late')
  const newest = games.findLast(({ statement }) => statement.from <= open.start)
  const isNewest = newest === undefined || isOfRules(newest.statement, open)
  checks.hold('open.rules', isNewest, 'fail', 'these are not the newest rules for its start')
  return rules
}

function isOfRules({ version, rules, reason }: StatementOf<'game'>, open: StatementOf<'open'>): boolean {
  return version === open.version && rules === open.rules && reason !== 'retire'
}

/** Whether rules were announced in time: those of a new game at any time, changes a week ahead (section 4). */
export function isInTime({ reason, version, from, time }: StatementOf<'game'>): boolean {
  return reason === 'new' ? version === 1 && from >= time : from >= time + RULES_NOTICE_SECONDS
}

function verifyPolicy(text: string | undefined, checks: Checks): Policy | null {
  const policy = text === undefined ? null : readOrNull(() => readPolicy(text))
  checks.hold('open.policy', policy !== null, 'broken', 'the list of its witnesses is not here')
  return policy
}

function verifyTimes({ time, close, start, sources }: StatementOf<'open'>, rules: Rules, checks: Checks): void {
  checks.hold('open.times', time < close, 'fail', 'it was announced after its close')
  const hasSources = new Set(sources).size >= FEWEST_QUOTES
  checks.hold('open.times', hasSources, 'fail', `fewer than ${FEWEST_QUOTES} sources of the exchange rate`)
  const isClosing = start - close === rules.closes && rules.closes >= SHORTEST_CLOSING_SECONDS
  checks.hold('open.times', isClosing, 'fail', 'the time between close and start is not that of the rules')
  const isAt = rules.at.includes((start + MONDAY_OFFSET_SECONDS) % WEEK_SECONDS)
  checks.hold('open.times', isAt, 'fail', 'its start is none of the rules')
}

function verifyChain(log: StatementBook, hash: string, checks: Checks): Chain | null {
  if (hash === QUICKNET.hash) {
    checks.end('beacon.chain', 'pass')
    return QUICKNET
  }
  const statement = log.all('chain').find((logged) => logged.statement.chain === hash)?.statement
  if (statement === undefined) {
    checks.end('beacon.chain', 'broken', 'the chain of its random number is not here')
    return null
  }
  if (!isChain(statement)) {
    checks.end('beacon.chain', 'fail', 'the chain of its random number is not what its name says')
    return null
  }
  checks.end('beacon.chain', 'unknown', 'a private beacon')
  const { name, public_key: publicKey, period, genesis } = statement
  return { name, hash, publicKey, period, genesis }
}

/** Whether a chain has the protocol's scheme and its hash matches. */
export function isChain(statement: StatementOf<'chain'>): boolean {
  const {
    chain,
    public_key: publicKey,
    period,
    genesis,
    group_hash: groupHash,
    beacon_id: beaconId,
    scheme,
  } = statement
  if (period < 1 || period >= 2 ** 32 || scheme !== BEACON_SCHEME) return false
  return chainHash({ publicKey, period, genesis, groupHash, beaconId }) === chain
}

function verifyRound({ start, round }: StatementOf<'open'>, chain: Chain, checks: Checks): void {
  const isRound = start >= chain.genesis && roundOf(chain, start) === round
  checks.hold('open.round', isRound, 'fail', 'its round does not follow from its start')
}

function textsByHash(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(texts.map((text) => [toHex(nobleHash(utf8Bytes(text))), text]))
}
