import { useGames } from '../../../shared/data/games.ts'
import { leastSplit, rangesOf } from '../../../shared/data/shares.ts'
import type { Split } from '../../../shared/data/games.ts'
import { StackedBar, Swatch } from '@fairball/ui/stacked-bar.tsx'
import type { Tone } from '@fairball/ui/stacked-bar.tsx'
import { MONEY_TEXTS as TEXTS } from '../messages.ts'
import styles from './pound.module.css'

const PARTS = [
  { key: 'prize_pool', tone: 1 },
  { key: 'donation', tone: 3 },
  { key: 'fee', tone: 4 },
] as const satisfies readonly { key: keyof Split; tone: Tone }[]

/** A stake, torn into its three parts. */
export function Pound() {
  const { data: games = [] } = useGames()
  const split = leastSplit(games)
  if (split === null) return null
  const ranges = rangesOf(games)
  return (
    <section className={styles['ticket']} aria-labelledby="pound">
      <h2 id="pound" className={styles['title']}>
        {TEXTS.split}
      </h2>
      <StackedBar
        className={styles['bar']}
        parts={PARTS.map(({ key, tone }) => ({ name: key, percent: split[key], tone }))}
      />
      <dl className={styles['parts']}>
        {PARTS.map(({ key, tone }) => (
          <div key={key} data-part={key}>
            <dt>
              <Swatch tone={tone} />
              {TEXTS.splitParts[key].name}
            </dt>
            <dd className={styles['pence']}>{TEXTS.percent(ranges[key])}</dd>
            <dd className={styles['text']}>{TEXTS.splitParts[key].text}</dd>
          </div>
        ))}
      </dl>
      <div className={styles['notes']}>
        <p>{TEXTS.splitRounding(ranges)}</p>
        <p>{TEXTS.classic(ranges)}</p>
      </div>
    </section>
  )
}
