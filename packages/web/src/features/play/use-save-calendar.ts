import type { PaidFor } from '@fairball/contract/schemas/order'
import { calendarFile } from '@fairball/domain/calendar-file'
import { useClock } from '../../shared/use-clock.ts'
import { useConfig } from '../../shared/config.ts'
import type { Game } from '../../shared/data/games.ts'
import { paths } from '../../shared/paths.ts'
import { saveFile } from '@fairball/ui/save-file.ts'

/** @returns a function that saves the draws of an order that have not begun as a calendar file, made in this browser */
export function useSaveCalendar() {
  const clock = useClock()
  const { publicUrl, siteName } = useConfig()
  return (game: Game, order: PaidFor) => {
    const madeAt = Math.floor(clock.now())
    const coming = order.draws.filter((draw) => madeAt < draw.start_at)
    const draws = coming.map(({ number, start_at: startAt }) => ({
      gameKey: game.key,
      gameName: game.name,
      number,
      startAt,
      lines: order.lines.length,
      watchUrl: publicUrl + paths.watch(game.key),
    }))
    const content = calendarFile(draws, { host: new URL(publicUrl).host, siteName, madeAt })
    saveFile({ name: `${game.key}-draws.ics`, type: 'text/calendar', content })
  }
}
