import { timeLabel } from '@fairball/domain/draw-time-label'
import { closingWindowMinutes, dayChoices } from '@fairball/domain/play-days'
import { useMinuteNow } from '../../../shared/use-clock.ts'
import { useOpenDraw } from '../../../shared/data/games.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Card } from '@fairball/ui/card.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { PLAY_TEXTS } from '../messages.ts'
import { ticketPriceOf } from '../money-of-game.ts'
import { useDrawTime, useUtcOffset } from '../../../shared/player-view.ts'

const DAYS_A_WEEK = 7

/** The rules of a game in a few lines, in the player's time; the price in the game's currency and in the player's. */
export function AboutGame({ game }: { game: Game }) {
  const { currencyCode } = useSession()
  const { n: pick, N: pool } = game.sets[0] ?? { n: 0, N: 0 }
  const { next_draw: draw, advanced_ticket_purchase: purchase } = game
  const { full: when } = useDrawTime(useOpenDraw(game).draw.start_at)
  const draws = useDrawTimes(game)
  const price = ticketPriceOf(game, currencyCode)
  const own = ticketPriceOf(game, game.currency)
  const [ownText, priceText] = [own.write(own.minor), price.write(price.minor)]
  const minutes = closingWindowMinutes({ closesAt: draw.ticket_sell_closes_at, startAt: draw.start_at })
  return (
    <Card title={PLAY_TEXTS.about}>
      <DefinitionList
        ruled
        items={[
          { term: PLAY_TEXTS.aboutNumbers, value: PLAY_TEXTS.aboutNumbersValue(pick, pool) },
          {
            term: PLAY_TEXTS.aboutPrice,
            value: ownText === priceText ? priceText : PLAY_TEXTS.aboutPriceNow(ownText, priceText),
          },
          { term: PLAY_TEXTS.aboutDraws, value: draws },
          { term: PLAY_TEXTS.aboutNext, value: when },
          { term: PLAY_TEXTS.aboutCloses, value: PLAY_TEXTS.aboutClosesValue(minutes) },
          { term: PLAY_TEXTS.aboutWeeks, value: PLAY_TEXTS.aboutWeeksValue(purchase.max_weeks_ahead) },
        ]}
      />
    </Card>
  )
}

/** @returns the days and times of a game's draws in the player's time zone: "Wednesday, Saturday at 8:00 PM" */
function useDrawTimes(game: Game): string {
  const { days } = game.advanced_ticket_purchase
  const nowAt = useMinuteNow()
  const utcOffsetAt = useUtcOffset()
  const names = dayChoices(days, { nowAt, utcOffsetAt }).map((choice) => choice.label)
  const time = timeLabel(days[0]?.time_delta_midnight_utc ?? 0, utcOffsetAt(game.next_draw.start_at))
  return PLAY_TEXTS.aboutDrawsValue(names.length === DAYS_A_WEEK ? PLAY_TEXTS.aboutEveryDay : names.join(', '), time)
}
