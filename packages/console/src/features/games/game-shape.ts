import { isRecord } from '../../shared/api.ts'
import { recordOf } from '../../shared/value-form/shape.ts'
import type { Shape, ShapeField } from '../../shared/value-form/shape.ts'

const text: Shape = { kind: 'text' }
const whole: Shape = { kind: 'number' }
const money: Shape = { kind: 'number', digits: 2 }
const choice = (...values: readonly string[]): Shape => ({
  kind: 'choice',
  options: values.map((value) => ({ value, label: value })),
})
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const TIER: readonly ShapeField[] = [
  { name: 'matches', label: 'Numbers right', shape: whole },
  { name: 'kind', label: 'Prize', shape: choice('jackpot', 'fixed', 'free') },
  { name: 'prize_minor', label: 'Amount', shape: money, isIn: ({ kind }) => kind === 'fixed' },
]

const RULES: readonly ShapeField[] = [
  { name: 'currency', label: 'Currency', hint: 'Three capital letters.', shape: text },
  { name: 'price_minor', label: 'Price of a line', shape: money },
  { name: 'pick', label: 'Numbers on a line', shape: whole },
  { name: 'pool', label: 'Balls in the drum', shape: whole },
  { name: 'guaranteed_minor', label: 'Guaranteed jackpot', shape: money },
  { name: 'cover_minor', label: 'Covered by the bankroll', shape: money },
  { name: 'tiers', label: 'Prizes', shape: { kind: 'list', item: 'Tier', of: { kind: 'object', fields: TIER } } },
  {
    name: 'split',
    label: 'Where the stakes go',
    shape: {
      kind: 'object',
      fields: [
        { name: 'prize_pool', label: 'Prizes, in percent', hint: 'The three together are 100.', shape: whole },
        { name: 'donation', label: 'Donations, in percent', shape: whole },
        { name: 'fee', label: 'Fee, in percent', shape: whole },
      ],
    },
  },
  {
    name: 'draw_times',
    label: 'Draws in a week',
    shape: {
      kind: 'list',
      item: 'Draw',
      of: {
        kind: 'object',
        fields: [
          {
            name: 'day',
            label: 'Day',
            shape: { kind: 'choice', options: DAYS.map((label, index) => ({ value: index + 1, label })) },
          },
          { name: 'minute_of_day', label: 'Minute of the day (UTC)', hint: '1200 is 20:00.', shape: whole },
        ],
      },
    },
  },
  { name: 'closes_before_seconds', label: 'Sales close before the draw, in seconds', shape: whole },
  { name: 'weeks_ahead', label: 'Weeks that are sold ahead', shape: whole },
  { name: 'most_entries', label: 'Most entries in a draw', shape: whole },
]

/** A game of the games file. Its key names it for good, so no form changes it. */
export const GAME_SHAPE: Shape = {
  kind: 'object',
  fields: [
    { name: 'name', label: 'Name', shape: text },
    { name: 'accent', label: 'Colour', shape: { kind: 'text', type: 'color' } },
    {
      name: 'pattern',
      label: 'Pattern of the balls',
      shape: choice('solid', 'band', 'reeded', 'facets', 'ring', 'sunburst'),
    },
    { name: 'summary', label: 'One sentence about it', shape: text },
    { name: 'rules', label: 'Rules', shape: { kind: 'object', fields: RULES } },
    {
      name: 'from',
      label: 'New rules from the draw at',
      hint: 'Leave it empty for the earliest that is allowed.',
      shape: { kind: 'moment' },
    },
    {
      name: 'retire',
      label: 'Retirement',
      hint: 'The game continues.',
      shape: {
        kind: 'object',
        isNullable: true,
        fields: [{ name: 'into', label: 'Its money goes to', hint: 'A game’s key, or partners.', shape: text }],
      },
    },
  ],
}

/** One game of the text of a games file; null if the text has none of this key. */
export function gameIn(file: string, key: string): Readonly<Record<string, unknown>> | null {
  return gamesIn(file).find((game) => game['key'] === key) ?? null
}

/** The text of the games file with one game changed. */
export function fileWith(file: string, key: string, changed: unknown): string {
  const whole = parsed(file)
  const games = gamesIn(file).map((game) => (game['key'] === key ? changed : game))
  return `${JSON.stringify({ ...whole, games }, null, 2)}\n`
}

function gamesIn(file: string): readonly Readonly<Record<string, unknown>>[] {
  const games = parsed(file)['games']
  return Array.isArray(games) ? games.filter(isRecord) : []
}

function parsed(file: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(file))
  } catch {
    return {}
  }
}
