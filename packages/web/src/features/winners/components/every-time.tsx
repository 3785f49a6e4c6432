import { SEED_SPLIT } from '@fairball/domain/seeds'
import type { ReactNode } from 'react'
import { paths } from '../../../shared/paths.ts'
import { Ball } from '../../../ui/ball.tsx'
import { Card } from '../../../ui/card.tsx'
import { CheckCircleIcon } from '../../../ui/icons.tsx'
import { Link } from '../../../ui/link.tsx'
import { SectionTitle } from '../../../ui/page-title.tsx'
import { StackedBar } from '../../../ui/stacked-bar.tsx'
import { WINNERS_TEXTS as TEXTS } from '../messages.ts'
import styles from './every-time.module.css'

const PICTURES: readonly ReactNode[] = [
  <Share key="players" isPlayers />,
  <Share key="causes" />,
  <Sealed key="draw" />,
]

/** How every stake is used, in three cards. */
export function EveryTime() {
  return (
    <section aria-labelledby="every-time">
      <SectionTitle id="every-time">{TEXTS.everyTime}</SectionTitle>
      <div className={styles['cards']}>
        {TEXTS.everyTimeCards.map(({ title, text }, place) => (
          <Card key={title} className={styles['card']}>
            <div className={styles['picture']} aria-hidden="true">
              {PICTURES[place]}
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

/** A pound, with the part that the words beside it describe. */
function Share({ isPlayers = false }: { isPlayers?: boolean }) {
  const { prizePool, donation, fee } = SEED_SPLIT
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
