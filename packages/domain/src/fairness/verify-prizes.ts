import { settlePrizes, type SettledTier } from '../jackpot.ts'
import { lineMask } from '../lines.ts'
import { attempt, failed, type Finding, type Input, inputs, passed, StepChecks, unchecked } from './checks.ts'
import { type DrawRecord, ofType } from './draw-record.ts'
import type { LoggedNote } from './log.ts'
import type { Derivation, Step } from './report.ts'
import { winnersByMatches } from './sealed-entries.ts'
import type { StatementOf } from './statements.ts'

/** The title of step 6, for a report that could not get so far as well. */
export const PRIZES_TITLE = 'The prizes'

/** What each tier pays by this verifier's own sums, or why that cannot be told. */
export interface PrizesFound {
  readonly tiers: readonly SettledTier[] | null
  /** why there are none; empty where there are */
  readonly reason: string
}

/**
 * Counts the winners among the sealed entries and settles the prizes (fairness section 8).
 *
 * @param entries the published bytes; null where they are not here or not those that were sealed
 */
export function settleDraw({
  record,
  rules,
  derivation,
  entries,
}: {
  readonly record: DrawRecord
  readonly rules: StatementOf<'rules'> | null
  readonly derivation: Derivation | null
  readonly entries: Uint8Array | null
}): PrizesFound {
  const close = record.close?.statement
  if (close === undefined || derivation === null) return { tiers: null, reason: 'The numbers are not known.' }
  if (rules === null) return { tiers: null, reason: 'The rules are not those that were named.' }
  if (entries === null) return { tiers: null, reason: 'The entries that were sealed are not here.' }
  const winners = winnersByMatches(entries, lineMask(derivation.balls.map(({ number }) => number)))
  const settled = attempt(() =>
    settlePrizes({
      tiers: rules.tiers,
      winnersByMatches: winners,
      poolSats: close.pool,
      bankrollSats: close.bankroll,
      floorSats: close.floor,
      satsPerUnit: close.rate.amount,
    }),
  )
  return settled === null
    ? { tiers: null, reason: 'The figures in the seal cannot be settled: its rate is zero.' }
    : { tiers: settled.tiers, reason: '' }
}

/** Step 6: winners, amounts, and the free tickets of the game (fairness section 10). */
export function verifyPrizesStep(
  statements: readonly LoggedNote[],
  record: DrawRecord,
  rules: StatementOf<'rules'> | null,
  { tiers, reason }: PrizesFound,
): Step {
  const step = new StepChecks('prizes', PRIZES_TITLE)
  const claimed = record.results[0]?.statement.tiers ?? null
  step.add('tiers', 'Winners and amounts are right', tiersFinding(record, tiers, reason), [
    ...tierInputs('by this arithmetic', tiers ?? []),
    ...tierInputs('in the result', claimed ?? []),
  ])
  const close = record.close?.statement
  step.add('rate', 'Prizes were turned into bitcoin from the currency of the rules', rateFinding(close, rules), [
    ...inputs({
      'satoshis per unit': close && `${close.rate.currency} ${close.rate.amount}`,
      'currency of the rules': rules?.price.currency,
    }),
  ])
  const game = record.open.statement.game
  step.add('free', 'No more free tickets were used in this game than were won', freeFinding(statements, game))
  return step.step()
}

function tiersFinding(record: DrawRecord, tiers: readonly SettledTier[] | null, reason: string): Finding {
  if (record.state === 'void') return unchecked('The draw is void: it has no prizes.')
  if (tiers === null) return unchecked(reason)
  const claimed = record.results[0]?.statement.tiers
  if (claimed === undefined) return unchecked('The result is not in the log yet.')
  if (claimed.length !== tiers.length) return failed('The result has other prize tiers than the rules.')
  for (const [place, tier] of tiers.entries()) {
    const other = claimed[place]
    if (other === undefined || other.matches !== tier.matches || other.kind !== tier.kind) {
      return failed('The result has other prize tiers than the rules.')
    }
    if (other.winners !== tier.winners) {
      return failed(`${tier.winners} entries have ${tier.matches} matches; the result says ${other.winners}.`)
    }
    if (other.satsEach !== tier.satsEach) {
      return failed(`${tier.matches} matches pay ${tier.satsEach} satoshis each; the result says ${other.satsEach}.`)
    }
  }
  return passed('They are as the rules, the entries and the seal give them.')
}

function tierInputs(where: string, tiers: readonly SettledTier[]): Input[] {
  return tiers.map(({ matches, kind, winners, satsEach }) => ({
    name: `${matches} matches, ${where}`,
    value:
      kind === 'free'
        ? `${winners} × free ticket`
        : `${winners} × ${satsEach} satoshis${kind === 'jackpot' ? ' (jackpot)' : ''}`,
  }))
}

function rateFinding(close: StatementOf<'close'> | undefined, rules: StatementOf<'rules'> | null): Finding {
  if (close === undefined) return unchecked('The draw was not sealed.')
  if (rules === null) return unchecked('The rules are not those that were named.')
  if (close.rate.amount === 0n) return failed('The rate in the seal is zero.')
  return close.rate.currency === rules.price.currency
    ? passed('The rate in the seal is of that currency.')
    : failed('The rate in the seal is of another currency.')
}

/**
 * Walks the whole log: at every seal in force of the game, the free entries used so far are at most the free tickets won by
 * then (fairness section 10, step 6). Draws that end void are left out: their entries move.
 */
function freeFinding(statements: readonly LoggedNote[], game: string): Finding {
  const opens = new Set(
    ofType(statements, 'open').flatMap(({ hash, statement }) => (statement.game === game ? [hash] : [])),
  )
  for (const { statement } of ofType(statements, 'void')) opens.delete(statement.open)
  const closes = ofType(statements, 'close').filter(({ statement }) => opens.has(statement.open))
  const inForce = new Map(closes.map((close) => [close.statement.open, close.hash]))
  const openOf = new Map(closes.map(({ hash, statement }) => [hash, statement.open]))
  const settled = new Set<string>() // a second result of a draw wins nothing again
  let used = 0
  let won = 0
  for (const { hash, statement } of statements) {
    const open = statement.type === 'result' ? openOf.get(statement.close) : undefined
    if (statement.type === 'result' && open !== undefined && !settled.has(open)) {
      settled.add(open)
      for (const tier of statement.tiers) if (tier.kind === 'free') won += tier.winners
    }
    if (statement.type !== 'close' || inForce.get(statement.open) !== hash) continue
    used += statement.free
    if (used > won) {
      return failed(`At statement ${statement.seq}, ${used} free tickets had been used, and ${won} had been won.`)
    }
  }
  return closes.length === 0
    ? unchecked('No draw of this game was sealed.')
    : passed(`${used} were used, ${won} were won.`)
}
