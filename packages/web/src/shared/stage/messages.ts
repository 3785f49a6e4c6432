import type { WinType } from '@fairball/contract/schemas/game'

const ONE_TO_SEVEN = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven']

function inWords(count: number): string {
  return ONE_TO_SEVEN[count] ?? String(count)
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}

function counted(count: number, one: string, more: string): string {
  return `${figure(count)} ${count === 1 ? one : more}`
}

/** The words of a draw as it is seen: its balls, and the player's own lines beside them. */
export const STAGE_TEXTS = {
  balls: 'Numbers of this draw',
  ballOf: (place: number, of: number) => `Ball ${place} of ${of}`,
  ballSpoken: (place: number, of: number, number: number) => `Ball ${place} of ${of}: ${number}.`,
  /** Why a ball counts, after its number. */
  matchesSpoken: (count: number, lines: number) =>
    count === 0
      ? lines === 1
        ? 'Not on your line.'
        : 'On none of your lines.'
      : lines === 1
        ? 'Matches your line.'
        : `Matches ${figure(count)} of your lines.`,
  bestSpoken: (matches: number, of: number) => `Best line: ${matches} of ${of}.`,

  yourLines: (count: number) => (count === 1 ? 'Your 1 line' : `Your lines (${figure(count)})`),
  beforeBalls: 'Each ball is compared with your lines as it lands.',
  ballMatches: (number: number, count: number, lines: number) =>
    count === 0
      ? lines === 1
        ? `${number} is not on your line.`
        : `${number} is on none of your lines.`
      : lines === 1
        ? `${number} matches your line.`
        : `${number} matches ${figure(count)} of your lines.`,
  ifNext: (number: number, letter: string, matches: number, of: number, prize: string) =>
    `If ${number} comes next, line ${letter} has ${matches} of ${of} (${prize}).`,
  held: (prizes: number, freeTickets: number) =>
    [
      ...(prizes === 0 ? [] : [counted(prizes, 'prize', 'prizes')]),
      ...(freeTickets === 0 ? [] : [counted(freeTickets, 'free ticket', 'free tickets')]),
    ].join(' and '),
  soFar: (held: string) => `${held} so far`,
  line: (letter: string) => `Line ${letter}`,
  showAll: (count: number) => `Show all ${figure(count)} lines`,
  showMore: 'Show more lines',
  matchesOf: (matches: number, of: number) => `${matches} of ${of}`,

  ladder: 'How your lines stand',
  match: (matches: number) => `Match ${matches}`,
  noMatch: (isOver: boolean) => (isOver ? 'No match' : 'No match yet'),
  noPrize: (isOver: boolean) => (isOver ? 'No prize' : 'No prize yet'),
  toCome: (balls: number) =>
    balls === 1
      ? 'With one ball to come, a line can gain one more match.'
      : `With ${inWords(balls)} balls to come, a line can gain ${inWords(balls)} more matches.`,
  replay: 'Replay this draw',
  replayAgain: 'Replay again',
  replayTag: 'REPLAY',
  replayTitle: (game: string, draw: number, when: string) => `${game}, draw ${figure(draw)} · ${when}`,
  pause: 'Pause',
  resume: 'Go on',
  skip: 'Skip',
  nextBall: 'Next ball',
  allDrawn: (pick: number) => `All ${pick} balls are drawn.`,
  entries: (count: number) => `${counted(count, 'line', 'lines')} in this draw`,
  winningLines: (count: number) => counted(count, 'winning line', 'winning lines'),
  draw: (number: number) => `Draw ${figure(number)}`,
  seeLines: 'See my lines',
  checkDraw: 'Check this draw',
  wayOfPrize: 'Your prize',
  yourResult: 'Your result',
  linesSpoken: (count: number) => counted(count, 'line', 'lines'),
  prizes: { JACKPOT: 'Jackpot', PRIZE: 'Prize', FREE_TICKET: 'Free ticket' } satisfies Record<WinType, string>,
} as const
