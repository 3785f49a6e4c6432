import type { WorldGame } from './world-style.ts'

/** The id of the style element with the rules of the games that the server knew. */
export const WORLDS_ID = 'worlds'

/** @returns which looks of games a document has rules for: each in brackets */
export function worldsText(games: readonly WorldGame[]): string {
  return games.map(({ key, color, pattern }) => `[${key}${color}${pattern}]`).join('')
}

/** Adds the rules of games that the document does not have yet: new games, and games that look different now. */
export function showWorlds(games: readonly WorldGame[]): void {
  if (import.meta.env.SSR) return
  const written = document.getElementById(WORLDS_ID)?.dataset
  if (written === undefined || written['worlds']?.endsWith(worldsText(games)) !== false) return
  // Loaded only here: the server has written the rules of all other games.
  import('./world-style.ts').then(
    ({ adoptWorlds }) => adoptWorlds(document, games, written),
    () => undefined,
  )
}
