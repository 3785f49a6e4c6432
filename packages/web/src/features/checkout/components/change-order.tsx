import type { Checkout } from '@fairball/contract/schemas/order'
import type { MouseEvent } from 'react'
import { useApi } from '../../../shared/api.ts'
import type { Api } from '../../../shared/api.ts'
import { useGame } from '../../../shared/data/games.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useNavigate } from '../../../shared/navigation.tsx'
import { orderedDraft } from '../../../shared/order/kept-order.ts'
import { useSameNumbers } from '../../../shared/order/use-same-numbers.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Link } from '../../../ui/link.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './change-order.module.css'

/**
 * Leads back to the step before, with the lines of this order: those kept by the tab, or those the server keeps. That
 * step warns that this request should not be paid any more.
 */
export function ChangeOrder({ checkout }: { checkout: Checkout }) {
  const { data: game } = useGame(checkout.game_key)
  // The link is there before its game is, so that nothing moves.
  return game === undefined ? <Way gameKey={checkout.game_key} /> : <Change checkout={checkout} game={game} />
}

function Way({ gameKey, onFollow }: { gameKey: string; onFollow?: () => unknown }) {
  const follow = (event: MouseEvent) => {
    if (onFollow === undefined) return
    event.preventDefault()
    onFollow()
  }
  return (
    <p className={styles['back']}>
      <Link href={paths.game(gameKey)} onClick={follow}>
        {CHECKOUT_TEXTS.change}
      </Link>
    </p>
  )
}

function Change({ checkout, game }: { checkout: Checkout; game: Game }) {
  const api = useApi()
  const navigate = useNavigate()
  const { status } = useSession()
  const playAgain = useSameNumbers(game)
  const { transaction_id: orderId } = checkout
  const change = async () => {
    const kept = orderedDraft(sessionStorage, orderId)
    if (kept !== null) {
      const href = kept.dips > 0 ? paths.luckyDips(kept.gameKey, kept.dips) : paths.game(kept.gameKey)
      return navigate(href, { page: { step: 2, draftId: kept.draftId, isFirst: true } })
    }
    const own = status === 'player' ? await ownOrder(api, orderId) : null
    if (own === null) return navigate(paths.game(game.key))
    const lines = own.lines.map(({ numbers }) => numbers)
    return playAgain(lines, { orderId, at: own.created_at })
  }
  return <Way gameKey={game.key} onFollow={change} />
}

/** The order, if it is this player's. */
async function ownOrder(api: Api, orderId: string) {
  try {
    return (await api.call('getPayment', { query: { transaction_id: orderId } })).order
  } catch {
    return null
  }
}
