import { describe, expect, it } from 'vitest'
import { changeSentences } from './change-sentences.ts'
import type { GameRules } from './games.ts'
import { STARTER } from './seeds.ts'

const before: GameRules = STARTER

describe('the sentences of a change', () => {
  it.each<[string, Partial<GameRules>, string[]]>([
    ['nothing', {}, []],
    ['a price', { priceMinor: 150 }, ['A line costs £1.50 instead of £1.00.']],
    [
      'prizes that go, come and change',
      {
        tiers: [
          { matches: 5, kind: 'jackpot' },
          { matches: 4, kind: 'fixed', prizeMinor: 20_000 },
          { matches: 3, kind: 'free' },
          { matches: 1, kind: 'free' },
        ],
      },
      [
        '4 matches win £200.00 instead of £300.00.',
        '3 matches win a free ticket instead of £5.00.',
        '2 matches win nothing instead of a free ticket.',
        '1 match wins a free ticket instead of nothing.',
      ],
    ],
    [
      'floor and cover',
      { guaranteedMinor: 100_000, coverMinor: 50_000 },
      [
        'The guaranteed jackpot is £1,000.00 instead of £1,500.00.',
        'The operator covers fixed prizes up to £500.00 instead of £2,000.00.',
      ],
    ],
    [
      'the split',
      { split: { prizePool: 70, donation: 10, fee: 20 } },
      [
        'Of each stake, 70% goes to prizes, 10% to good causes and 20% to the operator; before, 80% goes to prizes, 5% to good causes and 15% to the operator.',
      ],
    ],
    ['the limit', { mostEntries: 10 }, ['A player can have 10 entries in a draw instead of 1000.']],
    [
      'days and times',
      {
        drawTimes: [
          { day: 1, minuteOfDay: 1080 },
          { day: 5, minuteOfDay: 1080 },
          { day: 7, minuteOfDay: 545 },
        ],
      },
      ['Draws start on Monday and Friday at 18:00, Sunday at 09:05 (UTC) instead of every day at 18:00.'],
    ],
    ['the close', { closesBeforeSeconds: 60 }, ['Sales close 1 minute before a draw starts instead of 5 minutes.']],
    ['the horizon, which is no rule', { weeksAhead: 8 }, []],
  ])('of %s', (_what, change, sentences) => {
    expect(changeSentences(before, { ...before, ...change })).toEqual(sentences)
  })
})
