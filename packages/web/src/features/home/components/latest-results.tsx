import { formatAbbreviated } from '@fairball/domain/fiat'
import { useState } from 'react'
import type { Draw } from '@fairball/contract/schemas/game'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { BallRow } from '../../../ui/ball-row.tsx'
import { Ball } from '../../../ui/ball.tsx'
import { Card } from '../../../ui/card.tsx'
import { FilterChips } from '../../../ui/chips.tsx'
import { EmptyState, LoadFailed } from '../../../ui/empty-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { Figure } from '../../../ui/figure.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import { newestDrawnKey } from '../use-home.ts'
import { useLatestDraws } from '../use-latest-draws.ts'
import { fiatIn, useDate } from '../../../shared/player-view.ts'
import styles from './latest-results.module.css'

/** The last three draws of a game, initially the one drawn last; chips choose the game. */
export function LatestResults({ games }: { games: readonly Game[] }) {
  const [gameKey, setGameKey] = useState(newestDrawnKey(games) ?? '')
  const options = games.map(({ key, name }) => ({ value: key, label: name, icon: <Ball world={key} size={24} /> }))
  return (
    <Card
      title={LOWER_TEXTS.latestTitle}
      actions={<Link href={paths.draws(gameKey)}>{LOWER_TEXTS.latestAll}</Link>}
      className={styles['card']}
    >
      <FilterChips label={LOWER_TEXTS.latestGame} options={options} chosen={gameKey} onChange={setGameKey} />
      <Rows gameKey={gameKey} endAt={games.find(({ key }) => key === gameKey)?.next_draw.end_at ?? 0} />
    </Card>
  )
}

function Rows({ gameKey, endAt }: { gameKey: string; endAt: number }) {
  const draws = useLatestDraws(gameKey, endAt)
  if (draws.isPending) return <SkeletonRows rows={3} />
  if (draws.isError) return <LoadFailed onRetry={() => void draws.refetch()} />
  if (draws.data.length === 0) return <EmptyState text={LOWER_TEXTS.latestEmpty} />
  return (
    <ul className={styles['rows']} data-game={gameKey} aria-busy={draws.isPlaceholderData}>
      {draws.data.map((draw) => (
        <Row key={draw.id} gameKey={gameKey} draw={draw} />
      ))}
    </ul>
  )
}

function Row({ gameKey, draw }: { gameKey: string; draw: Draw }) {
  const { currencyCode } = useSession()
  const date = useDate(draw.datetime)
  const number = draw.number.toLocaleString('en-US')
  return (
    <li className={styles['row']}>
      <p className={styles['draw']}>
        <Link href={paths.draw(gameKey, draw.number)}>{LOWER_TEXTS.latestDraw(number)}</Link>
        <span>{date}</span>
      </p>
      <BallRow places={draw.numbers} size={46} label={LOWER_TEXTS.latestNumbers(number)} className={styles['balls']} />
      <p className={styles['jackpot']}>
        {draw.jackpot === false ? (
          <>
            <strong aria-hidden="true">{LOWER_TEXTS.noJackpot}</strong>
            <VisuallyHidden>{LOWER_TEXTS.noJackpotSpoken}</VisuallyHidden>
          </>
        ) : (
          <strong>
            <Figure text={formatAbbreviated(fiatIn(draw.jackpot.fiat, currencyCode))} />
          </strong>
        )}
        <span>{LOWER_TEXTS.jackpot}</span>
      </p>
    </li>
  )
}
