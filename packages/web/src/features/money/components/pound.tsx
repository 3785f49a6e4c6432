import { SEED_SPLIT } from '@fairball/domain/seeds'
import { StackedBar, Swatch } from '../../../ui/stacked-bar.tsx'
import type { Tone } from '../../../ui/stacked-bar.tsx'
import { MONEY_TEXTS as TEXTS } from '../messages.ts'
import styles from './pound.module.css'

const PARTS = [
  { key: 'prizePool', tone: 1 },
  { key: 'donation', tone: 3 },
  { key: 'fee', tone: 4 },
] as const satisfies readonly { key: keyof typeof SEED_SPLIT; tone: Tone }[]

/** A pound, torn into its three parts. */
export function Pound() {
  return (
    <section className={styles['ticket']} aria-labelledby="pound">
      <h2 id="pound" className={styles['title']}>
        {TEXTS.split}
      </h2>
      <StackedBar
        className={styles['bar']}
        parts={PARTS.map(({ key, tone }) => ({ name: key, percent: SEED_SPLIT[key], tone }))}
      />
      <dl className={styles['parts']}>
        {PARTS.map(({ key, tone }) => (
          <div key={key} data-part={key}>
            <dt>
              <Swatch tone={tone} />
              {TEXTS.splitParts[key].name}
            </dt>
            <dd className={styles['pence']}>{TEXTS.pence(SEED_SPLIT[key])}</dd>
            <dd className={styles['text']}>{TEXTS.splitParts[key].text}</dd>
          </div>
        ))}
      </dl>
      <div className={styles['notes']}>
        <p>{TEXTS.splitRounding}</p>
        <p>{TEXTS.classic}</p>
      </div>
    </section>
  )
}
