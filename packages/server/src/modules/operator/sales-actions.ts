import type { Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import { noteEvent } from '../integrations/service.ts'
import { act, type OperatorContext } from './action.ts'
import * as queries from './sales-queries.ts'

/** The name of all games together. */
const ALL = 'all'
/** Longest public note, in characters: it stands where the way to play would be. */
const MAX_NOTE = 140

/**
 * Stops the sales of a game, or of all: no new orders are taken. Orders made before can be paid, and are played.
 *
 * @param name the key of a game or an alias of it, or 'all'
 * @param texts `note` is what pages show, `reason` is for the audit log
 * @throws Refused
 */
export function pauseSales(
  ctx: OperatorContext,
  name: string,
  texts: { readonly note: string; readonly reason: string },
): Promise<string> {
  return act(ctx, 'sales-pause', name, async (tx) => {
    const [gameKey, reason, note] = [await gameOf(tx, name), textOf('reason', texts.reason), textOf('note', texts.note)]
    if (note.length > MAX_NOTE) throw new Refused(`The note has ${note.length} characters; ${MAX_NOTE} are allowed.`)
    const now = ctx.runtime.clock.now()
    if ((await tx.execute(queries.beginPause, { gameKey, now, note, reason, actor: ctx.actor })) === 0)
      throw new Refused(`Sales of ${name} are paused already: sales-resume ends that first.`)
    const data = { game: gameKey, note }
    await noteEvent(ctx, tx, { type: 'sales.paused', subject: `${name}:${now}`, at: now, data })
    return `Sales of ${name} are paused; pages say: ${note} (${reason})`
  })
}

/** Ends the pause of a game, or the one of all games. One that names the game alone outlasts that of all. @throws Refused */
export function resumeSales(ctx: OperatorContext, name: string, why: string): Promise<string> {
  return act(ctx, 'sales-resume', name, async (tx) => {
    const [gameKey, reason] = [await gameOf(tx, name), textOf('reason', why)]
    const now = ctx.runtime.clock.now()
    if ((await tx.execute(queries.endPause, [gameKey, now])) === 0)
      throw new Refused(`Sales of ${name} are not paused.`)
    const event = { type: 'sales.resumed', subject: `${name}:${now}`, at: now, data: { game: gameKey } } as const
    await noteEvent(ctx, tx, event)
    const others = (await tx.run(queries.listPauses, [])).map((pause) => pause.name)
    const still = others.length === 0 ? '' : ` Still paused: ${others.join(', ')}.`
    return `The pause of ${name} has ended (${reason}).${still}`
  })
}

/** A fresh installation sells nothing before somebody has looked at everything and resumed sales. */
export async function pauseFirstRun(tx: Tx, now: number): Promise<void> {
  const pause = { gameKey: null, now, note: 'Sales open soon', reason: 'first run', actor: 'Fairball' }
  await tx.execute(queries.beginPause, pause)
}

async function gameOf(tx: Tx, name: string): Promise<string | null> {
  if (name === ALL) return null
  const game = await tx.maybeOne(queries.findGame, [name])
  if (game === null) throw new Refused(`There is no game ${name}.`)
  return game.key
}

function textOf(name: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || /\p{Cc}/u.test(trimmed)) throw new Refused(`--${name} is one line of text.`)
  return trimmed
}
