import { fromHex, toHex } from './bytes.ts'
import { roundDueAt } from './chain.ts'
import { nobleHash } from './hash.ts'
import { type Logged, StatementBook } from './known-log.ts'
import {
  afterResult,
  afterVoid,
  afterVoidOfClose,
  FIRST_STATE,
  freeTicketsOf,
  isRate,
  isSameState,
  prizesOf,
  wonOf,
} from './money.ts'
import { MAX_POSTPONEMENTS, SEALED_BEFORE_DUE_SECONDS, VOID_AFTER_SECONDS } from './numbers.ts'
import { Faults, type ReadDraw, type ReadGame, type ReadLog, titleOf } from './read-state.ts'
import { Checks, type CheckId } from './report.ts'
import { seedHash } from './sampler.ts'
import { type GameState, NO_HASH } from './statement-codecs.ts'
import type { StateStatement, StatementOf } from './statements.ts'
import { type Close, dueOf } from './timeline.ts'
import { verifyGuarantee, verifyRate, verifyState } from './verify-money.ts'
import { type OpenedDraw, verifyOpen } from './verify-open.ts'
import { numbersOf, type Result, verifyResultForm, verifyTiers } from './verify-result.ts'
import { verifyNewStart } from './verify-seal.ts'

/** The checks of a draw's statements by a reader of the whole log (sections 5 to 9 and 16). */

/** The root of a tree without leaves. */
const EMPTY_ROOT = toHex(nobleHash())
/** Checks that can warn in an honest log: a draw may be sealed before the previous result, or use a private beacon. */
const USUAL: readonly CheckId[] = ['money.state', 'beacon.chain']

/** Reads an announcement. @param texts the texts of its rules and policy */
export function readOpen(log: ReadLog, logged: Logged<StatementOf<'open'>>, texts: readonly string[]): Faults {
  const { statement, hash } = logged
  const game = gameOf(log, statement.game)
  const checks = new Checks()
  const book = new StatementBook([...game.versions, ...log.chains, logged])
  const opened = verifyOpen(book, texts, { open: hash }, checks)
  const draw: ReadDraw = {
    open: logged,
    opened,
    game,
    start: statement.start,
    round: statement.round,
    delays: 0,
    sold: null,
    closes: [],
    standing: null,
    before: FIRST_STATE,
    end: null,
    won: null,
    paid: 0n,
  }
  const faults = new Faults(logged.index, titleOf(draw))
  faults.take(checks, USUAL)
  faults.hold(statement.draw === game.opened + 1, 'open.number', `it is announced after draw ${game.opened}`)
  faults.hold(!log.seedHashes.has(statement.seedhash), 'open.seed', 'its seed was promised for a draw before')
  log.seedHashes.add(statement.seedhash)
  log.draws.set(hash, draw)
  game.opened = statement.draw
  return faults
}

/** Reads a batch of plays. */
export function readSold(draw: ReadDraw, logged: Logged<StatementOf<'sold'>>): Faults {
  const { statement, index } = logged
  const faults = new Faults(index, titleOf(draw))
  const before = draw.sold?.statement ?? { size: 0, root: EMPTY_ROOT }
  const isSame = statement.size === before.size && statement.root === before.root
  const isExtended = statement.size > before.size || isSame
  faults.hold(isExtended, 'sold.extends', 'a batch of its plays does not extend the one before')
  const isOpen = draw.closes.length === 0 && draw.end === null
  faults.hold(isOpen, 'sold.extends', 'plays are sold after it was sealed')
  const isOfCurrency = statement.rate.currency === draw.open.statement.rate.currency && isRate(statement.rate.value)
  faults.hold(isOfCurrency, 'plays.rate', 'the rate of a batch is none of its currency')
  draw.sold = logged
  return faults
}

/** Reads a sealing. */
export function readClose(log: ReadLog, draw: ReadDraw, close: Close): Faults {
  const { statement, hash, index } = close
  const faults = new Faults(index, titleOf(draw))
  log.closes.set(hash, draw)
  faults.hold(draw.end === null, 'seal.once', 'it is sealed after its end')
  faults.hold(statement.round === draw.round, 'seal.once', 'it is sealed for a round that is not its own')
  checkPlays(draw, statement, faults)
  const isSeed = toHex(seedHash(fromHex(statement.seed))) === draw.open.statement.seedhash
  faults.hold(isSeed, 'seal.seed', 'the seed is not the one that was promised')
  faults.hold(statement.time >= draw.open.statement.close, 'seal.time', 'it was sealed before the end of sales')
  const isFirst = faults.hold(draw.standing === null, 'seal.once', 'it was sealed twice for one round')
  draw.closes.push({ close, round: draw.round })
  if (!isFirst) return faults
  draw.standing = close
  draw.before = draw.game.state
  const before = continueState(draw, close, 'money.state', faults)
  if (draw.opened !== null) checkMoney(draw, draw.opened, close, before, faults)
  // A further close repeats what the first one added.
  if (draw.closes.length === 1) checkPots(log, draw, close, faults)
  return faults
}

/** Reads a postponement. */
export function readPostpone(draw: ReadDraw, { statement, index }: Logged<StatementOf<'postpone'>>): Faults {
  const faults = new Faults(index, titleOf(draw))
  const { game, opened, standing } = draw
  faults.hold(draw.end === null, 'open.postponed', 'it is put off after its end')
  faults.hold(draw.delays < MAX_POSTPONEMENTS, 'open.postponed', 'it was put off more than twice')
  if (opened !== null) {
    const checks = new Checks()
    verifyNewStart(opened.chain, statement, checks)
    // A start later than the earliest is valid while an earlier draw of the game is not settled.
    faults.take(checks, game.state.settled < draw.open.statement.draw - 1 ? ['open.postponed'] : [])
    const isBlind = statement.time <= roundDueAt(opened.chain, draw.round)
    faults.hold(isBlind, 'open.postponed', 'it was put off after its round was known', 'doubt')
  }
  if (standing !== null && game.last === standing.hash) {
    game.last = standing.statement.last
    game.state = draw.before
    game.postponed = draw
  }
  draw.standing = null
  draw.delays += 1
  draw.start = statement.start
  draw.round = statement.round
  return faults
}

/** Reads a result. Its winners are taken as stated: only the plays prove them. */
export function readResult(log: ReadLog, draw: ReadDraw, result: Result): Faults {
  const { statement, index } = result
  const faults = new Faults(index, titleOf(draw))
  faults.hold(draw.end === null, 'seal.once', 'it has two results')
  const close = draw.closes.find((placed) => placed.close.hash === statement.close)?.close
  const isStanding = close !== undefined && close === draw.standing
  faults.hold(isStanding, 'seal.once', 'its result is of a sealed list that was put off, or came second')
  const before = continueState(draw, result, 'result.state', faults)
  const winners = statement.tier.map((tier) => tier.winners)
  draw.won = statement.tier.reduce((sum, { winners: count, each }) => sum + BigInt(count) * each, 0n)
  draw.end = result
  if (close === undefined || draw.opened === null) return faults
  checkNumbers(log, draw.opened, close, result, faults)
  const areLines = winners.reduce((sum, count) => sum + count, 0) <= close.statement.lines
  faults.hold(areLines, 'result.tiers', 'more lines won than there are')
  const { rate, pool, floor, cover, short } = close.statement
  const prizes = prizesOf(draw.opened.rules, winners, { rate: rate.value, pool, floor, cover, short })
  const checks = new Checks()
  verifyTiers(draw.opened, result, winners, prizes, checks)
  faults.take(checks)
  faults.hold(statement.left === prizes.left, 'result.state', `${prizes.left} satoshis are left by the rules`)
  const freeTickets = freeTicketsOf(draw.opened.rules, winners)
  const isSame = isSameState(statement.state, afterResult(before, { left: prizes.left, freeTickets }))
  faults.hold(isSame, 'result.state', 'its state does not follow from the one before')
  draw.won = wonOf(winners, prizes)
  return faults
}

/** Reads the void of a draw. */
export function readVoid(draw: ReadDraw, end: Logged<StatementOf<'void'>>): Faults {
  const { statement, index } = end
  const faults = new Faults(index, titleOf(draw))
  faults.hold(draw.end === null, 'seal.once', 'it is given up after its end')
  const { standing, opened } = draw
  faults.hold(statement.close === (standing?.hash ?? NO_HASH), 'void.state', 'it does not name the close that stands')
  const before = continueState(draw, end, 'void.state', faults)
  const expected = standing === null ? afterVoid(before) : afterVoidOfClose(before, standing.statement)
  const isSame = isSameState(statement.state, expected)
  faults.hold(isSame, 'void.state', 'its state does not follow from the one before')
  const isNext = standing !== null || statement.state.closed === draw.open.statement.draw
  faults.hold(isNext, 'void.state', 'it is not the next draw of its game')
  if (statement.reason === 'beacon') {
    faults.hold(standing !== null, 'void.reason', 'given up for a random number that no close waited for')
    const isLate = statement.time >= draw.start + VOID_AFTER_SECONDS
    faults.hold(isLate, 'void.reason', 'given up less than seven days after its start')
  } else {
    const isThird = draw.delays === MAX_POSTPONEMENTS || (draw.sold?.statement.stake ?? 0n) === 0n
    faults.hold(isThird, 'void.reason', 'given up without being put off twice before')
    const isBlind = opened === null || statement.time <= roundDueAt(opened.chain, draw.round)
    faults.hold(isBlind, 'void.reason', 'given up after its round was known', 'doubt')
  }
  draw.end = end
  return faults
}

/** The game with a key, created on first use. */
export function gameOf(log: ReadLog, key: string): ReadGame {
  const known = log.games.get(key)
  if (known !== undefined) return known
  const game: ReadGame = {
    key,
    versions: [],
    opened: 0,
    state: FIRST_STATE,
    last: NO_HASH,
    postponed: null,
    isPotMoved: false,
  }
  log.games.set(key, game)
  return game
}

/**
 * Checks that a statement continues the chain of its game's states. Its state becomes the game's, so that a fault is
 * not reported again for every later statement.
 *
 * @returns the state before
 */
function continueState(
  draw: ReadDraw,
  { statement, hash }: Logged<StateStatement>,
  rule: 'money.state' | 'result.state' | 'void.state',
  faults: Faults,
): GameState {
  const { game } = draw
  const isItsTurn = game.postponed === null || game.postponed === draw
  faults.hold(isItsTurn, rule, 'it comes before a draw of its game that was put off is sealed again')
  faults.hold(statement.last === game.last, rule, 'it does not continue the newest state of its game')
  const before = game.state
  game.state = statement.state
  game.last = hash
  game.postponed = null
  return before
}

/** Checks that the plays of a close continue the last batch, and that a further close has the same plays. */
function checkPlays({ sold, closes }: ReadDraw, statement: StatementOf<'close'>, faults: Faults): void {
  const { size, root, lines, free, carried, revoked } = statement
  faults.hold(statement.sold === (sold?.hash ?? NO_HASH), 'plays.sold', 'the close does not name the last batch')
  const batch = sold?.statement ?? { size: 0, root: EMPTY_ROOT }
  const isExtended = size > batch.size || (size === batch.size && root === batch.root)
  faults.hold(isExtended, 'plays.sold', 'the sealed list does not extend what was sold')
  const areCounts = free <= lines && carried <= lines - free && 2 * revoked.count <= size
  faults.hold(areCounts, 'plays.counts', 'its counts of plays contradict each other')
  const first = closes[0]?.close.statement
  if (first === undefined) return
  const isSame =
    first.size === size &&
    first.root === root &&
    first.seed === statement.seed &&
    first.lines === lines &&
    first.stake === statement.stake
  faults.hold(isSame, 'seal.once', 'it was sealed again with other plays, or another seed')
}

function checkMoney(draw: ReadDraw, opened: OpenedDraw, close: Close, before: GameState, faults: Faults): void {
  const checks = new Checks()
  verifyState(before, opened, close, checks)
  verifyRate((draw.sold ?? draw.open).statement.rate, opened, close, checks)
  verifyGuarantee(opened, close, checks)
  faults.take(checks, USUAL)
  const isInTime = close.statement.time <= dueOf(close, opened.chain) - SEALED_BEFORE_DUE_SECONDS
  faults.hold(isInTime, 'seal.time', 'it was sealed too late for its round', 'doubt')
}

/** Checks that the added amount includes the pots of games that retired into this one and are settled (section 4). */
function checkPots(log: ReadLog, draw: ReadDraw, { statement }: Close, faults: Faults): void {
  const retired = [...log.games.values()].filter(({ versions, state, opened, isPotMoved }) => {
    const retirement = versions.findLast((version) => version.statement.reason === 'retire')?.statement
    const isDue = retirement?.pot_to === draw.game.key && retirement.from <= statement.time
    return isDue && state.settled === opened && !isPotMoved
  })
  const owed = retired.reduce((sum, { state }) => sum + state.pot, 0n)
  for (const game of retired) game.isPotMoved = true
  faults.hold(statement.added >= owed, 'pot.arrives', 'the pot of a retired game has not come into it')
}

/** Checks the signature of the beacon's round, and that the numbers follow from it. */
function checkNumbers(log: ReadLog, opened: OpenedDraw, close: Close, result: Result, faults: Faults): void {
  const { signature, numbers } = result.statement
  const checks = new Checks()
  verifyResultForm(opened, close, result, { signature, checks })
  faults.take(checks)
  const dueAt = dueOf(close, opened.chain)
  const isInTime = close.statement.time <= dueAt - SEALED_BEFORE_DUE_SECONDS
  faults.hold(isInTime, 'seal.time', 'it was drawn although it was sealed too late for its round')
  const isGenuine = log.isRound?.(opened.chain, close.statement.round, signature) ?? true
  if (!faults.hold(isGenuine, 'beacon.signature', 'its random number is not the one of its round')) return
  const drawn = numbersOf(opened, close, signature)
  faults.hold(drawn.join() === numbers.join(), 'result.numbers', `the numbers are ${drawn.join(', ')}`)
}
