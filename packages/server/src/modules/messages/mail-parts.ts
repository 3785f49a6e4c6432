import type { Pattern } from '@fairball/domain/games'

/** The colours of a game's balls. */
export interface BallLook {
  /** `#RRGGBB` */
  readonly accent: string
  readonly pattern: Pattern
}

/** A row of balls in a mail: a picture that travels with it, and the words for those who do not see it. */
export interface BallsPicture {
  readonly words: string
  readonly numbers: readonly number[]
  /** the numbers that were drawn; all others are pale. Null if nothing was drawn yet */
  readonly matched: readonly number[] | null
  readonly look: BallLook
}

/** A paragraph of a mail. */
export type MailParagraph = string | BallsPicture

/** A file that travels with a mail. */
export interface MailFile {
  readonly name: string
  readonly type: string
  readonly text: string
}

/** Paints a row of balls. @returns a PNG, twice as large as it is shown */
export type PaintBalls = (picture: Pick<BallsPicture, 'numbers' | 'matched' | 'look'>) => Promise<Uint8Array>

/** Size of a ball as it is shown, and the room between two, in px. */
export const BALL_PX = 36
export const BALL_GAP_PX = 6

/** @returns the words of a paragraph */
export function wordsOfParagraph(paragraph: MailParagraph): string {
  return typeof paragraph === 'string' ? paragraph : paragraph.words
}

/** @returns the width of a row of balls as it is shown, in px */
export function widthOfBalls(count: number): number {
  return count * (BALL_PX + BALL_GAP_PX) - BALL_GAP_PX
}

/** The name under which the HTML of a mail refers to its picture at a place. */
export function pictureName(place: number): string {
  return `balls-${place + 1}`
}
