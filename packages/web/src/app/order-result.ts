import { newestBegun } from '../shared/order/draw-times.ts'
import { askForOwnTickets } from '../shared/stage/use-own-tickets.ts'
import { paid } from './early-order.ts'
import type { AppParts } from './providers.tsx'

/** Asks for how the newest draw of the order that the address names ended. */
export async function askForResult({ api, queryClient, clock }: AppParts): Promise<void> {
  const payment = await paid
  const begun = payment && newestBegun(payment.order.draws, clock.now())
  if (begun) await askForOwnTickets({ api, queryClient }, { gameKey: payment.game_key, number: begun.number })
}
