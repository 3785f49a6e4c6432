import { checkLine } from '@fairball/domain/lines'
import { Button } from '@fairball/ui/button.tsx'
import { useGame } from '../data/games.ts'
import type { Game } from '../data/games.ts'
import { useSameNumbers } from './use-same-numbers.ts'

/** Props of {@link SameNumbersAgain}. */
interface SameNumbersAgainProps {
  gameKey: string
  /** The numbers of each line. */
  lines: readonly (readonly number[])[]
  size?: 'small' | 'normal'
  /** Lies on a game's colour. */
  onField?: boolean
}

/**
 * The button that plays these lines again: it opens the payment step with them for the game's next draw. Nothing while
 * the game is not on sale, or if its rules no longer allow one of the lines.
 */
export function SameNumbersAgain({ gameKey, lines, size = 'normal', onField = false }: SameNumbersAgainProps) {
  const { data: game } = useGame(gameKey)
  if (game === undefined || !game.is_on_sale || !canPlay(game, lines)) return null
  return <Again game={game} lines={lines} size={size} onField={onField} />
}

function Again({
  game,
  lines,
  size,
  onField,
}: Pick<Required<SameNumbersAgainProps>, 'lines' | 'size' | 'onField'> & { game: Game }) {
  const playAgain = useSameNumbers(game)
  return (
    <Button
      variant={onField ? 'secondary' : 'soft'}
      size={size}
      onField={onField}
      onClick={() => void playAgain(lines)}
    >
      Same numbers again
    </Button>
  )
}

function canPlay(game: Game, lines: SameNumbersAgainProps['lines']): boolean {
  const { n: pick, N: pool } = game.sets[0] ?? { n: 0, N: 0 }
  return lines.length > 0 && lines.every((numbers) => checkLine(numbers, { pick, pool }) === null)
}
