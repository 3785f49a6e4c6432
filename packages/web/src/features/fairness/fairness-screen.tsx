import { lazy, Suspense } from 'react'
import { useConfig } from '../../shared/config.ts'
import { useGames } from '../../shared/data/games.ts'
import { paths } from '../../shared/paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BuildCard } from './components/build-card.tsx'
import { Timeline } from './components/timeline.tsx'
import styles from './fairness-screen.module.css'
import { FAIRNESS_TEXTS } from './messages.ts'

// Parts that only a browser can render: the page can be read before they arrive.
const SavedBundle = lazy(() => import('./components/saved-bundle.tsx'))
const VerifierFile = lazy(() => import('./components/verifier-file.tsx'))
const LogCard = lazy(() => import('./components/log-card.tsx'))
const MemoryCard = lazy(() => import('./components/memory-card.tsx'))
const GamesCard = lazy(() => import('./components/games-card.tsx'))
const WitnessCard = lazy(() => import('./components/witness-card.tsx'))

/**
 * An explanation of how draws can be checked, in plain words: what is fixed when, what anyone can check, what is
 * promised and what is not.
 */
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
          <section>
            <h3>{FAIRNESS_TEXTS.command}</h3>
            <p>{FAIRNESS_TEXTS.commandText}</p>
            {FAIRNESS_TEXTS.commands.map((command) => (
              <pre key={command} className={styles['command']}>
                {command}
              </pre>
            ))}
            <p>{FAIRNESS_TEXTS.commandCodes}</p>
          </section>
          <section>
            <h3>{FAIRNESS_TEXTS.outcomes}</h3>
            <dl className={styles['outcomes']}>
              {FAIRNESS_TEXTS.outcomeList.map(({ title, text }) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      </Card>
      <Suspense fallback={<Skeleton shape="block" />}>
        <SavedBundle />
      </Suspense>
      <Card title={FAIRNESS_TEXTS.promised}>
        <ul className={styles['promised']}>
          {FAIRNESS_TEXTS.promisedList.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Card>
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
      <Suspense fallback={<Skeleton shape="block" />}>
        <GamesCard />
      </Suspense>
      <Suspense fallback={<Skeleton shape="block" />}>
        <WitnessCard />
      </Suspense>
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

/** The current draw of each game; its proof grows during the draw. */
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
