import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DiceIcon } from '../../../ui/icons.tsx'
import { Stepper } from '../../../ui/stepper.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import styles from './quick-lucky-dip.module.css'

/** Initial number of lines. */
const FIRST_OFFER = 3

/** Adds random lines, several at once. */
export function QuickLuckyDip({ order }: { order: Order }) {
  const [wanted, setWanted] = useState(FIRST_OFFER)
  const count = Math.min(wanted, order.room)
  return (
    <Card
      title={ORDER_TEXTS.quickTitle}
      lead={ORDER_TEXTS.quickLead}
      actions={
        <div className={styles['controls']}>
          <Stepper label={ORDER_TEXTS.quickCount} value={count} max={order.room} onChange={setWanted} />
          <Button
            variant="secondary"
            icon={<DiceIcon size={20} />}
            disabled={count === 0}
            onClick={() => order.addDips(count)}
          >
            {ORDER_TEXTS.quickAdd(count)}
          </Button>
        </div>
      }
    />
  )
}
