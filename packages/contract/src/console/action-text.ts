/** The text that a person signs with a passkey: the challenge is its SHA-256. */
import { canonicalJson, type Json } from './canonical-json.ts'

/** Whose signature a text is for. */
export type Part = 'propose' | 'approve'

/** What a text says. */
interface ActionText {
  /** the console's origin */
  readonly console: string
  /** the id of the request */
  readonly request: string
  readonly part: Part
  /** the id of the person who signs */
  readonly staff: string
  readonly kind: string
  readonly args: Json
  /** SHA-256 of the facts in the form of RFC 8785, in hex */
  readonly facts: string
  /** one line */
  readonly reason: string
  /** 32 digits of hex that no other text has */
  readonly nonce: string
  /** epoch seconds after which the text is worth nothing */
  readonly expires: number
}

const FIRST_LINE = 'fairball/action/v1'

/** The text in full, each line ended by LF. */
export function actionText({ args, ...text }: ActionText): string {
  const lines = [
    FIRST_LINE,
    `console ${text.console}`,
    `request ${text.request}`,
    `part ${text.part}`,
    `staff ${text.staff}`,
    `kind ${text.kind}`,
    `args ${canonicalJson(args)}`,
    `facts ${text.facts}`,
    `reason ${text.reason}`,
    `nonce ${text.nonce}`,
    `expires ${text.expires}`,
  ]
  return `${lines.join('\n')}\n`
}

/** The last two lines of a text, which nothing else tells; null where they are missing. */
export function endOfActionText(text: string): Pick<ActionText, 'nonce' | 'expires'> | null {
  const [, nonce, expires] = /\nnonce ([0-9a-f]{32})\nexpires (\d{1,15})\n$/.exec(text) ?? []
  return nonce === undefined || expires === undefined ? null : { nonce, expires: Number(expires) }
}
