import type { WatchPhase } from '@fairball/domain/draw-phase'
import type { WinType } from '@fairball/contract/schemas/game'

/** The words of the page on which a draw is watched. Those in capitals are the specification's own. */
export const WATCH_TEXTS = {
  title: (game: string, draw: number) => `${game}, draw ${draw.toLocaleString('en-US')}`,
  tags: { PLAY: null, STARTS_SOON: 'STARTS SOON', LIVE: 'LIVE', ENDED: 'ENDED' } satisfies Record<
    WatchPhase,
    string | null
  >,
  postponed: 'This draw is delayed. Sales stay closed; every line stays in.',
  begins: 'The draw is about to begin.',
  late: 'The random number is late. The balls are drawn as soon as it arrives.',
  nextBall: (ball: number, pick: number, left: number) => {
    const name = ball === pick ? 'Last ball' : `Ball ${ball} of ${pick}`
    return left <= 0 ? name : `${name} ${ball === pick ? 'in' : '· next in'} ${clockOf(left)}`
  },
  counting: (pick: number) => `All ${pick} balls are drawn. Counting prizes.`,
  ended: 'All balls are drawn.',
  sealed: (entries: number | null) =>
    entries === null
      ? 'Sales are closed.'
      : `Sales are closed. ${linesOf(entries)} ${entries === 1 ? 'is' : 'are'} sealed.`,
  entries: (count: number) => linesOf(count),
  inDraw: 'in this draw',
  sealedAt: (time: string) => `, sealed at ${time}`,
  ownLines: (count: number) => `You have ${linesOf(count)} in this draw.`,
  noLines: 'You have no lines in this draw.',
  salesClose: (when: string) => `Sales close ${when}.`,
  inMinutes: (minutes: number) =>
    minutes < 60 ? `in ${minutes} min` : `in ${Math.floor(minutes / 60)} h ${minutes % 60} min`,
  nextDrawTitle: 'Next draw',
  nextDraw: (when: string) => `Next draw: ${when}`,
  cutOff: 'Connection lost. The draw continues; we’ll catch up when you’re back.',
  drawVoid: (number: number) =>
    `Draw ${number} did not take place. Its lines play in a later draw at no cost, and their players have a message that says so.`,
  drawMissed: (number: number, numbers: readonly number[]) =>
    `Draw ${number} ended while this page was away. Its numbers: ${numbers.join(', ')}.`,
  seeDraw: (number: number) => `See draw ${number}`,
  jackpot: 'Estimated jackpot',
  nextJackpot: 'Estimated jackpot of the next draw',
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
  drawRecord: 'Draw details',
  checkDraw: 'Check this draw',
  winnersUnknown: 'not drawn yet',
  partners: 'Partners who share in this jackpot:',

  others: 'Watch another game',
} as const

/** Seconds as minutes and seconds: "0:12". */
function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function linesOf(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}`
}
