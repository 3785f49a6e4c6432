import { lazy, Suspense } from 'react'
import { useConfig } from '../../shared/config.ts'
import { type NewestDraw, prefetchNewestDraw, useNewestDraw } from '../../proof/newest-draw.ts'
import { ThreePictures } from '../../proof/three-pictures.tsx'
import { useGameName } from '../../shared/data/game-looks.ts'
import { gamesQuery, useGames } from '../../shared/data/games.ts'
import { paths } from '../../shared/paths.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { BuildCard } from './components/build-card.tsx'
import { ExpertFold } from './components/expert-fold.tsx'
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

/** Loads what the pictures show, so that it is in the server's HTML. */
export const load: ScreenLoader = async ({ api, queryClient }) => {
  await Promise.all([queryClient.prefetchQuery(gamesQuery(api)), prefetchNewestDraw(api, queryClient)])
}

/**
 * An explanation of how draws can be checked: in short and in pictures for everyone, what remains to be trusted, and
 * the rest in a fold for experts.
 */
export function FairnessScreen(_props: object) {
  const newest = useNewestDraw() ?? null
  return (
    <div className={styles['page']}>
      <div className={styles['intro']}>
        <PageTitle>{FAIRNESS_TEXTS.title}</PageTitle>
        <p>{FAIRNESS_TEXTS.summary}</p>
      </div>
      <Card title={FAIRNESS_TEXTS.pictures}>
        <ThreePictures draw={newest} />
      </Card>
      <LatestDraw newest={newest} />
      <Trust />
      <ExpertFold title={FAIRNESS_TEXTS.experts} lead={FAIRNESS_TEXTS.expertsLead}>
        <p>{FAIRNESS_TEXTS.lead}</p>
        <Card title={FAIRNESS_TEXTS.timeline} lead={FAIRNESS_TEXTS.timelineLead}>
          <Timeline />
        </Card>
        <Ways />
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
      </ExpertFold>
    </div>
  )
}

/** The check of the newest settled draw; those of the current draws grow with them. */
function LatestDraw({ newest }: { newest: NewestDraw | null }) {
  const { data: games = [] } = useGames()
  const name = useGameName(newest?.gameKey ?? '')
  return (
    <Card title={FAIRNESS_TEXTS.latest} lead={FAIRNESS_TEXTS.latestLead}>
      {newest !== null && (
        <p>
          <LinkButton href={paths.proof(newest.gameKey, newest.number)}>
            {FAIRNESS_TEXTS.latestOf(name, newest.number)}
          </LinkButton>
        </p>
      )}
      <div>
        <p>{newest === null ? FAIRNESS_TEXTS.latestNone : FAIRNESS_TEXTS.latestNext}</p>
        <ul className={styles['draws']}>
          {games.map((game) => (
            <li key={game.key}>
              <Link href={paths.proof(game.key, game.next_draw.number)}>
                {FAIRNESS_TEXTS.draw(game.name, game.next_draw.number)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

function Trust() {
  const { testMode } = useConfig()
  return (
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
  )
}

/** The ways to check a draw, on this site and without it. */
function Ways() {
  return (
    <Card title={FAIRNESS_TEXTS.check} lead={FAIRNESS_TEXTS.checkLead}>
      <div className={styles['ways']}>
        <section>
          <h3>{FAIRNESS_TEXTS.onSite}</h3>
          <p>{FAIRNESS_TEXTS.onSiteText}</p>
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
  )
}
