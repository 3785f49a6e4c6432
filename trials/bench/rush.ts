// L5: a rush in the last minute. In a draw with a million entries, orders arrive in the last sixty seconds of sales at
// twenty times the mean rate of a million entries. Each is paid immediately, some after the draw has closed. Every
// order must be in the right draw, and the close must be on time.
// Run: node trials/bench/rush.ts [--entries=1000000] [--rate=N]
import { setTimeout as sleep } from 'node:timers/promises'
import { inMs, judged, report, whole } from './load/figures.ts'
import { fillDraw } from './load/fill.ts'
import { countOf, wholeFlag } from './load/flags.ts'
import { pacedLoop, type RawAnswer } from './load/http-load.ts'
import { payOrders, standingOf } from './load/payments.ts'
import { inTurn, orderBytes, seedPlayers, signIn } from './load/players.ts'
import { mostMemoryMiB } from './load/process.ts'
import { type Draw, findDraw, onStage, type Stage } from './load/stage.ts'

const GOAL_ENTRIES = 1_000_000
const ENTRIES = countOf('entries', GOAL_ENTRIES)
const GAME = 'bitcoin-hero'
const RUSH_SECONDS = 60
/** The rush continues for this time after the close, in seconds. */
const AFTER_SECONDS = 10
const LINES = 3
const DAY_SECONDS = 86_400
/** Mean orders a second for this many entries; the game is drawn every day. */
const MEAN_RATE = ENTRIES / LINES / DAY_SECONDS
const RUSH_FACTOR = 20
const RATE = wholeFlag('rate', Math.max(1, Math.ceil(MEAN_RATE * RUSH_FACTOR)))
const LINES_A_PLAY = 100
/** Orders per player, within the limit of unpaid orders. */
const ORDERS_A_PLAYER = 20
/** Entries per player in the draw, within the limit together with those of the rush. */
const ENTRIES_A_PLAYER = 500
const CONNECTIONS = 32
const CLOSE_SECONDS = 60
const LIMIT_MIB = 512
const PAY_MS = 200
/** Time before the rush by which tokens must be signed and the clock moved, in seconds. */
const LEAD_SECONDS = 5
const LOOK_MS = 50

await onStage(async (stage) => {
  const { product, db, clock } = stage
  const rushing = Math.ceil((RATE * (RUSH_SECONDS + AFTER_SECONDS)) / ORDERS_A_PLAYER)
  const owners = await seedPlayers(stage, Math.max(100, rushing, Math.ceil(ENTRIES / ENTRIES_A_PLAYER)))
  const draw = await findDraw(stage, { secondsOpen: 7200, gameKey: GAME })
  const playerIds = owners.map(({ id }) => id)
  await fillDraw(db, { draw, entries: ENTRIES, linesAPlay: LINES_A_PLAY, playerIds, at: clock.now() })
  await stage.moveClock(draw.closes_at - RUSH_SECONDS - LEAD_SECONDS)
  const nextPlayer = inTurn(await signIn(stage, owners))
  await until(stage, draw.closes_at - RUSH_SECONDS)

  const unpaid: string[] = []
  let isOver = false
  const paying = (async () => {
    while (!isOver || unpaid.length > 0) {
      await payOrders(db, unpaid.splice(0), clock.now())
      await sleep(PAY_MS)
    }
  })()
  const closing = closeOf(stage, draw)
  const result = await pacedLoop({
    port: product.port,
    connections: CONNECTIONS,
    seconds: RUSH_SECONDS + AFTER_SECONDS,
    perSecond: RATE,
    isGood: (status) => status === 201,
    next: () => orderBytes(nextPlayer(), { gameKey: GAME, days: [draw.weekday], lines: LINES }),
    onAnswer: (answer) => unpaid.push(idIn(answer)),
  })
  isOver = true
  await paying
  const closedMs = await closing
  await drained(stage, result.answers)
  const mostMiB = await mostMemoryMiB(product.pid)

  const { inDraw, moved, wrong } = await placesOf(stage, draw)
  const problems = await stage.violations()
  if (result.errors.size > 0) problems.push(result.firstError)
  for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
  report([
    {
      id: 'L5',
      what: `rush of ${RATE}/s, ${RUSH_FACTOR} × the mean, over the close`,
      figure: `${whole(inDraw)} orders in the draw, ${whole(moved)} in the next, ${whole(wrong)} in a wrong one; p99 ${inMs(result.latencies.quantile(0.99))}`,
      goal: 'every order in the right draw, 0 errors',
      isMet: wrong === 0 && problems.length === 0 && inDraw + moved === result.answers,
    },
    {
      id: 'L5',
      what: `close statement with ${whole(ENTRIES)} entries and the rush`,
      figure: `${(closedMs / 1000).toFixed(1)} s after the close`,
      goal: `≤ ${CLOSE_SECONDS} s`,
      isMet: judged(closedMs <= CLOSE_SECONDS * 1000, ENTRIES, GOAL_ENTRIES),
    },
    {
      id: 'L5',
      what: 'memory of the one process that sells, confirms and closes',
      figure: `${mostMiB.toFixed(0)} MiB at most`,
      goal: `≤ ${LIMIT_MIB} MiB`,
      isMet: judged(mostMiB <= LIMIT_MIB, ENTRIES, GOAL_ENTRIES),
    },
  ])
})

function idIn({ body }: RawAnswer): string {
  return (JSON.parse(body.toString()) as { transaction_id: string }).transaction_id // by contract
}

async function until({ clock }: Stage, at: number): Promise<void> {
  while (clock.nowMs() < at * 1000) await sleep(LOOK_MS)
}

/** Waits for the close statement. @returns the time from the end of sales to the statement, in ms */
async function closeOf({ db, clock }: Stage, draw: Draw): Promise<number> {
  for (;;) {
    const { rows } = await db.query<{ status: string }>('select status from draws where id = $1', [draw.id])
    if (rows[0]?.status === 'closed') return clock.nowMs() - draw.closes_at * 1000
    if (rows[0]?.status !== 'open') throw new Error(`the draw is ${rows[0]?.status}`)
    await sleep(LOOK_MS)
  }
}

async function drained({ db, clock }: Stage, orders: number): Promise<void> {
  const filled = ENTRIES / LINES_A_PLAY
  for (let tries = 0; ; tries += 1) {
    const { paid, due } = await standingOf(db, clock.now())
    if (paid === filled + orders && due === 0) return
    if (tries > 3000) throw new Error(`${paid - filled} of ${orders} orders are PAID, and ${due} jobs are due`)
    await sleep(LOOK_MS)
  }
}

/**
 * Counts where the orders of the rush are. An order paid before the close belongs in the draw it named, otherwise in a
 * later one.
 */
async function placesOf({ db }: Stage, draw: Draw): Promise<{ inDraw: number; moved: number; wrong: number }> {
  const { rows } = await db.query<{ in_draw: number; moved: number; wrong: number; entries: number; lines: number }>(
    `with rushed as (
       select o.draw_ids[1] as named, p.draw_id, p.moved_from_draw_id, p.receipt_at, d.closes_at, n.closes_at as named_closes_at
       from orders o left join plays p on p.order_id = o.id left join draws d on d.id = p.draw_id
       join draws n on n.id = o.draw_ids[1] where o.line_count = $2
     )
     select count(*) filter (where draw_id = $1)::int as in_draw, count(*) filter (where draw_id <> $1)::int as moved,
       count(*) filter (where draw_id is null or receipt_at >= closes_at
         or (draw_id <> named) is distinct from (moved_from_draw_id is not null)
         or (moved_from_draw_id is not null and receipt_at < named_closes_at))::int as wrong,
       (select entries from draws where id = $1) as entries,
       (select sum(line_count)::int from plays where draw_id = $1) as lines
     from rushed`,
    [draw.id, LINES],
  )
  const [found] = rows
  if (found === undefined) throw new Error('the database returned nothing')
  if (found.entries !== found.lines) throw new Error(`${found.entries} entries were sealed of ${found.lines} lines`)
  return { inDraw: found.in_draw, moved: found.moved, wrong: found.wrong }
}
