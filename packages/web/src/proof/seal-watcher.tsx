import { useEffect, useEffectEvent } from 'react'
import { useApi } from '../shared/api.ts'
import { useClock } from '../shared/clock.ts'
import { useGames } from '../shared/data/games.ts'
import { runtime } from '../shared/runtime.ts'
import { collectDraw } from './collect.ts'
import { browserLogStore, keepLog } from './log-store.ts'
import { fairnessMemory } from './memory.ts'
import { playsOfDraw } from './own-plays.ts'
import { rememberProof, sealResult } from './seal-check.ts'
import { SealWatch } from './seal-watch.ts'
import { sightTime } from './sight-time.ts'
import { proveInWorker } from './verifier.ts'

/** Delay before the first check after a page opened, in ms: the page itself comes first. */
const AFTER_OPENING_MS = 1_500

/**
 * Watches the sealing of each of a signed-in player's draws. Shows nothing: its results are remembered, and shown
 * elsewhere.
 */
export function SealWatcher({ player }: { player: string }) {
  const api = useApi()
  const clock = useClock()
  const games = useGames().data
  const look = useEffectEvent((watch: SealWatch) => {
    if (games !== undefined) void watch.tick(games)
  })

  useEffect(() => {
    const memory = fairnessMemory()
    const sightAt = () => sightTime(clock, runtime)
    const watch = new SealWatch({
      now: clock.now,
      nowMs: runtime.nowMs,
      sightAt,
      player,
      memory,
      exclusively: async (name, task) => {
        const { locks } = navigator as { locks?: LockManager | null }
        await (locks == null ? task() : locks.request(name, task))
      },
      linesIn: async ({ key, next_draw: draw }) => {
        const played = { game: key, number: draw.number, startAt: draw.start_at, isDrawn: false }
        const plays = await playsOfDraw(api, played)
        return plays.reduce((sum, play) => sum + play.tickets.length, 0)
      },
      notesOf: async (game, number) => (await api.call('getFairnessRecord', { params: { game, number } })).notes,
      check: async (game, draw) => {
        const seen = memory.read()
        const parts = { api, fetch: runtime.fetch, logStore: browserLogStore }
        const collected = await collectDraw(parts, { game, draw, username: player, seen, withEntries: false })
        const { bundle, headNow } = collected
        const task = { bundle, seen, headNow, nowAt: sightAt(), isSaved: false }
        const { proof } = await proveInWorker(task, () => undefined)
        if (rememberProof(memory, proof, sightAt())) await keepLog(browserLogStore, bundle.log)
        return sealResult(proof, collected)
      },
    })
    let stopTicks: (() => void) | null = null
    const stopWaiting = runtime.after(AFTER_OPENING_MS, () => {
      stopTicks = clock.subscribe(() => look(watch))
    })
    return () => {
      stopWaiting()
      stopTicks?.()
    }
  }, [api, clock, player])

  return null
}
