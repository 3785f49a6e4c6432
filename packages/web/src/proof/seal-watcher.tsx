import { useEffect, useEffectEvent } from 'react'
import { useApi } from '../shared/api.ts'
import { useClock } from '../shared/use-clock.ts'
import { useGames } from '../shared/data/games.ts'
import { ticketsOfDraw } from '../shared/data/tickets.ts'
import { runtime } from '../shared/runtime.ts'
import { proveDraw } from './draw-proof.ts'
import { logFiles } from './files.ts'
import { keptStore } from './kept-store.ts'
import { keptLinesIn } from './own-papers.ts'
import { sealResult } from './seal-check.ts'
import { SealWatch } from './seal-watch.ts'
import { sightTime } from './sight-time.ts'

/**
 * Watches, for a signed-in player, the seal of each draw they are in. Shows nothing: results are kept, and other parts
 * show them.
 */
export function SealWatcher({ player }: { player: string }) {
  const api = useApi()
  const clock = useClock()
  const games = useGames().data
  const look = useEffectEvent((watch: SealWatch) => {
    if (games !== undefined) void watch.tick(games)
  })

  useEffect(() => {
    const store = keptStore()
    const get = logFiles(runtime)
    const sightAt = () => sightTime(clock, runtime)
    const watch = new SealWatch({
      now: clock.now,
      nowMs: runtime.nowMs,
      sightAt,
      player,
      store,
      exclusively: async (name, task) => {
        const { locks } = navigator as { locks?: LockManager | null }
        await (locks == null ? task() : locks.request(name, task))
      },
      linesIn: async ({ key, next_draw: draw }) => {
        const tickets = await ticketsOfDraw(api, { gameKey: key, number: draw.number })
        const lines = tickets.reduce((sum, ticket) => sum + ticket.lines.length, 0)
        // Plays that are no longer listed may still be promised.
        return lines > 0
          ? lines
          : await keptLinesIn({ api, store, player, sightAt: sightAt() }, { game: key, draw: draw.number })
      },
      sealOf: async (game, number) => {
        const { open, seal } = await api.call('getFairnessDraw', { params: { game, number }, isPublic: true })
        const file = seal === null ? null : await get(`seal/${seal}`)
        return seal === null || file === null ? null : { open, close: seal, text: new TextDecoder().decode(file) }
      },
      check: async (game, draw) =>
        sealResult(await proveDraw({ api, runtime, store, sightAt }, { game, draw, player })),
    })
    return clock.subscribe(() => look(watch))
  }, [api, clock, player])

  return null
}
