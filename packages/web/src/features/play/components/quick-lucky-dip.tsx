import { Card } from '@fairball/ui/card.tsx'
import { Stepper } from '@fairball/ui/stepper.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'

/** The number of lucky dips in the order: more adds random lines, fewer removes the last ones. */
export function QuickLuckyDip({ order }: { order: Order }) {
  const { dipCount, room, addDips, dispatch } = order
  const change = (count: number) =>
    count > dipCount ? addDips(count - dipCount) : dispatch({ type: 'remove-dips', count: dipCount - count })
  return (
    <Card
      title={ORDER_TEXTS.quickTitle}
      lead={ORDER_TEXTS.quickLead}
      actions={<Stepper label={ORDER_TEXTS.quickCount} value={dipCount} max={dipCount + room} onChange={change} />}
    />
  )
}
