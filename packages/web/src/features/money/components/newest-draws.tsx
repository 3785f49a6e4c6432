import { useGames } from '../../../shared/data/games.ts'
import type { MoneyPart } from '../../../shared/data/money-sides.ts'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Card } from '@fairball/ui/card.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { StackedBar, Swatch } from '@fairball/ui/stacked-bar.tsx'
import { drawFlow } from '../draw-flow.ts'
import { MONEY_TEXTS as TEXTS } from '../messages.ts'
import { useNewestDraws } from '../use-money.ts'
import type { NewestDraw } from '../use-money.ts'
import styles from './newest-draws.module.css'

/** The sources and uses of the newest draws' money. */
export function NewestDraws() {
  return (
    <section aria-labelledby="draws">
      <SectionTitle id="draws">{TEXTS.draws}</SectionTitle>
      <p className={styles['lead']}>{TEXTS.drawsLead}</p>
      <Draws />
    </section>
  )
}

function Draws() {
  const { data: games, isError } = useGames()
  const draws = useNewestDraws(games)
  if (draws.data === undefined) {
    if (draws.isError || (games === undefined && isError)) return <LoadFailed onRetry={() => void draws.refetch()} />
    return (
      <Loading>
        <div className={styles['draws']}>
          <Skeleton shape="block" className={styles['waiting']} />
          <Skeleton shape="block" className={styles['waiting']} />
        </div>
      </Loading>
    )
  }
  if (draws.data.length === 0) {
    return (
      <div className={styles['empty']}>
        <EmptyState text={TEXTS.drawsEmpty} />
        <p>{TEXTS.drawsEmptyMore}</p>
      </div>
    )
  }
  return (
    <div className={styles['draws']}>
      {draws.data.map((draw) => (
        <DrawCard key={`${draw.gameKey} ${draw.number}`} draw={draw} />
      ))}
    </div>
  )
}

function DrawCard({ draw }: { draw: NewestDraw }) {
  const { gameKey, gameName, number, datetime, money, entries, isJackpotWon } = draw
  const { dateTime } = usePlayerView()
  const { cameIn, wentOut, totalBtc } = drawFlow(money, entries)
  const title = TEXTS.drawTitle(gameName, number)
  return (
    <article data-game={gameKey}>
      <Card title={title} level={3} lead={dateTime(datetime)}>
        {totalBtc === null ? (
          <p>{TEXTS.drawNone}</p>
        ) : (
          <div className={styles['sides']}>
            <Side title={TEXTS.cameIn} parts={cameIn} />
            <Side title={TEXTS.wentOut} parts={wentOut} />
          </div>
        )}
        <p className={styles['foot']}>
          <span>{!isJackpotWon && TEXTS.notWon}</span>
          <Link href={paths.draw(gameKey, number)}>{TEXTS.drawMore(number)}</Link>
        </p>
      </Card>
    </article>
  )
}

function Side({ title, parts }: { title: string; parts: readonly MoneyPart[] }) {
  const { money } = usePlayerView()
  return (
    <div className={styles['side']}>
      <h4 className={styles['heading']}>{title}</h4>
      <StackedBar parts={parts} />
      <dl className={styles['parts']}>
        {parts.map(({ name, tone, amount }) => (
          <div key={name}>
            <dt>
              <Swatch tone={tone} />
              {name}
            </dt>
            <dd>
              {money(amount.fiat)}
              <span>
                {amount.crypto.value} {amount.crypto.code}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
