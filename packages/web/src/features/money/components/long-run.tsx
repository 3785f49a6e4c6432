import { useGames } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { Card } from '@fairball/ui/card.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { StackedBar, Swatch } from '@fairball/ui/stacked-bar.tsx'
import { gameShares } from '../long-run.ts'
import type { GameShares } from '../long-run.ts'
import { MONEY_TEXTS as TEXTS } from '../messages.ts'
import styles from './long-run.module.css'

/** The division of each game's stakes in the long run: one bar each, and the same as figures. */
export function LongRun() {
  const { data: games = [] } = useGames()
  const shares = gameShares(games)
  return (
    <section aria-labelledby="long-run">
      <SectionTitle id="long-run" aside={<Link href={paths.terms() + '#games'}>{TEXTS.toOdds}</Link>}>
        {TEXTS.long}
      </SectionTitle>
      <Card>
        <p>{TEXTS.longLead}</p>
        <ul className={styles['legend']} aria-hidden="true">
          {shares[0]?.parts.map(({ name, tone }) => (
            <li key={name}>
              <Swatch tone={tone} />
              {name}
            </li>
          ))}
        </ul>
        <div className={styles['table']}>
          <DataTable caption={TEXTS.longCaption} columns={COLUMNS} rows={shares} rowKey={({ key }) => key} />
        </div>
        <div className={styles['notes']}>
          <p>{TEXTS.freeNote}</p>
          <p>{TEXTS.noIncome}</p>
        </div>
      </Card>
    </section>
  )
}

const COLUMNS: readonly Column<GameShares>[] = [
  { heading: TEXTS.game, cell: ({ name }) => <strong>{name}</strong> },
  {
    heading: TEXTS.shares,
    cell: ({ key, parts }) => (
      <span className={styles['bar']} data-game={key}>
        <StackedBar parts={parts} />
      </span>
    ),
  },
  ...[TEXTS.fixed, TEXTS.jackpot, TEXTS.causes, TEXTS.operator].map((heading): Column<GameShares> => ({
    heading,
    align: 'end',
    cell: ({ parts }) => percentText(parts.find(({ name }) => name === heading)?.percent ?? 0),
  })),
]

function percentText(percent: number): string {
  return `${percent.toFixed(1)}%`
}
