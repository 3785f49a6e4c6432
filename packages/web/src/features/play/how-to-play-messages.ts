/** The words around the steps of the explanation. */
export const HOW_TO_PLAY_TEXTS = {
  title: 'How to play',
  count: (step: number, max: number) => `${step} of ${max}`,
  progress: 'Steps read',
  previous: 'Previous',
  next: 'NEXT',
  done: 'GOT IT',
} as const

/** The game's facts in the explanation. */
export interface HowToPlayFacts {
  pick: number
  pool: number
  price: string
  maxWeeks: number
}

/** The steps of the explanation; their number is its maximum. */
export const HOW_TO_PLAY_STEPS: readonly { title: string; text: (facts: HowToPlayFacts) => string }[] = [
  {
    title: 'Choose your numbers',
    text: ({ pick, pool }) =>
      `A line has ${pick} different numbers from 1 to ${pool}. Press Choose numbers, pick them and confirm.`,
  },
  {
    title: 'Or take a lucky dip',
    text: () => 'Quick Lucky Dip fills as many lines as you like with random numbers. Every line has the same chance.',
  },
  {
    title: 'Play as many lines as you like',
    text: ({ price }) => `Each line costs ${price} in each draw it plays. You can change, delete and save lines.`,
  },
  {
    title: 'Choose the days',
    text: () => 'Tick the days on which your lines play. Days of this week that have passed cannot be chosen.',
  },
  {
    title: 'Choose the weeks',
    text: ({ maxWeeks }) => `Choose for how many weeks; 1 is this week's draw, up to ${maxWeeks}.`,
  },
  {
    title: 'Press play',
    text: () =>
      'After pressing play you must sign in before confirming. Then you pay in bitcoin, and prizes are sent to you.',
  },
]
