import { formatAbbreviated } from '@fairball/domain/fiat'
import { fiatIn, usePlayerView } from '../../../shared/player-view.ts'
import type { PlayerView } from '../../../shared/player-view.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Card } from '@fairball/ui/card.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { StepChart } from '@fairball/ui/step-chart.tsx'
import { STATISTICS_TEXTS } from '../messages.ts'
import type { Statistics } from '../use-statistics.ts'
import styles from './jackpot-chart.module.css'

type Jackpot = Statistics['jackpots'][number]

/** Props of {@link JackpotChart}. */
interface JackpotChartProps {
  gameKey: string
  jackpots: readonly Jackpot[]
  isChart: boolean
}

/** The jackpots of the newest draws, as a line and as a table; a table alone while there are few draws. */
export function JackpotChart({ gameKey, jackpots, isChart }: JackpotChartProps) {
  const view = usePlayerView()
  const { currencyCode } = useSession()
  const [newest, oldest] = [jackpots[0], jackpots.at(-1)]
  if (newest === undefined || oldest === undefined) return null
  const amounts = jackpots.map((jackpot) => fiatIn(jackpot.fiat, currencyCode))
  const textOf = (value: number) => formatAbbreviated({ ...fiatIn(newest.fiat, currencyCode), value })
  const values = amounts.map((amount) => amount.value)
  const points = jackpots
    .map((jackpot, index) => ({ at: jackpot.date, value: values[index] ?? 0, isMarked: jackpot.is_won }))
    .toReversed()
  const table = (
    <DataTable
      caption={STATISTICS_TEXTS.jackpots}
      columns={columnsFor(gameKey, view)}
      rows={jackpots}
      rowKey={(jackpot) => jackpot.number}
    />
  )
  if (!isChart) {
    return (
      <Card title={STATISTICS_TEXTS.jackpots} lead={STATISTICS_TEXTS.tooFew}>
        {table}
      </Card>
    )
  }
  return (
    <Card title={STATISTICS_TEXTS.jackpots} lead={STATISTICS_TEXTS.jackpotsLead(jackpots.length)}>
      <div className={styles['parts']}>
        <StepChart
          label={STATISTICS_TEXTS.jackpotsLabel(
            jackpots.length,
            textOf(Math.min(...values)),
            textOf(Math.max(...values)),
          )}
          points={points}
          textOf={textOf}
          ends={[view.date(oldest.date), view.date(newest.date)]}
        />
        <Disclosure title={STATISTICS_TEXTS.jackpotsTable} level={3}>
          {table}
        </Disclosure>
      </div>
    </Card>
  )
}

function columnsFor(gameKey: string, { date, money }: PlayerView): Column<Jackpot>[] {
  return [
    {
      heading: STATISTICS_TEXTS.draw,
      cell: ({ number }) => <Link href={paths.draw(gameKey, number)}>{STATISTICS_TEXTS.drawName(number)}</Link>,
    },
    { heading: STATISTICS_TEXTS.date, cell: (jackpot) => date(jackpot.date) },
    {
      heading: STATISTICS_TEXTS.outcome,
      cell: (jackpot) => (jackpot.is_won ? STATISTICS_TEXTS.won : STATISTICS_TEXTS.rolledOver),
    },
    {
      heading: STATISTICS_TEXTS.jackpot,
      align: 'end',
      cell: ({ fiat, crypto }) => (
        <span className={styles['amount']}>
          <strong>{money(fiat)}</strong>
          <span>
            {crypto.value} {crypto.code}
          </span>
        </span>
      ),
    },
  ]
}
