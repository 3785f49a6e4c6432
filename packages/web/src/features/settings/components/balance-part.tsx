import type { Balance } from '@fairball/contract/schemas/account'
import type { Amount } from '@fairball/contract/schemas/money'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { payoutState } from '../../../shared/payout/payout-words.ts'
import { WaitingReason } from '../../../shared/payout/waiting-reason.tsx'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import styles from './balance-part.module.css'

type Part = Balance['waiting']
type Item = Part['items'][number]

/** Money that has not reached the player: the total, and each sum with where it is and why. */
export function BalancePart({ title, part }: { title: string; part: Part }) {
  return (
    <Card title={title} actions={<Sum amount={part.total} />}>
      {part.items.length > 0 && (
        <ul className={styles['items']}>
          {part.items.map((item, place) => (
            // Sums have no id of their own, and the list is replaced as a whole.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place}>
              <BalanceItem item={item} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** An amount in the player's currency, and under it in bitcoin. */
export function Sum({ amount: { fiat, crypto } }: { amount: Amount }) {
  const { money } = usePlayerView()
  return (
    <span className={styles['sum']}>
      <strong>{money(fiat)}</strong>
      <span>
        {crypto.value} {crypto.code}
      </span>
    </span>
  )
}

function BalanceItem({ item: { kind, game_key: gameKey, draw, amount, payout } }: { item: Item }) {
  const moment = useMoments()
  return (
    <>
      <div className={styles['item']}>
        <span>
          {SETTINGS_TEXTS.owedKinds[kind]}
          {gameKey !== null && (
            <>
              {' · '}
              <Source gameKey={gameKey} draw={draw} />
            </>
          )}
        </span>
        <Sum amount={amount} />
      </div>
      {payout.reason === null ? (
        <p className={styles['state']}>{payoutState(payout, moment)}</p>
      ) : (
        <WaitingReason payout={payout} />
      )}
    </>
  )
}

/** The game, and the draw if it is about one. */
function Source({ gameKey, draw }: { gameKey: string; draw: Item['draw'] }) {
  const name = useGameName(gameKey)
  if (draw === null) return name
  return (
    <Link href={paths.draw(gameKey, draw.number)}>
      {name}, draw {draw.number}
    </Link>
  )
}
