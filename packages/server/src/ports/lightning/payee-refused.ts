/** Longest reason that is shown to a player. */
const LONGEST_REASON = 120

/**
 * The payee gave an answer that cannot be used, or none.
 *
 * Its message is fit for the player. What came from outside is text of 120 characters at most, without controls.
 */
export class PayeeRefused extends Error {
  override readonly name = 'PayeeRefused'

  constructor(reason: string, cause?: unknown) {
    super(shortText(reason), cause === undefined ? undefined : { cause })
  }
}

function shortText(text: string): string {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  const letters = Array.from(plain)
  return letters.length <= LONGEST_REASON ? plain : `${letters.slice(0, LONGEST_REASON - 1).join('')}…`
}
