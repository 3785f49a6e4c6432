/** The words of the page about us. */
export const ABOUT_TEXTS = {
  title: 'About us',
  lead: 'A lottery like the ones you know: numbered balls, a jackpot, a draw at a fixed time. Two things differ: it is paid in bitcoin, and you don’t have to trust us.',
  play: (game: string) => `Play ${game}`,
  playAny: 'Play',
  winners: 'Winners & good causes',
  ballsLabel: 'Five numbered balls',

  figures: 'In figures',
  gameCount: (count: number) =>
    count === 1 ? 'game, with its own odds and draw times' : 'games, each with its own odds and draw times',
  prizePool: 'of every stake goes into the prize pool',
  fee: 'is the operator’s fee, paid only when a jackpot is won',
  donation: 'is set aside for good causes, paid when a jackpot is won',
  payoutTime: { figure: '1 hour', text: 'at most from the end of a draw until its prizes leave for saved addresses' },

  ideas: 'Our principles',
  ideaList: [
    {
      title: 'Nobody picks the numbers',
      text: 'When sales close, the list of all plays is sealed and published. Only then does the public random number appear, which the numbers are computed from. For each draw, your browser shows how much of that is proved.',
      link: 'fairness',
      linkText: 'How it works, and how to check it',
    },
    {
      title: 'Every satoshi is accounted for',
      text: 'Money moves in a double-entry ledger: everything that comes in for a draw goes out again or stays in the prize pool. Each draw’s page shows it. Another page shows what the operator holds and owes.',
      link: 'whereTheMoneyGoes',
      linkText: 'Where the money goes',
    },
    {
      title: 'There is nothing to claim',
      text: 'You save a bitcoin address once. What you win is sent there automatically, whether you watched the draw or not.',
      link: 'howToClaim',
      linkText: 'How prizes are paid',
    },
    {
      title: 'Keep it fun',
      text: 'The odds are beside the prizes. Weekly limits, time out, exclusion and reminders are in your settings. Most lines win nothing, and a lottery is not an income.',
      link: 'responsiblePlay',
      linkText: 'Responsible play',
    },
  ],

  software: 'The software',
  softwareTexts: [
    'Fairball is software that an operator runs on its own machines: one program and one database. Players can check its draws without trusting the program, with verifiers that work offline and witnesses that sign what they saw in time.',
    'Its API is open: it provides everything these pages show.',
    'It is free software under the GNU Affero General Public License, version 3. An operator who runs a changed copy offers its source code to everyone who uses it.',
  ],
  documentation: 'Documentation',
  softwareLink: 'API reference',
  sourceCode: 'Source code',
  operator: 'Who runs this site',
  operatorUnknown: 'The operator of this installation has not published a name and an address here.',
  testMode:
    'This installation is in test mode. It runs with test bitcoin, which are worth nothing, so that you can try it out. It may make the random numbers of its draws itself; the fairness page explains what that means.',
  contact: 'Help & contact us',
} as const
