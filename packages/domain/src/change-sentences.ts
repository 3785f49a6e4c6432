import type { DrawTime, GameRules, PrizeTier } from './games.ts'
import { minorText } from './minor-text.ts'

/**
 * What changes for a player from one version of a game to the next: one sentence for each value, with the new and the
 * old one. Weekdays and times are in UTC, as in the announced rules. Empty if nothing that a player meets changes.
 */
export function changeSentences(before: GameRules, after: GameRules): string[] {
  const { currency } = after
  const money = (minor: number): string => minorText(minor, currency)
  return [
    ...changed(
      before.priceMinor,
      after.priceMinor,
      (now, old) => `A line costs ${money(now)} instead of ${money(old)}.`,
    ),
    ...tierSentences(before, after),
    ...changed(
      before.guaranteedMinor,
      after.guaranteedMinor,
      (now, old) => `The guaranteed jackpot is ${money(now)} instead of ${money(old)}.`,
    ),
    ...changed(
      before.coverMinor,
      after.coverMinor,
      (now, old) => `The operator covers fixed prizes up to ${money(now)} instead of ${money(old)}.`,
    ),
    ...changed(splitText(before), splitText(after), (now, old) => `Of each stake, ${now}; before, ${old}.`),
    ...changed(
      before.mostEntries,
      after.mostEntries,
      (now, old) => `A player can have ${now} entries in a draw instead of ${old}.`,
    ),
    ...changed(
      timesText(before.drawTimes),
      timesText(after.drawTimes),
      (now, old) => `Draws start on ${now} (UTC) instead of ${old}.`,
    ),
    ...changed(
      before.closesBeforeSeconds,
      after.closesBeforeSeconds,
      (now, old) => `Sales close ${minutesText(now)} before a draw starts instead of ${minutesText(old)}.`,
    ),
  ]
}

function changed<Value>(before: Value, after: Value, sentence: (now: Value, old: Value) => string): string[] {
  return before === after ? [] : [sentence(after, before)]
}

function tierSentences(before: GameRules, after: GameRules): string[] {
  const prizes = (rules: GameRules) => new Map(rules.tiers.map((tier) => [tier.matches, prizeText(tier, rules)]))
  const [old, now] = [prizes(before), prizes(after)]
  const matches = [...new Set([...old.keys(), ...now.keys()])].sort((one, other) => other - one)
  return matches.flatMap((count) =>
    changed(
      old.get(count) ?? 'nothing',
      now.get(count) ?? 'nothing',
      (won, wonBefore) => `${count === 1 ? '1 match wins' : `${count} matches win`} ${won} instead of ${wonBefore}.`,
    ),
  )
}

function prizeText(tier: PrizeTier, { currency }: GameRules): string {
  if (tier.kind === 'fixed') return minorText(tier.prizeMinor, currency)
  return tier.kind === 'jackpot' ? 'the jackpot' : 'a free ticket'
}

function splitText({ split: { prizePool, donation, fee } }: GameRules): string {
  return `${prizePool}% goes to prizes, ${donation}% to good causes and ${fee}% to the operator`
}

function timesText(times: readonly DrawTime[]): string {
  const byTime = Map.groupBy(
    [...times].sort((one, other) => one.day - other.day || one.minuteOfDay - other.minuteOfDay),
    ({ minuteOfDay }) => minuteOfDay,
  )
  return [...byTime]
    .map(([minute, ofTime]) => {
      const days = ofTime.length === DAYS.length ? ['every day'] : ofTime.map(({ day }) => DAYS[day - 1] ?? '')
      return `${listed(days)} at ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    })
    .join(', ')
}

function minutesText(seconds: number): string {
  const minutes = seconds / 60
  if (!Number.isInteger(minutes)) return `${seconds} seconds`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
