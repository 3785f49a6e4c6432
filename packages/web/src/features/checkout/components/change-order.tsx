import type { Checkout } from '@fairball/contract/schemas/order'
import type { MouseEvent } from 'react'
import { useApi } from '../../../shared/api.ts'
import type { Api } from '../../../shared/api.ts'
import { useGame } from '../../../shared/data/games.ts'
import { useNavigate } from '../../../shared/navigation.tsx'
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
  const { game_key: gameKey, transaction_id: orderId } = checkout
  const api = useApi()
  const navigate = useNavigate()
  const { profile } = useSession()
  const { data: game } = useGame(gameKey)
  const change = async () => {
    // The rules of drafts load at the press.
    const [{ orderedDraft }, { keepSameNumbers }] = await Promise.all([
      import('../../../shared/order/kept-order.ts'),
      import('../../../shared/order/same-numbers.ts'),
    ])
    const kept = orderedDraft(sessionStorage, orderId)
    if (kept !== null) {
      const href = kept.dips > 0 ? paths.luckyDips(kept.gameKey, kept.dips) : paths.game(kept.gameKey)
      return navigate(href, { page: { step: 2, draftId: kept.draftId, isFirst: true } })
    }
    const own = profile === null ? null : await ownOrder(api, orderId)
    if (own === null || game === undefined || profile === null) return navigate(paths.game(gameKey))
    const lines = own.lines.map(({ numbers }) => numbers)
    const instead = { orderId, at: own.created_at }
    return navigate(paths.game(gameKey), {
      page: keepSameNumbers(sessionStorage, { game, player: profile.username, lines, instead }),
    })
  }
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    void change()
  }
  return (
    <p className={styles['back']}>
      <Link href={paths.game(gameKey)} onClick={follow}>
        {CHECKOUT_TEXTS.change}
      </Link>
    </p>
  )
}

/** The order, if it is this player's. */
async function ownOrder(api: Api, orderId: string) {
  try {
    return (await api.call('getPayment', { query: { transaction_id: orderId } })).order
  } catch {
    return null
  }
}
