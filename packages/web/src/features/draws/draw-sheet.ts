import { amountIn } from '../../shared/player-view.ts'
import type { Amount, Draw } from './use-draws.ts'

/** The columns of a downloaded draw history, in their order (specification, section 2 "Draw history"). */
export const SHEET_COLUMNS = ['Game', 'Draw number', 'Date', 'Jackpot', 'Donation', 'Partners', 'Numbers'] as const

/** One draw of a downloaded history. Amounts are in units of the sheet's currency; null if nothing was paid. */
interface SheetRow {
  game: string
  drawNumber: number
  /** When the draw started, on the player's clock: its UTC fields are the local date and time. */
  date: Date
  jackpot: number | null
  donation: number | null
  /** Their names, comma-separated. */
  partners: string
  /** In the order drawn, separated by spaces. */
  numbers: string
}

/** A draw history, ready to be written to a file. */
export interface DrawSheet {
  /** The game's name and the time of the sheet: the name of the sheet and its file. */
  title: string
  /** The currency of the amounts, such as `GBP`. */
  currencyCode: string
  rows: readonly SheetRow[]
}

/**
 * Maximum length of a sheet's name, and the characters it may not contain, nor begin with (ECMA-376, part 1, 18.2.19
 * and Excel's rules).
 */
const LONGEST_TITLE = 31
const FORBIDDEN_IN_TITLE = /[\\/?*[\]:]/gu
const FORBIDDEN_IN_FRONT = /^[\s']+/u
/** The first half of a character, of which the second half was cut off. */
const CUT_CHARACTER = /\p{Surrogate}$/u
/** "2026-11-21 18.30": without a colon, which sheets and some file systems do not allow. */
const STAMP_LENGTH = 16

/**
 * Makes a sheet of draws.
 *
 * @param draws newest first, as the history shows them
 * @param madeAt epoch seconds
 * @param utcOffsetAt the reader's offset from UTC at a moment, in seconds
 */
export function drawSheet(input: {
  gameName: string
  draws: readonly Draw[]
  currencyCode: string
  madeAt: number
  utcOffsetAt: (at: number) => number
}): DrawSheet {
  const { gameName, draws, currencyCode, madeAt, utcOffsetAt } = input
  const local = (at: number): Date => new Date((at + utcOffsetAt(at)) * 1000)
  const stamp = local(madeAt).toISOString().slice(0, STAMP_LENGTH).replace('T', ' ').replace(':', '.')
  const name = gameName
    .replace(FORBIDDEN_IN_TITLE, ' ')
    .replace(FORBIDDEN_IN_FRONT, '')
    .slice(0, LONGEST_TITLE - STAMP_LENGTH - 1)
    .replace(CUT_CHARACTER, '')
  return {
    title: `${name.trim()} ${stamp}`.trim(),
    currencyCode,
    rows: draws.map((draw) => ({
      game: gameName,
      drawNumber: draw.number,
      date: local(draw.datetime),
      jackpot: unitsOf(draw.jackpot, currencyCode),
      donation: unitsOf(draw.donation, currencyCode),
      partners: draw.partners.map((partner) => partner.name).join(', '),
      numbers: draw.numbers.join(' '),
    })),
  }
}

function unitsOf(amount: Amount | false, currencyCode: string): number | null {
  return amount === false ? null : (amountIn(amount.fiat, currencyCode)?.value ?? null)
}

/**
 * Writes a sheet as comma-separated values (RFC 4180), with a byte order mark so that spreadsheet programs read UTF-8.
 * A text that a spreadsheet would read as a formula gets an apostrophe before it (OWASP, CSV injection).
 */
export function csvOf({ rows }: DrawSheet): string {
  const lines = rows.map((row) => [
    row.game,
    row.drawNumber,
    row.date.toISOString().slice(0, STAMP_LENGTH).replace('T', ' '),
    row.jackpot?.toFixed(2) ?? '',
    row.donation?.toFixed(2) ?? '',
    row.partners,
    row.numbers,
  ])
  return `\u{FEFF}${[SHEET_COLUMNS, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
