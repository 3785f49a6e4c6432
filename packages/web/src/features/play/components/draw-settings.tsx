import { useEffect } from 'react'
import { closingWindowMinutes, isInClosingWindow } from '@fairball/domain/play-days'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { CheckboxChips, RadioChips } from '@fairball/ui/chips.tsx'
import { SETTINGS_ANCHOR } from '../messages.ts'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import styles from './draw-settings.module.css'

/** The days on which the lines play, and for how many weeks. */
export function DrawSettings({ game, order }: { game: Game; order: Order }) {
  useArrival()
  const { shortDate } = usePlayerView()
  const { movedDay } = order
  const moved = order.dayChoices.find(({ index }) => index === movedDay?.day)
  const movedNote =
    moved === undefined || movedDay === null
      ? undefined
      : ORDER_TEXTS.dayCountsFor(moved.label, shortDate(movedDay.startAt))
  return (
    <Card id={SETTINGS_ANCHOR}>
      <div className={styles['settings']}>
        <CheckboxChips
          legend={ORDER_TEXTS.days}
          options={order.dayChoices.map(({ index, label, startAt, enabled }) => {
            const isMoved = index === movedDay?.day
            const [weekday = '', date = ''] = shortDate(isMoved ? movedDay.startAt : startAt).split(', ')
            return {
              value: index,
              label: (isMoved ? movedNote : undefined) ?? ORDER_TEXTS.dayName(label, date),
              content: (
                <span className={styles['day']}>
                  <span>{isMoved ? label.slice(0, weekday.length) : weekday}</span>{' '}
                  <span>{date.split(' ').at(-1)}</span>
                </span>
              ),
              disabled: !enabled,
            }
          })}
          layout={styles['days']}
          chosen={order.days}
          onChange={(days) => order.dispatch({ type: 'days', days })}
          note={
            movedNote || order.havePassed ? <DaysNote moved={movedNote} havePassed={order.havePassed} /> : undefined
          }
        />
        <RadioChips
          legend={ORDER_TEXTS.weeks}
          options={order.weekChoices.map((week) => ({ value: week, label: String(week) }))}
          chosen={order.weeks}
          onChange={(weeks) => order.dispatch({ type: 'weeks', weeks })}
          note={ORDER_TEXTS.weeksNote}
        />
      </div>
      <ClosingWindow game={game} />
    </Card>
  )
}

/** Why some days cannot be chosen, and which draw a closed one counts for. */
function DaysNote({ moved, havePassed }: { moved: string | undefined; havePassed: boolean }) {
  return (
    <>
      {moved !== undefined && `${moved}. `}
      {havePassed && ORDER_TEXTS.daysPassed}
    </>
  )
}

/**
 * Scrolls to the settings when the address names them: they exist only once the session is known, long after the
 * browser has looked for them.
 */
function useArrival(): void {
  useEffect(() => {
    if (window.location.hash === `#${SETTINGS_ANCHOR}`) document.getElementById(SETTINGS_ANCHOR)?.scrollIntoView()
  }, [])
}

/** Between the close of sales and the start: a purchase now counts for the next draw. */
function ClosingWindow({ game }: { game: Game }) {
  const times = { closesAt: game.next_draw.ticket_sell_closes_at, startAt: game.next_draw.start_at }
  const isClosing = useClockValue((now) => isInClosingWindow(times, now))
  return isClosing ? <Banner kind="info">{ORDER_TEXTS.closingWindow(closingWindowMinutes(times))}</Banner> : null
}
