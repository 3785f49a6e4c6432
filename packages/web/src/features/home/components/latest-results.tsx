import { formatAbbreviated } from '@fairball/domain/fiat'
import { useState } from 'react'
import type { LatestDraw } from '@fairball/contract/schemas/game'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Ball } from '@fairball/ui/ball.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { FilterChips } from '@fairball/ui/chips.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import { useLatestDraws } from '../use-latest-draws.ts'
import { fiatIn, useDate, usePlayerView } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import styles from './latest-results.module.css'

/** The chip that shows every game. No game has this key: keys have letters. */
const EVERY = ''

/** The newest draw of each game, newest first; chips leave one game of them. */
export function LatestResults({ games }: { games: readonly Game[] }) {
  const [chosen, setChosen] = useState(EVERY)
  const latest = useLatestDraws(games)
  // A game that is no longer drawn has no card on this page either.
  const drawn = latest.data?.flatMap((result) => {
    const game = games.find(({ key }) => key === result.game_key)
    return game === undefined ? [] : [{ game, result }]
  })
  const shown = drawn?.filter(({ game }) => chosen === EVERY || game.key === chosen)
  const only = chosen === EVERY ? undefined : shown?.[0]?.game
  return (
    <Card
      title={LOWER_TEXTS.latestTitle}
      actions={
        only && (
          <Link href={paths.draws(only.key)} aria-label={LOWER_TEXTS.latestHistoryOf(only.name)}>
            {LOWER_TEXTS.latestHistory}
          </Link>
        )
      }
      className={styles['card']}
    >
      {latest.isPending && <SkeletonRows rows={games.length} />}
      {latest.isLoadingError && <LoadFailed onRetry={() => void latest.refetch()} />}
      {drawn?.length === 0 && <EmptyState text={LOWER_TEXTS.latestEmpty} />}
      {drawn !== undefined && drawn.length > 1 && <Filter drawn={drawn} chosen={chosen} onChange={setChosen} />}
      <ul className={styles['rows']}>
        {shown?.map(({ game, result }) => (
          <Row key={game.key} game={game} result={result} />
        ))}
      </ul>
    </Card>
  )
}

function Filter({
  drawn,
  chosen,
  onChange,
}: {
  drawn: readonly { game: Game }[]
  chosen: string
  onChange: (key: string) => void
}) {
  const options = drawn.map(({ game: { key, name } }) => ({
    value: key,
    label: name,
    icon: <Ball world={key} size={24} />,
  }))
  return (
    <FilterChips
      label={LOWER_TEXTS.latestGame}
      options={[{ value: EVERY, label: LOWER_TEXTS.latestEvery }, ...options]}
      chosen={chosen}
      onChange={onChange}
    />
  )
}

function Row({ game, result: { draw, winning_lines: lines, prizes } }: { game: Game; result: LatestDraw }) {
  const { currencyCode } = useSession()
  const { money } = usePlayerView()
  const date = useDate(draw.datetime)
  const number = draw.number.toLocaleString('en-US')
  const hasPrizes = Number(prizes.crypto.value) > 0
  return (
    <li className={styles['row']} data-game={game.key}>
      <p className={styles['draw']}>
        <strong>{game.name}</strong>
        <span>
          <Link href={paths.draw(game.key, draw.number)}>{LOWER_TEXTS.latestDraw(number)}</Link>
          {' · '}
          {date}
        </span>
      </p>
      <BallRow
        places={draw.numbers}
        size={36}
        shrinks
        label={LOWER_TEXTS.latestNumbers(game.name, number)}
        className={styles['balls']}
      />
      <p className={styles['jackpot']}>
        {draw.jackpot === false ? (
          <>
            <strong aria-hidden="true">{LOWER_TEXTS.noJackpot}</strong>
            <span>
              {LOWER_TEXTS.jackpot} <VisuallyHidden>{LOWER_TEXTS.noJackpotSpoken}</VisuallyHidden>
              <em>{LOWER_TEXTS.rolledOver}</em>
            </span>
          </>
        ) : (
          <>
            <strong>
              <Figure text={formatAbbreviated(fiatIn(draw.jackpot.fiat, currencyCode))} />
            </strong>
            <span>{LOWER_TEXTS.jackpot}</span>
          </>
        )}
      </p>
      <p className={styles['won']}>{LOWER_TEXTS.latestWon(lines, hasPrizes ? money(prizes.fiat) : null)}</p>
    </li>
  )
}
