import { parseNote } from '@fairball/domain/fairness/signed-note'
import { parseStatement, statementHash } from '@fairball/domain/fairness/statements'
import type { Game } from '../shared/data/games.ts'
import type { FairnessMemory, SeenClose } from './memory.ts'
import { closesOf } from './memory.ts'
import type { SealResult } from './seal-check.ts'

/** How long to wait after the first tries that found no close, in ms; the last one counts for all further tries. */
export const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const
/** The name of the lock that tabs take, so that one of them checks and the others find its result. */
const LOCK = 'fairball.seal'

/** The draw a game is at. */
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
  readonly memory: FairnessMemory
  /** The player's number of lines in a game's current draw. */
  readonly linesIn: (game: WatchedGame) => Promise<number>
  /** The signed notes about a draw so far. */
  readonly notesOf: (game: string, draw: number) => Promise<readonly string[]>
  /** Fetches and verifies the draw so far, with the player's receipts. */
  readonly check: (game: string, draw: number) => Promise<SealResult>
  /** Runs a task while no other tab runs one of this name. */
  readonly exclusively: (name: string, task: () => Promise<void>) => Promise<void>
}

/** Progress of watching a draw. */
interface Progress {
  isBusy: boolean
  isDone: boolean
  tries: number
  notBeforeMs: number
}

/**
 * Ensures that each close of the player's draws is fetched as soon as it is due, remembered, and checked before the
 * draw (fairness sections 7 and 10). Draws are checked one after another at ticks of the clock; failures are retried
 * until the draw starts.
 */
export class SealWatch {
  readonly #parts: SealWatchParts
  readonly #draws = new Map<string, Progress>()

  constructor(parts: SealWatchParts) {
    this.#parts = parts
  }

  /** Checks everything that is due. @returns once that is done, for tests; a page does not wait for it */
  async tick(games: readonly WatchedGame[]): Promise<void> {
    const { now, nowMs } = this.#parts
    const due = games.filter(({ next_draw: draw }) => draw.ticket_sell_closes_at <= now() && now() < draw.start_at)
    await Promise.all(
      due.map(async (game) => {
        const progress = this.#progressOf(game)
        if (progress.isBusy || progress.isDone || nowMs() < progress.notBeforeMs) return
        progress.isBusy = true
        try {
          progress.isDone = await this.#look(game)
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
    const progress: Progress = { isBusy: false, isDone: false, tries: 0, notBeforeMs: 0 }
    this.#draws.set(name, progress)
    return progress
  }

  /** @returns whether there is nothing more to do about this draw */
  async #look(game: WatchedGame): Promise<boolean> {
    const { exclusively, linesIn, notesOf } = this.#parts
    const lines = await linesIn(game)
    if (lines === 0) return true
    let isDone = false
    await exclusively(LOCK, async () => {
      const close = closeIn(await notesOf(game.key, game.next_draw.number))
      if (close !== null) isDone = await this.#checkClose(game, { ...close, lines })
    })
    return isDone
  }

  async #checkClose(
    { key, next_draw: draw }: WatchedGame,
    close: Pick<SeenClose, 'hash' | 'note' | 'sealedAt' | 'lines'>,
  ): Promise<boolean> {
    const { check, memory, player, sightAt } = this.#parts
    const place = { game: key, draw: draw.number, player }
    const known = closesOf(memory.read(), place).find(({ hash }) => hash === close.hash)
    if (known !== undefined && known.outcome !== 'waiting') return true // another tab was first
    const seen: SeenClose = {
      ...place,
      ...close,
      seenAt: sightAt(),
      startAt: draw.start_at,
      outcome: 'waiting',
      problem: null,
      evidence: null,
    }
    // The sight comes first: it counts even if the page is closed before the check is over.
    memory.rememberClose(seen)
    memory.rememberClose({ ...seen, ...(await check(key, draw.number)) })
    return true
  }
}

/** The last close statement among the notes of a draw; null before there is one. Nothing is verified here. */
function closeIn(notes: readonly string[]): Pick<SeenClose, 'hash' | 'note' | 'sealedAt'> | null {
  for (const note of notes.toReversed()) {
    const text = parseNote(note)?.text
    if (text === undefined || !text.startsWith('fairball/close/v1\n')) continue
    const statement = parseStatement(text)
    if (statement.type === 'close') return { hash: statementHash(text), note, sealedAt: statement.time }
  }
  return null
}
