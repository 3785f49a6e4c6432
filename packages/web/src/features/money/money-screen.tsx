import { gamesQuery } from '../../shared/data/games.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { PageTitle, SectionTitle } from '@fairball/ui/page-title.tsx'
import { Stops } from '@fairball/ui/stops.tsx'
import { LongRun } from './components/long-run.tsx'
import { NewestDraws } from './components/newest-draws.tsx'
import { Pound } from './components/pound.tsx'
import { SolvencyCard } from './components/solvency-card.tsx'
import { MONEY_TEXTS } from './messages.ts'
import styles from './money-screen.module.css'
import { newestDrawsQuery, solvencyQuery } from './use-money.ts'

export const load: ScreenLoader = async ({ api, queryClient }) => {
  const solvency = queryClient.prefetchQuery(solvencyQuery(api))
  const games = await queryClient.ensureQueryData(gamesQuery(api))
  await Promise.all([solvency, queryClient.prefetchQuery(newestDrawsQuery(api, games))])
}

/** The division of each stake, the uses of the newest draws' money, and the operator's assets and debts. */
export function MoneyScreen(_props: object) {
  return (
    <div className={styles['page']}>
      <div>
        <PageTitle lead={MONEY_TEXTS.lead}>{MONEY_TEXTS.title}</PageTitle>
        <Pound />
      </div>
      <section aria-labelledby="when">
        <SectionTitle id="when">{MONEY_TEXTS.when}</SectionTitle>
        <Stops stops={MONEY_TEXTS.whenSteps} />
      </section>
      <LongRun />
      <NewestDraws />
      <SolvencyCard />
    </div>
  )
}
