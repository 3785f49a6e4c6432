import type { WatchPhase } from '@fairball/domain/draw-phase'
import type { WinType } from '@fairball/contract/schemas/game'
import type { LiveState } from './watch-state.ts'

/** The words of the page on which a draw is watched. Those in capitals are the specification's own. */
export const WATCH_TEXTS = {
  title: (game: string) => `${game} draw`,
  tags: { PLAY: null, STARTS_SOON: 'STARTS SOON', LIVE: 'LIVE', ENDED: 'ENDED' } satisfies Record<
    WatchPhase,
    string | null
  >,
  starts: (when: string) => `Starts: ${when}`,
  postponed: 'This draw is delayed. Sales stay closed and every ticket stays in.',
  live: {
    BEGINS: 'The draw is about to begin.',
    LATE: 'The random number is late. The balls are drawn as soon as it arrives.',
    DRAWS: 'The balls are being drawn now.',
    COUNTS: 'All balls are drawn. The prizes are being counted.',
  } satisfies Record<LiveState, string>,
  ended: 'All balls are drawn.',
  cutOff: 'Connection lost. The draw continues; this page catches up automatically.',
  drawVoid: (number: number) =>
    `Draw ${number} did not take place. Its lines play in a later draw at no cost, and their players have a message that says so.`,
  drawMissed: (number: number, numbers: readonly number[]) =>
    `Draw ${number} ended while this page was away. Its numbers: ${numbers.join(', ')}.`,
  seeDraw: (number: number) => `See draw ${number}`,
  untilDraw: 'Time until the draw',
  jackpot: 'Estimated jackpot',
  nextJackpot: 'Estimated jackpot of the next draw',
  balls: 'Numbers of this draw',
  ballDrawn: (place: number, number: number) => `Ball ${place}: ${number}`,
  sound: 'Sound',

  playGame: 'PLAY THE GAME',
  playNext: 'Play the next draw',
  previousResults: 'CHECK PREVIOUS RESULTS',
  results: 'CHECK RESULTS',

  prizes: 'Prizes of this draw',
  prizesWaiting: 'The winners appear here once all balls are drawn.',
  prizesKnown: 'What each winning line receives.',
  prizesCounting: 'The prizes are being counted.',
  columnMatches: 'Matches',
  columnPrize: 'Prize for each winner',
  columnWinners: 'Winners',
  types: { JACKPOT: 'Jackpot', PRIZE: 'Prize', FREE_TICKET: 'Free ticket' } satisfies Record<WinType, string>,
  matches: (count: number) => `Match ${count}`,
  notWon: '- - - - -',
  notWonSpoken: 'Not won',
  youWin: 'You win!',
  youWinSentence: 'You won! See what each line won.',
  drawRecord: 'Draw details',
  checkDraw: 'Check this draw',
  winnersUnknown: 'not drawn yet',
  partners: 'Partners who share in this jackpot:',

  others: 'Watch another game',
} as const
