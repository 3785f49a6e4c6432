import { lazy } from 'react'
import type { Game } from './data/games.ts'
import { LaterPart } from './later-part.tsx'

const ComingChangeNotice = lazy(() => import('./coming-change-notice.tsx'))

/** An announced change of a game's rules, or its end, while there is one. Changes are rare: its script comes later. */
export function ComingChange({ game }: { game: Pick<Game, 'key' | 'name' | 'change'> }) {
  const { key, name, change } = game
  if (change === null) return null
  return (
    <LaterPart>
      <ComingChangeNotice gameKey={key} name={name} change={change} />
    </LaterPart>
  )
}
