import { useEffect } from 'react'
import { SEEN_KEY } from './session/kept-for-player.ts'
import { useSession } from './session/use-session.ts'

/** Draws remembered as seen; the list speaks of no more than the newest few. */
const MOST_SEEN = 40
/** Rows that are kept free while nothing is known about the player's tickets. */
const ROWS_OF_UNKNOWN = 1

/** What the home page's list of tickets remembers: its rows, for which room is kept, and the draws that were seen. */
interface Remembered {
  readonly rows: number
  readonly seen: readonly string[]
}

/** Keeps room for the rows before the first paint: a part of the script of the head. */
export const HOLD_ROWS = `document.documentElement.dataset.held=(localStorage.getItem('${SEEN_KEY}')||'${ROWS_OF_UNKNOWN}')[0]`

function remembered(): Remembered {
  const [rows, ...seen] = (read() ?? String(ROWS_OF_UNKNOWN)).split(' ')
  return { rows: Number(rows), seen }
}

function remember({ rows, seen }: Remembered): void {
  try {
    localStorage.setItem(SEEN_KEY, [rows, ...seen.slice(-MOST_SEEN)].join(' '))
  } catch {
    // Without storage the list keeps room for a row, and a result is shown for its seven days.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(SEEN_KEY)
  } catch {
    return null
  }
}

/** The name of a draw among those that were seen. */
export function drawName(gameKey: string, number: number): string {
  return `${gameKey}/${number}`
}

/** @returns the names of the draws whose results the player has seen in this browser */
export function seenDraws(): ReadonlySet<string> {
  return new Set(remembered().seen)
}

/** Remembers that the player has seen the result of a draw. */
export function markSeen(gameKey: string, number: number): void {
  const { rows, seen } = remembered()
  const name = drawName(gameKey, number)
  if (!seen.includes(name)) remember({ rows, seen: [...seen, name] })
}

/** Remembers the rows of the list, for the page's next load. */
export function rememberRows(rows: number): void {
  remember({ rows, seen: remembered().seen })
}

/** Has room kept for a ticket that was just ordered. */
export function expectTicket(): void {
  if (remembered().rows === 0) holdRows(ROWS_OF_UNKNOWN)
}

/** Has no room kept for the tickets of a player who is new and has none. */
export function expectNoTicket(): void {
  holdRows(0)
}

function holdRows(rows: number): void {
  rememberRows(rows)
  document.documentElement.dataset['held'] = String(rows)
}

/** Remembers that a player has seen the results of draws of a game; without them, pass no numbers. */
export function useSeenDraws(gameKey: string, numbers: readonly number[]): void {
  const isPlayer = useSession().status === 'player'
  const shown = isPlayer ? numbers.join(' ') : ''
  useEffect(() => {
    for (const number of shown.split(' ')) if (number !== '') markSeen(gameKey, Number(number))
  }, [gameKey, shown])
}
