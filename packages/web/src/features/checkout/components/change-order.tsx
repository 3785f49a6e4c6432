import type { Checkout } from '@fairball/contract/schemas/order'
import type { MouseEvent } from 'react'
import { useApi } from '../../../shared/api.ts'
import { useGame } from '../../../shared/data/games.ts'
import { useNavigate } from '../../../shared/navigation.tsx'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Link } from '@fairball/ui/link.tsx'
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
    const { wayBack } = await import('../way-back.ts')
    const { href, ...options } = await wayBack(api, { orderId, gameKey, game, player: profile?.username ?? null })
    navigate(href, options)
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
