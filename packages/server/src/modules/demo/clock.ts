import type { Db } from '../../db/pool.ts'
import { nullable, sql, t } from '../../db/sql.ts'
import type { JobQueue } from '../../jobs/queue.ts'
import { coalesced } from '../../kernel/coalesced.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { DemoClock } from './service.ts'

/** Channel on which other processes of the demo hear of a jump. Anybody in the database may notify: the offset is read. */
const CLOCK_CHANNEL = 'clock'
const STATE_KEY = 'demo.clock-offset'

const readOffset = sql({
  name: 'demo.read-clock-offset',
  text: `select (select value from system_state where key = $1) as value`,
  params: [t.text],
  row: { value: nullable(t.text) },
})

/** Stores an offset and tells the other processes, in one trip: a jump of a month does so a thousand times. */
const writeOffset = sql({
  name: 'demo.write-clock-offset',
  text: `insert into system_state (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value
    returning pg_notify($3, value)`,
  params: [t.text, t.text, t.text],
})

/** Sets a process's clock ahead as the demo's was left; never back. */
export async function readDemoClock({ db, runtime }: { readonly db: Db; readonly runtime: Runtime }): Promise<void> {
  const { value } = await db.one(readOffset, [STATE_KEY])
  runtime.clock.setOffsetSeconds(Math.max(Number(value ?? '0'), runtime.clock.offsetSeconds()))
}

const readConsoleOffset = sql({
  name: 'demo.read-console-clock',
  text: 'select (select value from console_demo_clock) as value',
  row: { value: nullable(t.text) },
})

/**
 * Keeps the clock of the console's process with the demo's, which another process moves: its login may read the offset
 * and not write it.
 *
 * @returns a function that ends it
 */
export async function followDemoClock({ db, runtime }: { readonly db: Db; readonly runtime: Runtime }) {
  const catchUp = async (): Promise<void> => follow(runtime, (await db.one(readConsoleOffset, [])).value)
  const onJump = catchingUp(runtime, catchUp)
  const unlisten = await db.listen(CLOCK_CHANNEL, onJump, onJump)
  await catchUp()
  return unlisten
}

/**
 * The demo's clock: ahead of the computer's by an offset stored in the database. A jump passes through every moment at
 * which work is due, in order. Each piece of work sees its own time, except the checks of every minute (fairness.md
 * section 9).
 */
export async function createDemoClock(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly queue: Pick<JobQueue, 'runDue' | 'nextStopAt'>
}): Promise<DemoClock> {
  const { db, runtime, queue } = deps
  const { clock } = runtime
  const catchUp = async (): Promise<void> => follow(runtime, (await db.one(readOffset, [STATE_KEY])).value)
  const onJump = catchingUp(runtime, catchUp)
  await catchUp()
  await db.listen(CLOCK_CHANNEL, onJump, onJump)
  let lastMove: Promise<unknown> = Promise.resolve()

  async function setTo(at: number): Promise<void> {
    const ahead = at - clock.now()
    if (ahead <= 0) return
    const offset = clock.offsetSeconds() + ahead
    await db.execute(writeOffset, [STATE_KEY, String(offset), CLOCK_CHANNEL])
    clock.setOffsetSeconds(offset)
  }

  async function moveThrough(target: number): Promise<void> {
    for (;;) {
      await queue.runDue()
      const next = await queue.nextStopAt()
      if (next === null || next > target) break
      await setTo(next)
    }
    await setTo(target)
    await queue.runDue()
  }

  return {
    now: () => clock.now(),
    async moveTo(at) {
      // One jump after the other: a second caller's target is reached after the first one's.
      const move = lastMove.catch(() => undefined).then(() => moveThrough(at))
      lastMove = move
      await move
    },
  }
}

/** Applies the offset that a process has stored; never backwards. */
function follow({ clock }: Pick<Runtime, 'clock'>, stored: string | null): void {
  const offset = Number(stored ?? '0')
  if (Number.isSafeInteger(offset) && offset > clock.offsetSeconds()) clock.setOffsetSeconds(offset)
}

/** Reads the offset after each jump, and what was missed while the connection was away. */
function catchingUp({ log }: Pick<Runtime, 'log'>, catchUp: () => Promise<void>): () => void {
  return coalesced(catchUp, (error) => log.info({ err: error }, 'the clock of the demo was not read; the next jump is'))
}
