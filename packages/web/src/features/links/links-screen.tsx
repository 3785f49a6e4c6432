import { useConfig } from '../../shared/config.ts'
import { gamesQuery, useGames } from '../../shared/data/games.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { DemoControls } from './components/demo-controls.tsx'
import { Mails } from './components/mails.tsx'
import { PageIndex } from './components/page-index.tsx'
import { TestWalletCard } from './components/test-wallet-card.tsx'
import { LINKS_TEXTS } from './messages.ts'
import styles from './links-screen.module.css'

/** Loads the games. */
export const load: ScreenLoader = async ({ api, queryClient }) => {
  await queryClient.ensureQueryData(gamesQuery(api))
}

/** The developer's index of every page; in the demo with the controls of its clock, its mails and its wallet. */
export function LinksScreen() {
  const { testMode } = useConfig()
  const games = useGames()
  return (
    <>
      <PageTitle lead={LINKS_TEXTS.lead}>{LINKS_TEXTS.title}</PageTitle>
      <div className={styles['parts']}>
        {games.isPending && <SkeletonRows rows={6} />}
        {games.data === undefined && games.isError && <LoadFailed onRetry={() => void games.refetch()} />}
        {games.data !== undefined && testMode && <DemoControls games={games.data} />}
        {games.data !== undefined && <PageIndex games={games.data} />}
        {testMode && (
          <div className={styles['pair']}>
            <Mails />
            <TestWalletCard />
          </div>
        )}
      </div>
    </>
  )
}
