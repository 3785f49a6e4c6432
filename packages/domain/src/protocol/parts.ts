/**
 * The parts of a text that the groups of a pattern find, or null if it does not match.
 *
 * @param pattern each of its groups takes part in every match
 */
export function partsOf<Parts extends readonly string[]>(pattern: RegExp, text: string): Parts | null {
  const found = pattern.exec(text)
  return found === null ? null : (found.slice(1) as readonly string[] as Parts)
}
