import type { WatchPhase } from '@fairball/domain/draw-phase'
import type { WinType } from '@fairball/contract/schemas/game'

/** The words of the page on which a draw is watched. Those in capitals are the specification's own. */
export const WATCH_TEXTS = {
  title: (game: string) => `${game} draw`,
  tags: { PLAY: null, STARTS_SOON: 'STARTS SOON', LIVE: 'LIVE', ENDED: 'ENDED' } satisfies Record<
    WatchPhase,
    string | null
  >,
  starts: (when: string) => `Starts: ${when}`,
  live: 'The balls are being drawn now.',
  ended: 'All balls are drawn.',
  untilDraw: 'Time until the draw',
  jackpot: 'Estimated jackpot',
  balls: 'Numbers of this draw',
  ballDrawn: (place: number, number: number) => `Ball ${place}: ${number}`,
  noBalls: 'The balls are shown here when the draw starts.',

  playGame: 'PLAY THE GAME',
  previousResults: 'CHECK PREVIOUS RESULTS',
  results: 'CHECK RESULTS',

  prizes: 'Prizes of this draw',
  prizesWaiting: 'The prizes appear here once all balls are drawn.',
  prizesCounting: 'The prizes are being counted.',
  columnMatches: 'Matches',
  columnPrize: 'Prize for each winner',
  columnWinners: 'Winners',
  types: { JACKPOT: 'Jackpot', PRIZE: 'Prize', FREE_TICKET: 'Free ticket' } satisfies Record<WinType, string>,
  matches: (count: number) => `Match ${count}`,
  notWon: '- - - - -',
  notWonSpoken: 'Not won',
  youWin: 'You win!',
  youWinBanner: 'You win! Your results say what each of your lines has won.',
  partners: 'Partners who share in this jackpot:',

  others: 'Watch another game',
} as const
