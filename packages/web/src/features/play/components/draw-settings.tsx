import { closingWindowMinutes, isInClosingWindow } from '@fairball/domain/play-days'
import { useClockValue } from '../../../app/clock.ts'
import type { Game } from '../../../app/data/games.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Card } from '../../../ui/card.tsx'
import { CheckboxChips, RadioChips } from '../../../ui/chips.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import styles from './draw-settings.module.css'

/** The days on which the lines play, and for how many weeks. */
export function DrawSettings({ game, order }: { game: Game; order: Order }) {
  return (
    <Card id="game-settings-block">
      <div className={styles['settings']}>
        <CheckboxChips
          legend={ORDER_TEXTS.days}
          options={order.dayChoices.map(({ index, label, enabled }) => ({ value: index, label, disabled: !enabled }))}
          chosen={order.days}
          onChange={(days) => order.dispatch({ type: 'days', days })}
          note={order.havePassed ? ORDER_TEXTS.daysPassed : undefined}
        />
        <RadioChips
          legend={ORDER_TEXTS.weeks}
          options={order.weekChoices.map((week) => ({ value: week, label: String(week) }))}
          chosen={order.order.weeks}
          onChange={(weeks) => order.dispatch({ type: 'weeks', weeks })}
          note={ORDER_TEXTS.weeksNote}
        />
      </div>
      <ClosingWindow game={game} />
    </Card>
  )
}

/** Between the close of sales and the start: what is bought now counts for the draw after. */
function ClosingWindow({ game }: { game: Game }) {
  const times = { closesAt: game.next_draw.ticket_sell_closes_at, startAt: game.next_draw.start_at }
  const isClosing = useClockValue((now) => isInClosingWindow(times, now))
  return isClosing ? <Banner kind="info">{ORDER_TEXTS.closingWindow(closingWindowMinutes(times))}</Banner> : null
}
