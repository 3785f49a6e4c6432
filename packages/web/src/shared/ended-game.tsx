import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { useGameName } from './data/game-looks.ts'
import { paths } from './paths.ts'

const TEXTS = {
  ended: (game: string) => `${game} has ended`,
  text: 'It is no longer drawn. Its draws can still be looked at and checked, and prizes are paid as always.',
  draws: 'Draw history',
  games: 'Other games',
}

/** In place of playing or watching a game that has played its last draw. */
export default function EndedGame({ gameKey }: { gameKey: string }) {
  const name = useGameName(gameKey)
  return (
    <div data-game={gameKey}>
      <PageTitle>{name}</PageTitle>
      <Card title={TEXTS.ended(name)}>
        <p>{TEXTS.text}</p>
        <p>
          <LinkButton href={paths.draws(gameKey)}>{TEXTS.draws}</LinkButton>{' '}
          <LinkButton href={paths.home()} variant="secondary">
            {TEXTS.games}
          </LinkButton>
        </p>
      </Card>
    </div>
  )
}
