const LETTERS = 26
const FIRST_LETTER = 'A'.charCodeAt(0)

/** @returns the name of a line by its place from 0: A to Z, then AA, AB … */
export function letterOf(index: number): string {
  const last = String.fromCharCode(FIRST_LETTER + (index % LETTERS))
  return index < LETTERS ? last : letterOf(Math.floor(index / LETTERS) - 1) + last
}
