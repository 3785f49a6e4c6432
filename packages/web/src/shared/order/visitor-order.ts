import { checkLine } from '@fairball/domain/lines'
import { VISITOR_LINES_SECONDS } from '@fairball/domain/periods'
import { CLAIMED_KEY, VISITOR_ORDER_KEY } from '../session/kept-for-player.ts'

/** A line that a visitor has picked. */
interface VisitorLine {
  readonly isLuckyDip: boolean
  readonly numbers: readonly number[]
}

/** A game, with the rules for its lines. */
interface LinesOf {
  gameKey: string
  pick: number
  pool: number
  /** The present time in epoch seconds. */
  nowAt: number
}

/** Keeps the lines of a visitor in this browser; none removes those kept. @returns whether they are kept */
export function keepVisitorOrder(
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
  gameKey: string,
  lines: readonly VisitorLine[],
  nowAt: number,
): boolean {
  try {
    if (lines.length === 0) storage.removeItem(VISITOR_ORDER_KEY)
    else storage.setItem(VISITOR_ORDER_KEY, JSON.stringify({ game: gameKey, lines, saved_at: nowAt }))
    return true
  } catch {
    // A full or forbidden storage keeps nothing; the lines stay on the page.
    return false
  }
}

/** @returns the lines that a visitor has picked in this browser for a game, while they are kept */
export function visitorLines(storage: Pick<Storage, 'getItem' | 'removeItem'>, of: LinesOf): VisitorLine[] {
  try {
    return linesIn(storage.getItem(VISITOR_ORDER_KEY), of)
  } catch {
    return []
  }
}

/** @returns the lines for a game that this player had picked before the login, until {@link forgetClaimed} */
export function claimedLines(storage: Pick<Storage, 'getItem'>, player: string, of: LinesOf): VisitorLine[] {
  try {
    const claimed: unknown = JSON.parse(storage.getItem(CLAIMED_KEY) ?? 'null')
    if (!isRecord(claimed) || claimed['player'] !== player || typeof claimed['kept'] !== 'string') return []
    return linesIn(claimed['kept'], of)
  } catch {
    return []
  }
}

/** Removes the lines from before the login, once they are in an order. */
export function forgetClaimed(storage: Pick<Storage, 'removeItem'>): void {
  try {
    storage.removeItem(CLAIMED_KEY)
  } catch {
    // A forbidden storage kept nothing.
  }
}

/** The lines in a text, which another version of this page may have written. */
function linesIn(text: string | null, { gameKey, pick, pool, nowAt }: LinesOf): VisitorLine[] {
  const kept: unknown = JSON.parse(text ?? 'null')
  if (!isRecord(kept) || kept['game'] !== gameKey || !Array.isArray(kept['lines'])) return []
  const savedAt = kept['saved_at']
  if (typeof savedAt !== 'number' || nowAt >= savedAt + VISITOR_LINES_SECONDS) return []
  const isLine = (line: unknown): line is VisitorLine =>
    isRecord(line) &&
    typeof line['isLuckyDip'] === 'boolean' &&
    Array.isArray(line['numbers']) &&
    checkLine(line['numbers'] as number[], { pick, pool }) === null
  return kept['lines'].filter(isLine)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
