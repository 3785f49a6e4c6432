import { lazy, Suspense } from 'react'
import { useConfig } from '../../shared/config.ts'
import { useGames } from '../../shared/data/games.ts'
import { paths } from '../../shared/paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BuildCard } from './components/build-card.tsx'
import { Timeline } from './components/timeline.tsx'
import styles from './fairness-screen.module.css'
import { FAIRNESS_TEXTS } from './messages.ts'

// What only a browser can do: the page can be read before it is there.
const SavedBundle = lazy(() => import('./components/saved-bundle.tsx'))
const VerifierFile = lazy(() => import('./components/verifier-file.tsx'))
const LogCard = lazy(() => import('./components/log-card.tsx'))
const MemoryCard = lazy(() => import('./components/memory-card.tsx'))

/** Where this server keeps the program of the witnesses, one file for Node. */
const WITNESS_ADDRESS = '/fairness/fairball-witness.mjs'

/** How the draws are made checkable, in plain words: what is fixed when, what anybody can check, and what is left to trust. */
export function FairnessScreen(_props: object) {
  const { testMode } = useConfig()
  return (
    <div className={styles['page']}>
      <PageTitle lead={FAIRNESS_TEXTS.lead}>{FAIRNESS_TEXTS.title}</PageTitle>
      <Card title={FAIRNESS_TEXTS.timeline} lead={FAIRNESS_TEXTS.timelineLead}>
        <Timeline />
      </Card>
      <Card title={FAIRNESS_TEXTS.check} lead={FAIRNESS_TEXTS.checkLead}>
        <div className={styles['ways']}>
          <section>
            <h3>{FAIRNESS_TEXTS.onSite}</h3>
            <p>{FAIRNESS_TEXTS.onSiteText}</p>
            <LatestDraws />
          </section>
          <section>
            <h3>{FAIRNESS_TEXTS.standalone}</h3>
            <p>{FAIRNESS_TEXTS.standaloneText}</p>
            <Suspense fallback={<Skeleton />}>
              <VerifierFile />
            </Suspense>
          </section>
        </div>
      </Card>
      <Suspense fallback={<Skeleton shape="block" />}>
        <SavedBundle />
      </Suspense>
      <Card title={FAIRNESS_TEXTS.trust} lead={FAIRNESS_TEXTS.trustLead}>
        {testMode && (
          <Banner kind="warning">
            <strong>{FAIRNESS_TEXTS.trustLocal}.</strong> {FAIRNESS_TEXTS.trustLocalText}
          </Banner>
        )}
        <div className={styles['causes']}>
          {FAIRNESS_TEXTS.trustList.map(({ title, text }) => (
            <section key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </section>
          ))}
        </div>
      </Card>
      <Card title={FAIRNESS_TEXTS.witness}>
        <div className={styles['words']}>
          <p>{FAIRNESS_TEXTS.witnessText}</p>
          <p>{FAIRNESS_TEXTS.witnessRun}</p>
          <p>
            <LinkButton href={WITNESS_ADDRESS} download variant="secondary" icon={<DownloadIcon size={18} />}>
              {FAIRNESS_TEXTS.witnessDownload}
            </LinkButton>
          </p>
        </div>
      </Card>
      <BuildCard />
      <Suspense fallback={<Skeleton shape="block" />}>
        <LogCard />
      </Suspense>
      <Suspense fallback={<Skeleton shape="block" />}>
        <MemoryCard />
      </Suspense>
    </div>
  )
}

/** The draw each game is at: its proof grows while the draw goes on. */
function LatestDraws() {
  const { data: games = [] } = useGames()
  return (
    <ul className={styles['draws']}>
      {games.map((game) => (
        <li key={game.key}>
          <Link href={paths.proof(game.key, game.next_draw.number)}>
            {FAIRNESS_TEXTS.draw(game.name, game.next_draw.number)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
