import { Ball } from '@fairball/ui/ball.tsx'
import { BarChart } from '@fairball/ui/bar-chart.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { expectedCounts } from '../expected-counts.ts'
import { STATISTICS_TEXTS } from '../messages.ts'
import styles from './number-counts.module.css'
import type { Statistics } from '../use-statistics.ts'

/** How often each number was drawn, beside how often it should have been; a list while there are few draws. */
export function NumberCounts({
  draws,
  numbers,
  isChart,
}: {
  draws: number
  numbers: Statistics['numbers']
  isChart: boolean
}) {
  if (!isChart) return <NumberList numbers={numbers} />
  // Every draw has drawn as many numbers as a line has.
  const pick = numbers.reduce((sum, { count }) => sum + count, 0) / draws
  const { mean, low, high } = expectedCounts({ draws, pick, pool: numbers.length })
  return (
    <Card title={STATISTICS_TEXTS.numbers} lead={STATISTICS_TEXTS.numbersLead(draws, mean.toFixed(1), low, high)}>
      <BarChart
        caption={STATISTICS_TEXTS.numbersCaption}
        headings={[STATISTICS_TEXTS.number, STATISTICS_TEXTS.times]}
        bars={numbers.map(({ number, count }) => ({
          key: number,
          label: <Ball number={number} size={36} />,
          value: count,
          text: count.toLocaleString('en-US'),
        }))}
        mark={mean}
      />
    </Card>
  )
}

function NumberList({ numbers }: { numbers: Statistics['numbers'] }) {
  return (
    <Card title={STATISTICS_TEXTS.numbers} lead={STATISTICS_TEXTS.tooFew}>
      <ul className={styles['numbers']} aria-label={STATISTICS_TEXTS.numbersCaption}>
        {numbers.map(({ number, count }) => (
          <li key={number} className={styles['number']}>
            <Ball number={number} size={36} />
            {STATISTICS_TEXTS.timesDrawn(count)}
          </li>
        ))}
      </ul>
    </Card>
  )
}
