import type { Balance } from '@fairball/contract/schemas/account'
import { owedFiat, useBalance } from '../../shared/data/balance.ts'
import { useGameName } from '../../shared/data/game-looks.ts'
import { useMoments } from '../../shared/moment.ts'
import { paths } from '../../shared/paths.ts'
import { usePlayerView } from '../../shared/player-view.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import styles from './balance-screen.module.css'
import { BalancePart, Sum } from './components/balance-part.tsx'
import { SETTINGS_TEXTS } from './messages.ts'

/** The player's money: what waits and why, what is on its way, and what was paid; and the free tickets. */
export function BalanceScreen(_props: object) {
  return (
    <>
      <PageTitle lead={SETTINGS_TEXTS.balanceLead}>{SETTINGS_TEXTS.balanceTitle}</PageTitle>
      <Money />
    </>
  )
}

function Money() {
  const balance = useBalance()
  const { money } = usePlayerView()
  if (balance.isPending) return <SkeletonRows rows={5} />
  if (balance.isLoadingError) return <LoadFailed onRetry={() => void balance.refetch()} />
  const { waiting, on_its_way: onItsWay, paid, free_tickets: freeTickets } = balance.data
  return (
    <div className={styles['parts']}>
      {owedFiat(balance.data) === null ? (
        <EmptyState text={SETTINGS_TEXTS.balanceNone(money(paid.total.fiat))} />
      ) : (
        <>
          <BalancePart title={SETTINGS_TEXTS.waiting} part={waiting} />
          <BalancePart title={SETTINGS_TEXTS.onItsWay} part={onItsWay} />
          <Paid paid={paid} />
        </>
      )}
      {freeTickets.length > 0 && (
        <Card title={SETTINGS_TEXTS.freeTicketsTitle}>
          <ul className={styles['tickets']}>
            {freeTickets.map(({ game_key: gameKey, count }) => (
              <FreeTickets key={gameKey} gameKey={gameKey} count={count} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

function Paid({ paid: { total, last_at: lastAt } }: { paid: Balance['paid'] }) {
  const moment = useMoments()
  return (
    <Card title={SETTINGS_TEXTS.paid} actions={<Sum amount={total} />}>
      {lastAt !== null && <p>{SETTINGS_TEXTS.lastPaid(moment(lastAt))}</p>}
    </Card>
  )
}

function FreeTickets({ gameKey, count }: { gameKey: string; count: number }) {
  const name = useGameName(gameKey)
  return (
    <li className={styles['ticket']}>
      <span>
        <strong>{name}</strong>: {SETTINGS_TEXTS.freeTickets(count)}
      </span>
      <LinkButton href={paths.game(gameKey)} size="small" aria-label={SETTINGS_TEXTS.playItLabel(name)}>
        {SETTINGS_TEXTS.playIt}
      </LinkButton>
    </li>
  )
}
