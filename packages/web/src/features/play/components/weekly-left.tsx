import { CURRENCIES, formatMoney } from '@fairball/domain/fiat'
import { useResponsiblePlay } from '../../../shared/data/responsible-play.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { ORDER_TEXTS } from '../order-messages.ts'
import styles from './weekly-left.module.css'

/** What is left of the player's weekly limit; nothing without one. */
export function WeeklyLeft() {
  const { currencyCode } = useSession()
  const { weekly_limit: limit, weekly_left: left } = useResponsiblePlay().data ?? {}
  const currency = CURRENCIES.find(({ code }) => code === currencyCode)
  if (typeof limit !== 'number' || typeof left !== 'number' || currency === undefined) return null
  const { symbol, position } = currency
  const write = (value: number) => formatMoney({ value, symbol, position_of_symbol: position })
  return <p className={styles['left']}>{ORDER_TEXTS.weeklyLeft(write(left), write(limit))}</p>
}
