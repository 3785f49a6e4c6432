import { useGames } from '../../../shared/data/games.ts'
import { leastSplit, rangesOf } from '../../../shared/data/shares.ts'
import type { Split } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { CheckCircleIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { StackedBar } from '@fairball/ui/stacked-bar.tsx'
import { WINNERS_TEXTS as TEXTS } from '../messages.ts'
import styles from './every-time.module.css'

/** How every stake is used, in three cards. */
export function EveryTime() {
  const { data: games = [] } = useGames()
  const split = leastSplit(games)
  if (split === null) return null
  const pictures = [
    <Share key="players" of={split} isPlayers />,
    <Share key="causes" of={split} />,
    <Sealed key="draw" />,
  ]
  return (
    <section aria-labelledby="every-time">
      <SectionTitle id="every-time">{TEXTS.everyTime}</SectionTitle>
      <div className={styles['cards']}>
        {TEXTS.everyTimeCards(rangesOf(games)).map(({ title, text }, place) => (
          <Card key={title} className={styles['card']}>
            <div className={styles['picture']} aria-hidden="true">
              {pictures[place]}
            </div>
            <h3>{title}</h3>
            <p>{text}</p>
          </Card>
        ))}
      </div>
      <p className={styles['links']}>
        <Link href={paths.whereTheMoneyGoes()}>{TEXTS.toMoney}</Link>
        <Link href={paths.fairness()}>{TEXTS.toFairness}</Link>
      </p>
    </section>
  )
}

/** A stake, with the part that the words beside it describe. */
function Share({ of, isPlayers = false }: { of: Split; isPlayers?: boolean }) {
  const { prize_pool: prizePool, donation, fee } = of
  return (
    <StackedBar
      parts={[
        { name: 'players', percent: prizePool, tone: isPlayers ? 1 : 5 },
        { name: 'causes', percent: donation, tone: isPlayers ? 5 : 1 },
        { name: 'operator', percent: fee, tone: 5 },
      ]}
    />
  )
}

/** A line whose balls are checked. */
function Sealed() {
  return (
    <span className={styles['sealed']}>
      {[4, 17, 31].map((number) => (
        <Ball key={number} number={number} size={36} />
      ))}
      <CheckCircleIcon size={32} />
    </span>
  )
}
