import { Card } from '@fairball/ui/card.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import styles from './line-ladder.module.css'
import { STAGE_TEXTS } from './messages.ts'
import type { Tier } from './tiers.ts'

/** How many of the player's lines have how many matches, and which prize belongs to each. */
export function LineLadder({
  counts,
  tiers,
  toCome,
}: {
  /** By matches, from none to all. */
  counts: readonly number[]
  tiers: readonly Tier[]
  /** Balls to come. */
  toCome: number
}) {
  const isOver = toCome === 0
  const rungs = counts.map((count, matches) => ({ count, matches, tier: tiers.find((one) => one.matches === matches) }))
  return (
    <Card title={STAGE_TEXTS.ladder}>
      <ul className={styles['ladder']}>
        {rungs.toReversed().map(({ count, matches, tier }) => (
          <li key={matches} className={styles['rung']} data-held={(tier !== undefined && count > 0) || undefined}>
            <span>{matches === 0 ? STAGE_TEXTS.noMatch(isOver) : STAGE_TEXTS.match(matches)}</span>
            <span className={styles['prize']}>{tier?.prize ?? (matches === 0 ? '' : STAGE_TEXTS.noPrize(isOver))}</span>
            <strong className={styles['count']} data-none={count === 0 || undefined} aria-hidden="true">
              {count.toLocaleString('en-US')}
            </strong>
            <VisuallyHidden>{STAGE_TEXTS.linesSpoken(count)}</VisuallyHidden>
          </li>
        ))}
      </ul>
      <p className={styles['note']}>{isOver ? '' : STAGE_TEXTS.toCome(toCome)}</p>
    </Card>
  )
}
