import type { GameWithRules } from '@fairball/domain/games'
import { writeGamesFile } from '@fairball/domain/games-file'
import { GAMES, STARTER } from '@fairball/domain/seeds'

const TEMPLATES: Readonly<Record<string, readonly GameWithRules[]>> = { starter: [STARTER], demo: GAMES }

/** A games file to begin with, by its name; null if there is none. */
export function gamesTemplate(name: string): string | null {
  const games = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined
  return games === undefined ? null : writeGamesFile(games.map(entryOf))
}

function entryOf({ key, name, accent, pattern, summary, ...rules }: GameWithRules) {
  return { traits: { key, name, accent, pattern, summary }, rules, from: null, retire: null }
}
