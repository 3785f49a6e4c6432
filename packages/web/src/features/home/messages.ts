/** The words of the home page. Those in capitals are the specification's own. */
export const HOME_TEXTS = {
  nextDraw: (when: string) => `Draw: ${when}`,
  estimated: 'Estimated jackpot',
  lead: (pick: number) => `Pick ${pick} numbers, pay in bitcoin. Win, and it lands in your wallet within an hour.`,
  untilDraw: 'Time until the draw',
  playFor: (price: string) => `PLAY FOR ${price}`,
  watch: 'WATCH THE DRAWS',
  history: 'CHECK DRAW HISTORY',
  results: 'CHECK RESULTS',

  allGames: 'All games',
  cardNote: (pick: number, pool: number) => `Estimated jackpot · pick ${pick} from ${pool}`,
  noGames: 'No game is open yet. Please come back later.',

  trust: (prizePool: string) => [
    { title: 'Nothing to claim', text: 'Prizes go to the bitcoin address you save.' },
    { title: 'Paid within an hour', text: 'Every prize, every draw, automatically.' },
    { title: `${prizePool}% prize pool`, text: 'Classic lotteries return about 50–60%.' },
    { title: 'Play from anywhere', text: 'For anyone aged 18 or over.' },
  ],
} as const
