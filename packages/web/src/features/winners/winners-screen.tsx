import { paths } from '../../shared/paths.ts'
import { usePlayerView } from '../../shared/player-view.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle, SectionTitle } from '@fairball/ui/page-title.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { CauseCard } from './components/cause-card.tsx'
import { EveryTime } from './components/every-time.tsx'
import { WinnerCard } from './components/winner-card.tsx'
import { WINNERS_TEXTS as TEXTS } from './messages.ts'
import { causesQuery, useCauses, useNextGame, useWinners, winnersQuery } from './use-winners.ts'
import styles from './winners-screen.module.css'

export const load: ScreenLoader = async ({ api, queryClient }) => {
  await Promise.all([queryClient.prefetchQuery(winnersQuery(api)), queryClient.prefetchQuery(causesQuery(api))])
}

/** Recent winners, the use of every stake, and the good causes. */
export function WinnersScreen(_props: object) {
  return (
    <div className={styles['page']}>
      <section aria-labelledby="winners">
        <div className={styles['head']}>
          <PageTitle lead={TEXTS.lead}>{TEXTS.title}</PageTitle>
        </div>
        <SectionTitle id="winners">{TEXTS.winners}</SectionTitle>
        <p className={styles['lead']}>
          {TEXTS.winnersLead} <Link href={paths.personalDetails()}>{TEXTS.winnersSetting}</Link>
        </p>
        <Winners />
      </section>
      <EveryTime />
      <PlayNext />
      <section aria-labelledby="causes">
        <SectionTitle id="causes">{TEXTS.causes}</SectionTitle>
        <Causes />
      </section>
    </div>
  )
}

function Winners() {
  const winners = useWinners()
  const game = useNextGame()
  if (winners.isPending) return <CardsLoading className={styles['winners']} count={4} />
  if (winners.data === undefined) return <LoadFailed onRetry={() => void winners.refetch()} />
  if (winners.data.length === 0) {
    return (
      <div className={styles['empty']}>
        <EmptyState
          text={TEXTS.noWinners}
          action={game !== null && <LinkButton href={paths.game(game.key)}>{TEXTS.firstPlay}</LinkButton>}
        />
        <p>{TEXTS.noWinnersMore}</p>
      </div>
    )
  }
  return (
    <ul className={styles['winners']}>
      {winners.data.map((winner) => (
        <WinnerCard key={winner.id} winner={winner} />
      ))}
    </ul>
  )
}

function PlayNext() {
  const game = useNextGame()
  const { figure } = usePlayerView()
  if (game === null) return null
  return (
    <section data-game={game.key} className={styles['play']}>
      <div>
        <h2 className={styles['jackpot']}>
          <Figure text={TEXTS.playTitle(figure(game.jackpot.fiat))} />
        </h2>
        <p>{TEXTS.playLead(game.name)}</p>
      </div>
      <LinkButton href={paths.game(game.key)} size="hero" onField>
        {TEXTS.play(game.name)}
      </LinkButton>
    </section>
  )
}

function Causes() {
  const causes = useCauses()
  if (causes.isPending) return <CardsLoading className={styles['causes']} count={3} />
  if (causes.data === undefined) return <LoadFailed onRetry={() => void causes.refetch()} />
  if (causes.data.length === 0) {
    return (
      <div className={styles['empty']}>
        <EmptyState text={TEXTS.noCauses} />
        <p>{TEXTS.noCausesMore}</p>
      </div>
    )
  }
  return (
    <ul className={styles['causes']}>
      {causes.data.map((cause) => (
        <CauseCard key={cause.id} cause={cause} />
      ))}
    </ul>
  )
}

function CardsLoading({ className, count }: { className: string | undefined; count: number }) {
  return (
    <Loading>
      <div className={className}>
        {Array.from({ length: count }, (_, place) => (
          <Skeleton key={place} shape="block" className={styles['waiting']} />
        ))}
      </div>
    </Loading>
  )
}
