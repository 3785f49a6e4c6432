// The comparison for the product: a bare Fastify with the same driver and pool on the same PostgreSQL. Started by
// baselines.ts, which passes the database's folder and ends it by closing the IPC channel.
import { randomInt } from 'node:crypto'
import fastify from 'fastify'
import { createDatabase, sql, t } from '@fairball/server/testing/database'
import { systemRuntime } from '@fairball/server/testing/runtime'
import { BASELINE_DATABASE, ROWS } from './baselines.ts'

const findRow = sql({
  name: 'bench.find-row',
  text: 'select id, value from bench_rows where id = $1',
  params: [t.int],
  row: { id: t.int, value: t.int },
})
const raiseRow = sql({
  name: 'bench.raise-row',
  text: 'update bench_rows set value = value + 1 where id = $1',
  params: [t.int],
})
const insertEvent = sql({
  name: 'bench.insert-event',
  text: 'insert into bench_events (row_id, words) values ($1, $2)',
  params: [t.int, t.text],
})

const host = process.argv[2]
if (host === undefined) throw new Error('the folder of the database is missing')
const runtime = systemRuntime({ logLevel: 'fatal' })
const db = createDatabase({ address: { host, port: 5432, user: 'fairball', database: BASELINE_DATABASE }, runtime })
const app = fastify()
const anyRow = (): number => randomInt(1, ROWS + 1)

app.get('/bare', () => ({ ok: true }))
app.get('/row', async () => await db.one(findRow, [anyRow()]))
app.post('/transaction', async () => {
  await db.transaction(async (tx) => {
    const id = anyRow()
    await tx.execute(insertEvent, [id, 'two statements and one commit'])
    await tx.execute(raiseRow, [id])
  })
  return { ok: true }
})
/** The bytes of an answer that the product gave, and how they are compressed. */
let kept = { coding: '', body: Buffer.alloc(0) }
process.on('message', ({ coding, body }: { coding: string; body: string }) => {
  kept = { coding, body: Buffer.from(body, 'base64') }
  process.send?.('kept')
})
app.get('/kept', async (_request, reply) =>
  reply.type('text/html; charset=utf-8').header('content-encoding', kept.coding).send(kept.body),
)
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' ? address?.port : null)
process.once('disconnect', () => process.exit(0)) // the parent has closed the channel or exited
