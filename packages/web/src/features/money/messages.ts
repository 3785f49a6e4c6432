/** The parts of a stake in percent, as text. */
type Percents = Readonly<Record<'prize_pool' | 'donation' | 'fee', string>>

/** The words of the page on where the money goes. */
export const MONEY_TEXTS = {
  title: 'Where the money goes',
  lead: 'Everything you play with is divided by rules nobody can change for a draw that is on sale. This page shows the rule, then the draws themselves, then what the operator holds and owes.',

  split: 'Where each stake goes',
  splitParts: {
    prize_pool: {
      name: 'Prize pool',
      text: 'Fixed prizes and the jackpot. What is not won stays in it for the next draw of the game.',
    },
    donation: { name: 'Good causes', text: 'Set aside for partner charities, paid when a jackpot is won.' },
    fee: { name: 'Operator’s fee', text: 'Set aside for the operator, paid only when a jackpot is won.' },
  },
  percent: (percent: string) => `${percent}%`,
  splitRounding: ({ donation, fee }: Percents) =>
    `In satoshis: ${donation}% and ${fee}% are rounded down, and the remainder goes to the prize pool.`,
  classic: ({ prize_pool: prizePool }: Percents) =>
    `Classic lotteries return about 50-60% to their players. That is the operator’s statement, which this page cannot check; it can check the ${prizePool}% here.`,

  when: 'When it is paid',
  whenSteps: [
    {
      name: 'You pay',
      text: 'Your bitcoin are held as the stake of your plays. If a draw does not take place, its plays move to a later one, free of charge.',
    },
    {
      name: 'Sales close',
      text: 'The stakes of the draw are divided between the prize pool, good causes and the operator. The operator adds the guaranteed jackpot and the cover of the fixed prizes, as a reserve.',
    },
    {
      name: 'The draw is settled',
      text: 'Fixed prizes are paid out of the prize pool, and out of the reserve only if the pool falls short. What is left stays in the pool; the rest of the reserve goes back.',
    },
    {
      name: 'A jackpot is won',
      text: 'It is shared between its winners. Only now are the operator’s fee and the part of the good causes paid, with what earlier draws had set aside.',
    },
  ],

  long: 'In the long run, game by game',
  longLead:
    'How the odds and the prizes of each game divide its stakes, if all free tickets are played and jackpots are won as often as their odds say.',
  longCaption: 'Where the stakes of each game go in the long run',
  game: 'Game',
  shares: 'Shares',
  fixed: 'Fixed prizes',
  jackpot: 'Jackpot',
  causes: 'Good causes',
  operator: 'Operator',
  freeNote:
    'A free ticket is not money and has no colour: the fixed prizes that free tickets win are counted with the others.',
  noIncome:
    'Shares are averages over very many lines. A single line most often wins nothing: play for fun, never for income.',
  toOdds: 'Odds of every prize',

  draws: 'The newest draws',
  drawsLead: 'Read from the ledger. In each draw as much went out as came in, to the satoshi.',
  drawsEmpty: 'No draw history yet.',
  drawsEmptyMore: 'Each draw’s money appears here once it is settled.',
  drawTitle: (game: string, number: number) => `${game}, draw ${number.toLocaleString('en-US')}`,
  drawNone: 'No money came into this draw, and none went out.',
  drawMore: (number: number) => `More about draw ${number.toLocaleString('en-US')}`,
  cameIn: 'Came in',
  wentOut: 'Went out',
  stakes: (entries: number) => (entries === 1 ? '1 line' : `${entries.toLocaleString('en-US')} lines`),
  fromPool: 'Left by earlier draws',
  fromBankroll: 'Added by the operator',
  prizes: 'Fixed prizes',
  jackpotWon: 'Jackpot',
  donation: 'Good causes',
  fee: 'Operator',
  toNext: 'Stays for the next draw',
  notWon: 'The jackpot was not won: it rolls over.',

  solvency: 'What the operator holds and owes',
  solvencyLead:
    'Sums over the whole ledger, updated while this page is open. Anyone can fetch them: GET /api/v1/solvency.',
  verdicts: {
    success: { name: 'Covered', text: 'The wallet covers all that is owed and all that is set aside for prizes.' },
    danger: {
      name: 'Not covered',
      text: 'The wallet does not cover all that is owed and set aside for prizes. No explanation makes up for that: ask the operator.',
    },
    warning: {
      name: 'Not known',
      text: 'The wallet could not be read yet, so this page can’t say whether it covers what is owed.',
    },
  },
  wallet: 'In the wallet',
  walletUnknown: 'not known',
  compared: (ledger: string, difference: string | null, at: string) =>
    `${
      difference === null
        ? `The ledger has the same ${ledger} BTC on record, to the satoshi.`
        : `The ledger has ${ledger} BTC on record: a difference of ${difference} BTC. Payments, payouts and the operator’s own transfers that are not confirmed yet cause one for a while.`
    } The wallet was read on ${at}.`,
  needed: 'Has to be covered',
  own: 'The operator’s own',
  solvencyCaption: 'What the operator owes, has set aside, and owns, in bitcoin',
  account: 'Ledger account',
  meaning: 'What it is',
  amount: 'BTC',
  freeTickets: (count: number) =>
    count === 1
      ? '1 free ticket waits to be played.'
      : `${count.toLocaleString('en-US')} free tickets wait to be played.`,
  solvencyHow:
    'The wallet has to cover everything except the operator’s own: free bankroll, fee, and the fee that is set aside. What the wallet holds is what the operator’s server reads from it, and so the operator’s word; the prizes paid can be seen in the block chain.',
  groups: {
    players: 'Owed to players, and under way',
    games: 'Set aside for prizes',
    causes: 'For good causes',
    own: 'The operator’s own',
    other: 'Not yet assigned',
  },
  accounts: {
    received: ['Received', 'Money for orders that are not paid in full or not confirmed yet'],
    stakes_held: ['Stakes held', 'Stakes of draws that are still on sale'],
    winnings: ['Winnings', 'Prizes, refunds and excess that have not left yet'],
    in_flight: ['Payouts in progress', 'Sent or about to be sent to players and partners'],
    pots: ['Prize pools', 'What the games carry from draw to draw'],
    pot: ['Pots', 'Prize pools of draws that are closed and not settled'],
    reserve: ['Reserves', 'Guaranteed jackpots and covers of draws that are closed and not settled'],
    donation_pool: ['Set aside', 'For good causes, until a jackpot is won'],
    partner: ['Partners', 'Owed to partner charities since a jackpot was won'],
    bankroll: ['Bankroll', 'The operator’s money that guaranteed jackpots and covers come from'],
    fee_reserve: ['Fee set aside', 'The operator’s part of the stakes, until a jackpot is won'],
    operator_fee: ['Fee', 'The operator’s part since a jackpot was won, as long as it stays in the wallet'],
    suspense: ['Unknown', 'Money that came in without an order, until investigated'],
  },
  btc: (amount: string) => `${amount} BTC`,
} as const
