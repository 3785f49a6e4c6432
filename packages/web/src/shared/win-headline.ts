/** What a player's lines won in a draw. */
interface Winnings {
  /** The sum as text, as in "£5.00"; null if no money was won. */
  readonly sum: string | null
  readonly freeTickets: number
  /** The most balls that one line matched. */
  readonly bestMatches: number
  /** Balls of the draw. */
  readonly balls: number
}

/**
 * @returns the headline of a drawn ticket: "You won £5.00 and 7 free tickets", "You won 1 free ticket", or "No win this
 *   time. Best line: 1 of 5."
 */
export function winHeadline({ sum, freeTickets, bestMatches, balls }: Winnings): string {
  const tickets = freeTickets === 0 ? null : `${freeTickets} free ${freeTickets === 1 ? 'ticket' : 'tickets'}`
  const won = [sum, tickets].filter((part) => part !== null)
  return won.length === 0 ? `No win this time. Best line: ${bestMatches} of ${balls}.` : `You won ${won.join(' and ')}`
}
