import type { Pattern } from '@fairball/domain/games'
import { worldOf } from '@fairball/domain/world'
import { worldsText } from './worlds.ts'

/** What a game's look follows from. */
export interface WorldGame {
  readonly key: string
  /** The accent, `#RRGGBB`. */
  readonly color: string
  readonly pattern: Pattern
}

/**
 * The style rules of games' colours and patterns. They read the variables of the tokens (ui/tokens.css).
 *
 * @returns the rules; none for a game whose key or colour could not be a game's
 */
export function worldRules(games: readonly WorldGame[]): string {
  return `@layer tokens{${games.filter(hasWorld).map(ruleOf).join('')}}`
}

function ruleOf({ key, color, pattern }: WorldGame): string {
  const { accent, shade, light, deep, soft } = worldOf(color)
  const values = {
    g: accent,
    'g-shade': shade,
    'g-light': light,
    'g-deep-light': deep.light,
    'g-deep-dark': deep.dark,
    'g-soft-light': soft.light,
    'g-soft-dark': soft.dark,
    ball: `var(--${pattern})`,
    'ball-field': `var(--${pattern}-field)`,
  }
  return `[data-game='${key}']{${Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`
}

/** Whether key and colour are those of a game, so that nothing in them ends a rule or an attribute. */
export function hasWorld({ key, color }: WorldGame): boolean {
  return /^[a-z][\da-z-]{1,30}$/u.test(key) && /^#[\da-f]{6}$/iu.test(color)
}

/**
 * Adds the rules of games that a document does not have: no markup changes, so its policy has nothing to allow.
 *
 * @param written its `worlds` are the looks that the document has rules for; the new ones are added
 */
export function adoptWorlds(document: Document, games: readonly WorldGame[], written: DOMStringMap): void {
  const unknown = games.filter((game) => !(written['worlds'] ?? '').includes(worldsText([game])))
  written['worlds'] += worldsText(unknown)
  if (unknown.length === 0) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(worldRules(unknown))
  document.adoptedStyleSheets.push(sheet)
}
