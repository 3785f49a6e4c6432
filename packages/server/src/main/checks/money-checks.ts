import { satsToBtc } from '@fairball/domain/money'
import { roundDueAt } from '@fairball/domain/protocol/chain'
import { salesState } from '../../modules/draws/service.ts'
import { payoutsStatus } from '../../modules/payouts/service.ts'
import { treasuryStatus } from '../../modules/treasury/service.ts'
import { type Check, fail, messageOf, ok, RUNBOOK, unknown, warn } from './check.ts'
import { findBrokenInvariants, findOldestReading } from './check-queries.ts'

/** Maximum age of the beacon's newest round, and of the newest block, in seconds. */
const OLDEST_ROUND_SECONDS = 60
const OLDEST_BLOCK_SECONDS = 7200
/** Age of a reading of a wallet, and of a look at the invariants, from which on something hangs. */
const OLD_READING_SECONDS = 900

const RATES_REMEDY = 'See which sources of rates the log leaves out, and why; two of RATE_SOURCES have to agree.'

const node: Check = async ({ runtime, lottery }) => {
  const { readTip } = lottery.bitcoin
  if (readTip === undefined) return ok("The demo's wallet needs no node.")
  const remedy = 'Is bitcoind running, with peers and room on its disk? Check BITCOIN_RPC_URL and its login.'
  try {
    const tip = await readTip()
    const age = runtime.clock.now() - runtime.clock.offsetSeconds() - tip.at
    if (tip.isDownloading)
      return fail(`The node still reads the chain, at block ${tip.height}. Wait until it has.`, RUNBOOK.node)
    if (age > OLDEST_BLOCK_SECONDS) return fail(`Block ${tip.height} is ${age} s old. ${remedy}`, RUNBOOK.node)
    return ok(`Block ${tip.height} is the newest.`)
  } catch (error) {
    return fail(`${messageOf(error)}. ${remedy}`, RUNBOOK.node)
  }
}

const wallets: Check = async ({ db, runtime, lottery }) => {
  if (lottery.bitcoin.testChain !== null) return ok("The demo's wallet is in the database.")
  const { at, wallets: count } = await db.one(findOldestReading, [])
  if (at === null) return unknown('No wallet was read yet. The worker does within a minute.')
  const age = runtime.clock.now() - at
  if (age > OLD_READING_SECONDS)
    return fail(
      `A wallet was read ${age} s ago for the last time. Check its node, and that it is loaded.`,
      RUNBOOK.node,
    )
  return ok(`Wallets that answer: ${count}.`)
}

const walletLedger: Check = async ({ lottery }) => {
  const { unexplainedSats, unbooked, differenceSats } = await treasuryStatus(lottery.treasury)
  if (unexplainedSats !== null && unexplainedSats !== 0n)
    return fail(
      `The wallets differ from the ledger by ${satsToBtc(unexplainedSats)} BTC that nothing explains. Find out before anything leaves.`,
      RUNBOOK.money,
    )
  if (unbooked > 0)
    return warn(`Spends that wait to be booked: ${unbooked}. Say in the treasury what they were.`, RUNBOOK.money)
  if (differenceSats === null)
    return unknown('Wallets and ledger were not compared yet. The worker does within minutes.')
  return ok('Wallets and ledger agree.')
}

const bankroll: Check = async ({ db, lottery }) => {
  const { freeSats, games } = await salesState(lottery.draws, db)
  if (games.some(({ wantedSats }) => wantedSats === null))
    return fail(`No rate is known, so nobody knows how much is wanted. ${RATES_REMEDY}`, RUNBOOK.monitoring)
  const free = `${satsToBtc(freeSats)} BTC are free`
  const missing = games.filter(({ isCarried }) => !isCarried)
  if (missing.length === 0) return ok(`${free}, and carry every game.`)
  const wanted = missing.map(({ gameKey, wantedSats }) => `${gameKey} alone wants ${satsToBtc(wantedSats ?? 0n)} BTC`)
  const text = `${free}; not carried: ${wanted.join(', ')}. Pay coins of your own in, and book them: treasury, or operator bankroll-deposit <txid:vout>.`
  // One game that is carried can be sold.
  return missing.length < games.length ? warn(text, RUNBOOK.money) : fail(text, RUNBOOK.money)
}

const games: Check = async ({ db, lottery }) => {
  const { games: open, cause } = await salesState(lottery.draws, db)
  if (open.length === 0) return fail('There are no games. Announce some: a games file, from a template.', RUNBOOK.games)
  if (cause !== null) return fail(`No orders are taken: ${cause}.`, RUNBOOK.monitoring)
  const sold = open.flatMap(({ gameKey, isOnSale }) => (isOnSale ? [gameKey] : []))
  const paused = open.flatMap(({ gameKey, pauseNote }) => (pauseNote === null ? [] : [gameKey]))
  if (paused.length > 0)
    return warn(`Sales are paused: ${paused.join(', ')}. Resume them when everything else is right.`, RUNBOOK.games)
  if (sold.length === 0) return warn('No orders are taken for any game (see bankroll).', RUNBOOK.games)
  return ok(`Orders are taken for ${sold.join(', ')}.`)
}

const beacon: Check = async ({ config, runtime, lottery }) => {
  if (config.beacon === 'local') return ok("The demo's own beacon follows our clock.")
  const { chain } = lottery.beacons.current
  const newest = await lottery.beacons.current.newestRound().catch(() => null)
  const remedy = 'Check the way out to the relays of DRAND_RELAYS (https, port 443), or name others.'
  if (newest === null) return fail(`No relay gives a round. ${remedy}`, RUNBOOK.monitoring)
  const age = runtime.clock.now() - runtime.clock.offsetSeconds() - roundDueAt(chain, newest.round)
  if (age > OLDEST_ROUND_SECONDS)
    return fail(`The newest round, ${newest.round}, is ${age} s old. ${remedy}`, RUNBOOK.monitoring)
  return ok(`Round ${newest.round} is the newest, and verified.`)
}

const rates: Check = async ({ db, lottery }) => {
  const { games: open, cause } = await salesState(lottery.draws, db)
  const unrated = new Set(open.flatMap(({ currency, isRated }) => (isRated ? [] : [currency])))
  if (cause === 'rates' || unrated.size > 0)
    return fail(
      `There is no rate to sell at${unrated.size > 0 ? ` in ${[...unrated].join(', ')}` : ''}. ${RATES_REMEDY}`,
      RUNBOOK.monitoring,
    )
  return ok('Every currency of a game has a rate.')
}

const payouts: Check = async ({ lottery }) => {
  const { stopReason, batches } = await payoutsStatus(lottery.payouts)
  if (stopReason !== null) return fail(`Payouts are stopped: ${stopReason}.`, RUNBOOK.monitoring)
  const halted = batches.get('HALTED') ?? 0
  if (halted > 0) return warn(`Batches that are halted: ${halted}.`, RUNBOOK.monitoring)
  return ok('Payouts leave.')
}

const invariants: Check = async ({ db, runtime }) => {
  const { broken, checkedAt } = await db.one(findBrokenInvariants, [])
  if (broken > 0)
    return fail(
      `Invariants that are broken and not accepted: ${broken}. operator invariants-list says how.`,
      RUNBOOK.monitoring,
    )
  if (checkedAt === null) return unknown('Invariants were not checked yet. The worker does within minutes.')
  const age = runtime.clock.now() - checkedAt
  if (age > OLD_READING_SECONDS)
    return warn(`Invariants were checked ${age} s ago for the last time. Is a worker running?`, RUNBOOK.monitoring)
  return ok('Every invariant holds.')
}

/** Checks of coins, games and what they need. */
export const MONEY_CHECKS = { node, wallets, 'wallet-ledger': walletLedger, bankroll, games, beacon, rates }
export const BOOK_CHECKS = { payouts, invariants }
