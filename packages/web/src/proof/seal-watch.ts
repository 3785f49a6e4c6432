import { textHash } from '@fairball/domain/protocol/hash'
import { readServedSeal } from '@fairball/domain/protocol/bundle'
import { isStatementError, readLogStatement } from '@fairball/domain/protocol/statements'
import type { Game } from '../shared/data/games.ts'
import type { KeptSeal } from './kept-records.ts'
import type { KeptStore } from './kept-store.ts'
import { rememberSeal } from './memory.ts'
import type { SealResult } from './seal-check.ts'

/** Delays after the first tries without a close, in ms; the last one applies to all further tries. */
export const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const
/**
 * Maximum number of checks of a seal that could not be checked completely; they take longer than a head may be cached.
 */
const MAX_CHECKS = RETRY_MS.length
/** The name of the lock between tabs, so that one of them checks and the others find its result. */
const LOCK = 'fairball.seal'

/** The current draw of a game. */
type WatchedGame = Pick<Game, 'key' | 'next_draw'>

/** Dependencies of watching. */
export interface SealWatchParts {
  /** The system's time in epoch seconds: it decides what is due. */
  readonly now: () => number
  /** The time for new sights, epoch seconds. */
  readonly sightAt: () => number
  /** Milliseconds of this device, for the pauses between tries. */
  readonly nowMs: () => number
  readonly player: string
  readonly store: KeptStore
  /** The player's number of lines in a game's current draw. */
  readonly linesIn: (game: WatchedGame) => Promise<number>
  /** The seal of a draw's newest close, as it is served; null before there is one. */
  readonly sealOf: (game: string, draw: number) => Promise<ServedSeal | null>
  /** Fetches and checks the published part of the draw, with the player's papers. */
  readonly check: (game: string, draw: number) => Promise<SealResult>
  /** Runs a task while no other tab runs one of this name. */
  readonly exclusively: (name: string, task: () => Promise<void>) => Promise<void>
}

/** A seal as the operator serves it. */
interface ServedSeal {
  /** Hashes of the draw's `open` and of the close. */
  readonly open: string
  readonly close: string
  readonly text: string
}

/** The progress of watching a draw. */
interface Progress {
  isBusy: boolean
  isDone: boolean
  tries: number
  /** Number of checks of the seal. */
  checks: number
  notBeforeMs: number
}

/**
 * Fetches the seal of each draw that the player is in as soon as it is due, keeps it, and checks it before the draw
 * (docs/fairness.md, section 10). The work is done at ticks of the clock; failures are retried until the draw starts.
 */
export class SealWatch {
  readonly #parts: SealWatchParts
  readonly #draws = new Map<string, Progress>()

  constructor(parts: SealWatchParts) {
    this.#parts = parts
  }

  /** Checks everything that is due. Resolves once that is done, for tests; a page does not wait for it. */
  async tick(games: readonly WatchedGame[]): Promise<void> {
    const { now, nowMs } = this.#parts
    const due = games.filter(({ next_draw: draw }) => draw.ticket_sell_closes_at <= now() && now() < draw.start_at)
    await Promise.all(
      due.map(async (game) => {
        const progress = this.#progressOf(game)
        if (progress.isBusy || progress.isDone || nowMs() < progress.notBeforeMs) return
        progress.isBusy = true
        try {
          progress.isDone = await this.#look(game, progress)
        } catch {
          progress.isDone = false // the server did not answer, or the check could not run: it is retried
        } finally {
          progress.isBusy = false
          progress.notBeforeMs = nowMs() + (RETRY_MS[progress.tries] ?? RETRY_MS.at(-1) ?? 0)
          progress.tries += 1
        }
      }),
    )
  }

  /** A delayed draw closes once more: that close needs a check of its own. */
  #progressOf({ key, next_draw: draw }: WatchedGame): Progress {
    const name = `${key} ${draw.number} ${draw.start_at}`
    const known = this.#draws.get(name)
    if (known !== undefined) return known
    const progress: Progress = { isBusy: false, isDone: false, tries: 0, checks: 0, notBeforeMs: 0 }
    this.#draws.set(name, progress)
    return progress
  }

  /** @returns whether there is nothing more to do about this draw */
  async #look(game: WatchedGame, progress: Progress): Promise<boolean> {
    const { exclusively, linesIn, sealOf } = this.#parts
    const lines = await linesIn(game)
    if (lines === 0) return true
    let isDone = false
    await exclusively(LOCK, async () => {
      const served = await sealOf(game.key, game.next_draw.number)
      if (served !== null) isDone = await this.#checkSeal(game, served, lines, progress)
    })
    return isDone
  }

  /** @returns whether there is nothing more to check */
  async #checkSeal(
    { key, next_draw: draw }: WatchedGame,
    served: ServedSeal,
    lines: number,
    progress: Progress,
  ): Promise<boolean> {
    const { check, store, player, sightAt } = this.#parts
    const closedAt = closedAtIn(served)
    if (closedAt === null) return false
    const id = `${served.close} ${player}`
    const known = await store.get('seals', id)
    if (known !== null && isFinal(known)) return true // another tab was first
    const seen: KeptSeal = {
      id,
      close: served.close,
      open: served.open,
      game: key,
      draw: draw.number,
      seal: served.text,
      seenAt: sightAt(),
      closedAt,
      startAt: draw.start_at,
      player,
      lines,
      outcome: 'waiting',
      problem: null,
      evidence: null,
    }
    // The sight comes first: it counts even if the page is closed before the check is over.
    await rememberSeal(store, seen)
    const result = await check(key, draw.number)
    await rememberSeal(store, { ...seen, ...result })
    progress.checks += 1
    return isFinal(result) || progress.checks >= MAX_CHECKS
  }
}

function isFinal({ outcome }: Pick<KeptSeal, 'outcome'>): boolean {
  return outcome === 'sealed' || outcome === 'broken'
}

/** The time when the close of a seal was logged; null if the seal does not contain the close, and so proves nothing. */
function closedAtIn({ close, text }: ServedSeal): number | null {
  for (const statementText of readServedSeal(text).statements) {
    if (textHash(statementText) !== close) continue
    try {
      return readLogStatement(statementText).time
    } catch (error) {
      if (!isStatementError(error)) throw error
    }
  }
  return null
}
