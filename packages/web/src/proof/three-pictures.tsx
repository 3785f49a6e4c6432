import { timeLabel } from '@fairball/domain/draw-time-label'
import type { ReactNode } from 'react'
import { useGameName } from '../shared/data/game-looks.ts'
import { useUtcOffset } from '../shared/player-view.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { CheckCircleIcon } from '@fairball/ui/basic-icons.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import type { NewestDraw } from './newest-draw.ts'
import styles from './three-pictures.module.css'

/** The words of the pictures. */
const TEXTS = {
  list: 'All lines are sealed',
  listOf: (lines: number, time: string) =>
    `${lines === 1 ? '1 line' : `${lines.toLocaleString('en-US')} lines`} sealed, ${time}`,
  random: 'A public random number appears',
  randomOf: (time: string) => `Public random number, ${time}`,
  balls: 'The balls follow from both',
  ballsOf: (game: string, draw: number) => `${game}, draw ${draw.toLocaleString('en-US')}`,
  numbers: 'Numbers drawn',
  right: 'checked',
} as const

/** A part of a draw that was checked. */
export type Part = 'list' | 'random' | 'balls'

/**
 * How a draw comes about, in three pictures, with the figures of a draw if there is one.
 *
 * @param right the parts that were checked here and are right
 */
export function ThreePictures({ draw, right = [] }: { draw: NewestDraw | null; right?: readonly Part[] }) {
  const name = useGameName(draw?.gameKey ?? '')
  const offsetAt = useUtcOffset()
  const time = (at: number) => timeLabel(at, offsetAt(at))
  const isKnown = draw !== null && draw.lines !== null && draw.sealedAt !== null
  return (
    <ol className={styles['pictures']} data-game={draw?.gameKey}>
      <Picture
        caption={isKnown ? TEXTS.listOf(draw.lines ?? 0, time(draw.sealedAt ?? 0)) : TEXTS.list}
        isRight={right.includes('list')}
      >
        <SealedList />
      </Picture>
      <Picture
        caption={draw === null ? TEXTS.random : TEXTS.randomOf(time(draw.startAt))}
        isRight={right.includes('random')}
      >
        <Beacon />
      </Picture>
      <Picture
        caption={draw === null ? TEXTS.balls : TEXTS.ballsOf(name, draw.number)}
        isRight={right.includes('balls')}
      >
        {draw === null ? <Balls /> : <BallRow places={draw.numbers} size={36} label={TEXTS.numbers} />}
      </Picture>
    </ol>
  )
}

function Picture({ caption, isRight, children }: { caption: string; isRight: boolean; children: ReactNode }) {
  return (
    <li className={styles['picture']}>
      {children}
      <p className={styles['caption']}>
        {caption}
        {isRight && (
          <>
            <CheckCircleIcon size={20} />
            <VisuallyHidden> {TEXTS.right}</VisuallyHidden>
          </>
        )}
      </p>
    </li>
  )
}

/** A list of lines under a lock. */
function SealedList() {
  return (
    <Drawing>
      <path d="M45 61H17a7 7 0 0 1-7-7V10a7 7 0 0 1 7-7h36a7 7 0 0 1 7 7v11" />
      <path d="M20 17h30M20 28h24M20 39h18M20 50h14M54 38v-6a9 9 0 0 1 18 0v6" />
      <rect x="48" y="37" width="30" height="24" rx="6" fill="currentColor" />
    </Drawing>
  )
}

/** A mast that everyone can hear. */
function Beacon() {
  return (
    <Drawing>
      <path d="m44 26-13 35h26zM38 45h12" />
      <circle cx="44" cy="19" r="6" fill="currentColor" />
      <path d="M29 8a20 20 0 0 0 0 23M59 8a20 20 0 0 1 0 23M19 3a32 32 0 0 0 0 33M69 3a32 32 0 0 1 0 33" />
    </Drawing>
  )
}

function Balls() {
  return (
    <Drawing>
      <circle cx="18" cy="40" r="14" />
      <circle cx="44" cy="24" r="14" />
      <circle cx="70" cy="40" r="14" />
    </Drawing>
  )
}

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 88 64"
      width="88"
      height="64"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}
