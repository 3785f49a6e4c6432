import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../../shared/api.ts'
import type { Game } from '../../../shared/data/games.ts'
import { rangeOf } from '../../../shared/data/games.ts'
import { latestDrawsQuery } from '../../../shared/data/latest-draws.ts'
import { paths } from '../../../shared/paths.ts'
import { CheckCircleIcon, ClockIcon, PieIcon, SlipIcon } from '@fairball/ui/basic-icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { HOME_TEXTS } from '../messages.ts'
import styles from './trust-points.module.css'

const ICONS = [CheckCircleIcon, ClockIcon, PieIcon]

/** The first facts for a newcomer, in one row; the last leads to the proof of the newest draw. */
export function TrustPoints({ games }: { games: readonly Game[] }) {
  const newest = useQuery(latestDrawsQuery(useApi())).data?.[0]
  const [title, text] = HOME_TEXTS.trustProof
  return (
    <ul className={styles['points']}>
      {HOME_TEXTS.trust(rangeOf(games, 'prize_pool')).map(([fact, more], index) => (
        <Point key={fact} icon={ICONS[index] ?? CheckCircleIcon} title={fact} text={more} />
      ))}
      <Point
        icon={SlipIcon}
        title={
          <Link href={newest === undefined ? paths.fairness() : paths.proof(newest.game_key, newest.draw.number)}>
            {title}
          </Link>
        }
        text={text}
      />
    </ul>
  )
}

function Point({ icon: Icon, title, text }: { icon: typeof SlipIcon; title: ReactNode; text: string }) {
  return (
    <li className={styles['point']}>
      <Icon size={32} />
      <p className={styles['words']}>
        <strong>{title}</strong>
        <span>{text}</span>
      </p>
    </li>
  )
}
