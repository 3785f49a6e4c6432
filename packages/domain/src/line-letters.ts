const LETTERS = 26
const FIRST_LETTER = 'A'.charCodeAt(0)

/** @returns the name of a line by its place from 0: A to Z, then AA, AB … */
export function letterOf(index: number): string {
  const last = String.fromCharCode(FIRST_LETTER + (index % LETTERS))
  return index < LETTERS ? last : letterOf(Math.floor(index / LETTERS) - 1) + last
}

/**
 * @param place of a line in its ticket, from 0
 * @param ticket the place of its ticket among those of a player in a draw, from 0
 * @returns the name of a line where a player's tickets stand together: its letter is the one on its ticket, and tickets
 *   after the first are named: "A", "A of ticket 2"
 */
export function lineNameOf(place: number, ticket: number): string {
  return ticket === 0 ? letterOf(place) : `${letterOf(place)} of ticket ${ticket + 1}`
}
