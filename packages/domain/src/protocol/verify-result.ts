import type { BundleDraw } from './bundle.ts'
import { equalBytes, fromHex, toHex } from './bytes.ts'
import { type Chain, randomnessOf } from './chain.ts'
import { countSection, countWinners, sumOf, sumOfWinners } from './count-plays.ts'
import { stateBefore } from './game-states.ts'
import type { Hash } from './hash.ts'
import type { KnownLog, Logged } from './known-log.ts'
import { afterResult, freeTicketsOf, isSameState, type Prizes, prizesOf, wonOf } from './money.ts'
import { halvesOf } from './play-tree.ts'
import { maskOf } from './plays.ts'
import type { Checks } from './report.ts'
import { drawKey, drawNumbers } from './sampler.ts'
import { type SectionRecord, writeSections } from './sections.ts'
import type { StatementOf } from './statements.ts'
import { type Close, dueOf } from './timeline.ts'
import type { OpenedDraw } from './verify-open.ts'
import { partWhy, type SealedPlays } from './verify-plays.ts'

/** The checks of a result (sections 8, 9 and 11): `beacon.signature` to `result.state`, and `paid.won`. */

export type Result = Logged<StatementOf<'result'>>

/** Checks the signature of a round; null if the verifier has no pairing. */
export type RoundCheck = ((chain: Chain, round: number, signature: string) => boolean) | null

/** The prizes that follow from a draw's numbers. */
interface Settled {
  readonly prizes: Prizes
  /** Σ winners × each */
  readonly won: bigint
}

/**
 * Checks the signature of the beacon.
 *
 * @param result if there is no pairing, its signature is only the operator's claim
 * @returns the signature to draw with, hex; null if there is no usable one
 */
export function verifyBeacon(
  { chain }: OpenedDraw,
  close: Close,
  draw: BundleDraw,
  {
    result,
    isRound,
    checks,
  }: { readonly result: Result | null; readonly isRound: RoundCheck; readonly checks: Checks },
): string | null {
  const { beacon } = draw
  const { round } = close.statement
  if (beacon === null) {
    checks.end('beacon.signature', 'wait', 'the random number is not here yet')
    return null
  }
  if (beacon.round === round && isRound === null) {
    checks.end('beacon.signature', 'unknown', 'this program cannot check the random number')
    return result?.statement.signature === beacon.signature ? beacon.signature : null
  }
  const isValid = beacon.round === round && isRound !== null && isRound(chain, round, beacon.signature)
  return checks.hold('beacon.signature', isValid, 'broken', 'this is not the random number of its round')
    ? beacon.signature
    : null
}

/** The numbers of a draw in the order drawn, from its close and the beacon's signature. */
export function numbersOf({ open, rules }: OpenedDraw, close: Close, signature: string): number[] {
  const key = drawKey({
    seed: fromHex(close.statement.seed),
    openHash: fromHex(open.hash),
    closeHash: fromHex(close.hash),
    round: close.statement.round,
    randomness: randomnessOf(fromHex(signature)),
  })
  return drawNumbers(key, rules)
}

/** Checks that a result is of the round in force. */
export function verifyResultForm(
  { chain }: OpenedDraw,
  close: Close,
  result: Result | null,
  { signature, checks }: { readonly signature: string; readonly checks: Checks },
): void {
  if (result === null) return checks.end('result.form', 'wait', 'the draw has no result yet')
  const { statement } = result
  checks.hold('result.form', statement.signature === signature, 'fail', 'its random number is another')
  checks.hold('result.form', statement.time >= dueOf(close, chain), 'fail', 'it is dated before its random number')
}

/** Checks a result against the prizes that follow from its numbers. @returns null if not everything was counted */
export function verifyResult(
  log: KnownLog,
  opened: OpenedDraw,
  close: Close,
  result: Result,
  context: {
    readonly plays: SealedPlays
    readonly numbers: readonly number[]
    readonly hash: Hash
    readonly checks: Checks
  },
): Settled | null {
  const { plays, numbers, hash, checks } = context
  const isDrawn = numbers.join() === result.statement.numbers.join()
  checks.hold('result.numbers', isDrawn, 'fail', `the numbers are ${numbers.join(', ')}`)
  const drawn = halvesOf(maskOf(numbers))
  const { tier } = opened.rules
  const counted = plays.sections.map((section) => countWinners({ section, plays, tier, drawn }))
  verifySections(opened, close, result, { plays, counted, hash, checks })
  if (!plays.areAll || !plays.areSealed || plays.fault !== null) return null
  const winners = sumOfWinners(counted, tier.length)
  const { rate, pool, floor, cover, short } = close.statement
  const prizes = prizesOf(opened.rules, winners, { rate: rate.value, pool, floor, cover, short })
  verifyTiers(opened, result, winners, prizes, checks)
  const freeTickets = freeTicketsOf(opened.rules, winners)
  verifyState(log, opened, close, result, { left: prizes.left, freeTickets, checks })
  return { prizes, won: wonOf(winners, prizes) }
}

/** Checks the `paid` statements of a draw. */
export function verifyPaid(log: KnownLog, { open }: OpenedDraw, { won }: Settled, checks: Checks): void {
  for (const { statement } of log.all('paid')) {
    for (const line of statement.draw.filter((paid) => paid.open === open.hash)) {
      checks.hold('paid.won', line.won === won, 'fail', `${won} satoshis were won`)
      checks.hold('paid.won', line.paid <= line.won, 'fail', 'more was paid than won')
    }
  }
}

function verifySections(
  { rules }: OpenedDraw,
  close: Close,
  { statement }: Result,
  context: {
    readonly plays: SealedPlays
    /** winners of each available section, by tier */
    readonly counted: readonly (readonly number[])[]
    readonly hash: Hash
    readonly checks: Checks
  },
): void {
  const { plays, counted, hash, checks } = context
  const isFile = plays.file === null || toHex(hash(plays.file.bytes)) === statement.sections
  if (!checks.hold('result.sections', isFile, 'broken', 'the sections file is not that of the result')) return
  const records = plays.sections.map((section, place) => {
    const { root, count: leaves } = section
    const tally = countSection(section, plays, rules.price.value)
    return { section: section.section, root, leaves, ...tally, winners: counted[place] ?? [] }
  })
  if (plays.areAll) {
    const isByCount = toHex(hash(writeSections(plays.fault === null ? records : []))) === statement.sections
    checks.hold('result.sections', isByCount, 'fail', 'the sections come to something else')
    return
  }
  checks.end('result.sections', 'unknown', partWhy(plays))
  if (plays.file === null || !plays.areSealed) return
  verifyRecords(plays, records, checks)
  const { lines, free, carried, stake } = sumOf(plays.file.records)
  const winners = sumOfWinners(
    plays.file.records.map((record) => record.winners),
    rules.tier.length,
  )
  const said = close.statement
  const areOfClose = lines === said.lines && free === said.free && carried === said.carried && stake === said.stake
  checks.hold('result.sections', areOfClose, 'fail', 'the sections do not add up to the close')
  const areOfResult = winners.every((count, place) => count === statement.tier[place]?.winners)
  checks.hold(
    'result.sections',
    areOfResult,
    'fail',
    'the winners of the sections do not add up to those of the result',
  )
}

/** Compares the available sections with the file. A revocation in another section can explain a difference. */
function verifyRecords(plays: SealedPlays, records: readonly SectionRecord[], checks: Checks): void {
  const canBeExplained = plays.fault !== null || plays.isRevokedElsewhere
  for (const record of records) {
    const own = writeSections([record])
    const claimed = plays.file?.bytes.subarray(record.section * own.length, (record.section + 1) * own.length)
    const isSame = claimed !== undefined && equalBytes(claimed, own)
    checks.hold(
      'result.sections',
      isSame,
      canBeExplained ? 'unknown' : 'fail',
      `section ${record.section} comes to something else`,
    )
  }
}

/** Checks the tiers and prizes of a result. @param winners by tier in the order of the rules */
export function verifyTiers(
  { rules }: OpenedDraw,
  { statement }: Result,
  winners: readonly number[],
  { each }: Prizes,
  checks: Checks,
): void {
  const isByRules =
    statement.tier.length === rules.tier.length &&
    statement.tier.every(({ matches, kind }, place) => {
      return matches === rules.tier[place]?.matches && kind === rules.tier[place].kind
    })
  checks.hold('result.tiers', isByRules, 'fail', 'its tiers are not those of the rules')
  const areWinners = statement.tier.every((tier, place) => tier.winners === winners[place])
  checks.hold('result.tiers', areWinners, 'fail', `the winners are ${winners.join(', ')}`)
  const areSums = statement.tier.every((tier, place) => tier.each === each[place])
  checks.hold('result.tiers', areSums, 'fail', `the prizes are ${each.join(', ')}`)
}

function verifyState(
  log: KnownLog,
  { open }: OpenedDraw,
  close: Close,
  result: Result,
  { left, freeTickets, checks }: { readonly left: bigint; readonly freeTickets: number; readonly checks: Checks },
): void {
  checks.hold('result.state', result.statement.left === left, 'fail', `${left} satoshis are left`)
  const found = stateBefore(log, result, { open: open.hash, game: open.statement.game })
  if ('missing' in found) return checks.end('result.state', 'broken', found.missing)
  if ('wrong' in found) return checks.end('result.state', 'fail', found.wrong)
  const isAfterClose = (log.named(result.statement.last)?.index ?? -1) >= close.index
  checks.hold('result.state', isAfterClose, 'fail', 'it does not continue its own close')
  const expected = afterResult(found.state, { left, freeTickets })
  const isSame = isSameState(result.statement.state, expected)
  checks.hold('result.state', isSame, 'fail', 'its state does not follow from the one before')
}
