// The running product for benches, with access to its database and its clock.
import { join } from 'node:path'
import type pg from 'pg'
import { allViolations } from '@fairball/server/testing/lottery'
import { type AdjustableClock, systemRuntime } from '@fairball/server/testing/runtime'
import { type Client, createClient, type Product, startProduct } from '../../product.ts'
import { connectTo } from './baselines.ts'

/** A running product, and what measures it. */
export interface Stage {
  readonly product: Product
  readonly client: Client
  readonly db: pg.Client
  /** follows the product's clock */
  readonly clock: AdjustableClock
  /** Moves the product's clock through all due work until `to`. @returns the time that took, in ms */
  moveClock(to: number): Promise<number>
  /** Lists every broken invariant. */
  violations(): Promise<string[]>
}

/** Starts the product, runs `work`, and stops the product whatever happens. */
export async function onStage(
  work: (stage: Stage) => Promise<void>,
  options?: Parameters<typeof startProduct>[0],
): Promise<void> {
  const product = await startProduct(options)
  const client = createClient(product.port, 4)
  try {
    const db = await connectTo(product.dataDir)
    try {
      const { clock } = systemRuntime({ logLevel: 'fatal' })
      const stage = { product, client, db, clock }
      await work({
        ...stage,
        moveClock: (to) => moveClock(stage, to),
        violations: async () => {
          const { rows } = await db.query<{ invariant: string; what: string }>(allViolations.text)
          return rows.map(({ invariant, what }) => `${invariant}: ${what}`)
        },
      })
    } finally {
      await db.end()
    }
  } finally {
    client.close()
    await product.stop()
  }
}

async function moveClock({ client, db, clock }: Omit<Stage, 'moveClock' | 'violations'>, to: number): Promise<number> {
  const answer = await client.call({ method: 'POST', path: '/api/v1/dev/clock', body: { to } })
  if (answer.status !== 200) throw new Error(`moving the clock answered ${answer.status}: ${answer.text}`)
  const { rows } = await db.query<{ value: string }>(`select value from system_state where key = 'demo.clock-offset'`)
  clock.setOffsetSeconds(Number(rows[0]?.value ?? 0))
  return answer.ms
}

/** The file with a demo's secret key. */
export function secretKeyFile({ dataDir }: Product): string {
  return join(dataDir, 'secret.key')
}

/** An open draw. */
export interface Draw {
  readonly id: string
  readonly game_key: string
  readonly number: number
  /** the hash that identifies it */
  readonly open_hash: string
  readonly weekday: number
  readonly start_at: number
  readonly closes_at: number
  readonly end_at: number
}

/** The first draw that stays open long enough to be filled, of one game or of any. */
export async function findDraw(
  { db, clock }: Pick<Stage, 'db' | 'clock'>,
  with_: { readonly secondsOpen: number; readonly gameKey?: string },
): Promise<Draw> {
  const { rows } = await db.query<Draw>(
    `select id, game_key, number, open_hash, weekday, start_at::float8 as start_at, closes_at::float8 as closes_at, end_at::float8 as end_at
     from draws where status = 'open' and closes_at > $1 and ($2::text is null or game_key = $2) order by closes_at limit 1`,
    [clock.now() + with_.secondsOpen, with_.gameKey ?? null],
  )
  const [draw] = rows
  if (draw === undefined) throw new Error('no draw is open long enough')
  return draw
}

/** Two draws of a game that stay open during the whole bench. */
export async function nextDraws(stage: Stage, gameKey: string): Promise<Draw[]> {
  const first = await findDraw(stage, { secondsOpen: 3600, gameKey })
  const untilClosed = first.closes_at - stage.clock.now()
  return [first, await findDraw(stage, { secondsOpen: untilClosed, gameKey })]
}
