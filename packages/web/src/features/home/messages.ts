/** The words of the home page. Those in capitals are the specification's own. */
export const HOME_TEXTS = {
  nextDraw: (when: string) => `Draw: ${when}`,
  estimated: 'Estimated jackpot',
  lead: (pick: number) =>
    `Play from anywhere: pick ${pick} numbers, pay in bitcoin. Win, and it lands in your wallet within an hour.`,
  playFor: (price: string) => `PLAY FOR ${price}`,
  watch: 'WATCH THE DRAWS',
  history: 'CHECK DRAW HISTORY',
  results: 'CHECK RESULTS',

  allGames: 'All games',
  cardNote: (pick: number, pool: number) => `Estimated jackpot · pick ${pick} from ${pool}`,
  noGames: 'No game is open yet. Please come back later.',

  /** titles, each with its text */
  trust: (prizePool: string): readonly (readonly [string, string])[] => [
    ['Nothing to claim', 'Prizes go to the bitcoin address you save.'],
    ['Paid within an hour', 'Every prize, every draw, automatically.'],
    [`${prizePool}% prize pool`, 'Classic lotteries return about 50–60%.'],
  ],
  /** The last of them is a link. */
  trustProof: ['Check every draw yourself', 'Entries are sealed before the random number exists.'],
} as const
