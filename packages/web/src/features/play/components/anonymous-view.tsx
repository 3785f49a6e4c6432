import { lazy, Suspense } from 'react'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { SocialLogin } from '../../../shared/social-login/social-login.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { PLAY_TEXTS, SETTINGS_ANCHOR } from '../messages.ts'
import { AboutGame } from './about-game.tsx'
import { PrizeTable } from './prize-table.tsx'
import { TwoColumns } from './two-columns.tsx'
import styles from './anonymous-view.module.css'

const VisitorLines = lazy(async () => ({ default: (await import('./visitor-lines.tsx')).VisitorLines }))

/** A game for visitors: a description, its prizes, and the way to log in. */
export function AnonymousView(props: { game: Game; luckyDips: number; transactionId: string | null }) {
  return (
    <div className={styles['view']}>
      <TwoColumns
        main={
          <>
            <PickFirst {...props} />
            <WayIn {...props} />
            <AboutGame game={props.game} />
          </>
        }
        aside={<PrizeTable game={props.game} />}
      />
    </div>
  )
}

/** The lines of a visitor, once their script is there. Not for an order being paid, or while nothing is on sale. */
function PickFirst({
  game,
  luckyDips,
  transactionId,
}: {
  game: Game
  luckyDips: number
  transactionId: string | null
}) {
  const { status } = useSession()
  if (game.sales_note !== null || transactionId !== null) return null
  return (
    <div className={styles['pick']} data-status={status}>
      <Card title={PLAY_TEXTS.pickFirst}>
        {status === 'anonymous' ? (
          <Suspense fallback={<div className={styles['row']} />}>
            <VisitorLines key={game.key} game={game} luckyDips={luckyDips} />
          </Suspense>
        ) : (
          <div className={styles['row']} />
        )}
      </Card>
    </div>
  )
}

/** Leads back to the visitor's page: the order being paid, or the requested lucky dips. */
function WayIn({ game, luckyDips, transactionId }: { game: Game; luckyDips: number; transactionId: string | null }) {
  const { status } = useSession()
  const back = luckyDips > 0 ? paths.luckyDips(game.key, luckyDips) : paths.game(game.key, transactionId ?? undefined)
  const soon = transactionId === null ? game.sales_note : null
  const text = transactionId === null ? PLAY_TEXTS.logInText : PLAY_TEXTS.logInForPayment
  return (
    <div id={SETTINGS_ANCHOR} className={styles['wayIn']} data-status={status}>
      <Card title={soon ?? PLAY_TEXTS.wayIn}>
        <p>{soon === null ? text : PLAY_TEXTS.salesSoonText}</p>
        <div className={styles['buttons']}>
          {soon === null && <LinkButton href={paths.login(back)}>{PLAY_TEXTS.logInToPlay}</LinkButton>}
          <LinkButton href={paths.openAccount(back)} variant={soon === null ? 'secondary' : 'primary'}>
            {PLAY_TEXTS.openAccount}
          </LinkButton>
        </div>
        {soon === null && <SocialLogin path={back} />}
      </Card>
    </div>
  )
}
