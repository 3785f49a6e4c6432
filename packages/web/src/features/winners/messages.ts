/** The words of the page of winners and good causes. */
export const WINNERS_TEXTS = {
  title: 'Winners & good causes',
  lead: 'Recent winners, and the causes your stakes support.',

  winners: 'Recent winners',
  winnersLead: 'From settled draws, under masked names, and only of players who have agreed to be shown.',
  winnersSetting: 'Choose whether your wins are shown',
  noWinners: 'No winners yet.',
  noWinnersMore: 'Wins appear here when winners agree to be shown.',
  firstPlay: 'Be the first',
  won: (game: string, date: string) => `${game}, ${date}`,

  everyTime: 'Every time you play',
  everyTimeCards: ({ prize_pool: prizePool, donation }: { prize_pool: string; donation: string }) => [
    {
      title: `${prizePool}% of every stake is for players`,
      text: 'It goes into the prize pool of the game, and from there into fixed prizes and the jackpot.',
    },
    {
      title: `${donation}% of every stake is for good causes`,
      text: 'It is set aside at every draw, and shared between the partner charities when a jackpot is won.',
    },
    {
      title: 'Anyone can check your draw',
      text: 'The list of plays is sealed before the numbers exist. You get a signed promise and a receipt, and your browser checks the rest.',
    },
  ],
  toMoney: 'Where the money goes',
  toFairness: 'How to check a draw',

  play: (game: string) => `Play ${game}`,
  playTitle: (figure: string) => `An estimated jackpot of ${figure}`,
  playLead: (game: string) =>
    `${game} closes next. The jackpot is an estimate, and the odds are beside the prizes on its page.`,

  causes: 'Good causes',
  noCauses: 'The operator of this installation has not named any good causes yet.',
  noCausesMore: 'What is set aside for them stays in the books until there is a partner to pay.',
  visit: (title: string) => `Visit ${title}`,
  visitShort: 'Visit the site',
} as const
