// How long the close of a large draw takes, and how much memory the process needs for it: from the moment sales end to
// the close statement's commit, on the real database, through the job that closes every draw. Beside it the same number of
// leaves hashed in one thread, as the least it could take. The orders are written by SQL, each of a thousand lines; buying
// a million tickets is not what is measured. Run: node bench/close.ts [entries, or --million]
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import {
  type Client,
  createClient,
  memoryMiB,
  PASSWORD,
  printTable,
  register,
  startProduct,
  tokensOf,
} from './product.ts'

const ENTRIES = process.argv[2] === '--million' ? 1_000_000 : Number(process.argv[2] ?? 100_000)
/** An order's lines, and how many of them are in a row: as an order of the product has them at most. */
const LINES_A_PLAY = 1000
const LINES_A_ROW = 200
/** What each entry put into the draw. */
const STAKE_SATS = 1000
/** A close of a million entries has to be within these; a smaller one all the more. */
const LIMIT_SECONDS = 60
const LIMIT_MIB = 512
/** The octets of a published entry, and of a leaf before it is hashed (fairness.md sections 6 and 7). */
const ENTRY_OCTETS = 57
const LEAF_OCTETS = 90
/** The draw that is filled closes this much later at least, so that it stays open while it is filled. */
const LEAST_SECONDS_OPEN = 3600
/** The clock is first moved so far before the close, so that nothing else is due when it comes. */
const SECONDS_BEFORE_CLOSE = 20

const EMAIL = 'player@example.org'
const FROM = '10.1.2.3'

interface Draw {
  readonly id: string
  readonly game_key: string
  readonly number: number
  readonly closes_at: string
  readonly pick: number
  readonly pool: number
}

if (!Number.isSafeInteger(ENTRIES) || ENTRIES < LINES_A_PLAY || ENTRIES % LINES_A_PLAY !== 0)
  throw new Error(`The number of entries has to be a multiple of ${LINES_A_PLAY}.`)

const product = await startProduct()
const client = createClient(product.port, 1)
const db = new pg.Client({
  host: join(product.dataDir, 'postgres'),
  port: 5432,
  user: 'fairball',
  database: 'fairball',
})
try {
  await db.connect()
  await register(client, EMAIL, FROM)
  const draw = await findDraw()
  const plays = await fill(draw)
  const baselineSeconds = hashLeaves()
  await moveClock(client, Number(draw.closes_at) - SECONDS_BEFORE_CLOSE)
  const before = { now: await memoryMiB(product.pid), most: await mostMemoryMiB(product.pid) }
  const seconds = (await moveClock(client, Number(draw.closes_at))) / 1000
  const mostMiB = await mostMemoryMiB(product.pid)
  await assertClosed(draw)
  const isGood = seconds <= LIMIT_SECONDS && mostMiB <= LIMIT_MIB
  if (!isGood) process.exitCode = 1
  const entries = ENTRIES.toLocaleString('en')
  printTable(
    ['entries', 'close', 'leaves hashed', 'ratio', 'memory before', 'most before', 'most', 'within 60 s and 512 MiB'],
    [
      [
        entries,
        `${seconds.toFixed(1)} s`,
        `${baselineSeconds.toFixed(2)} s`,
        (seconds / baselineSeconds).toFixed(1),
        `${before.now.toFixed(0)} MiB`,
        `${before.most.toFixed(0)} MiB`,
        `${mostMiB.toFixed(0)} MiB`,
        isGood ? 'yes' : 'NO',
      ],
    ],
  )
  process.stdout.write('\n')
  await printCalls(draw, plays)
} finally {
  await db.end()
  client.close()
  await product.stop()
}

/** The first draw that stays open long enough. */
async function findDraw(): Promise<Draw> {
  const { rows } = await db.query<Draw>(
    `select id, game_key, number, closes_at, pick, pool from draws
     where status = 'open' and closes_at > extract(epoch from now()) + $1 order by closes_at limit 1`,
    [LEAST_SECONDS_OPEN],
  )
  const [draw] = rows
  if (draw === undefined) throw new Error('no draw is open long enough')
  return draw
}

/** Writes the paid orders of one player with their lines and plays, and their stakes. Gives the ids of the plays. */
async function fill(draw: Draw): Promise<string[]> {
  const orderIds = Array.from({ length: ENTRIES / LINES_A_PLAY }, () => randomUUID())
  const playIds = orderIds.map(() => randomUUID())
  const secrets = orderIds.map(() => randomBytes(32))
  await db.query('begin')
  await db.query(
    `insert into orders (id, player_id, created_at, expires_at, paid_at, ticket_price_minor, price_minor, rate_sats,
       due_sats, draw_ids, line_count, entry_count, free_count, weeks, days, game_key, status, username, request_hash)
     select o.id, p.id, d.at, d.at + 900, d.at, 100, 100 * $3::int, $4, $3::int * $4::bigint, array[$2::bigint], $3, $3,
       0, 1, '{1}', $5, 'PAID', p.username, ''
     from unnest($1::uuid[]) as o (id), (select id, username from players where email = $6) p,
       (select extract(epoch from now())::bigint as at) d`,
    [orderIds, draw.id, LINES_A_PLAY, STAKE_SATS, draw.game_key, EMAIL],
  )
  for (const orderId of orderIds) {
    for (let part = 0; part < LINES_A_PLAY / LINES_A_ROW; part += 1) {
      const masks = Array.from({ length: LINES_A_ROW }, () => luckyMask(draw))
      await db.query('insert into order_lines (order_id, part, masks) values ($1, $2, $3::bigint[])', [
        orderId,
        part,
        masks,
      ])
    }
  }
  await db.query(
    `insert into plays (id, order_id, player_id, draw_id, stake_sats, receipt_at, place, free_count, line_count, secret)
     select p.id, o.id, o.player_id, $4, $5, o.paid_at, 0, 0, o.line_count, p.secret
     from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as p (id, order_id, secret) join orders o on o.id = p.order_id`,
    [playIds, orderIds, secrets, draw.id, LINES_A_PLAY * STAKE_SATS],
  )
  await postStakes(draw)
  await db.query('commit')
  await db.query('analyze')
  return playIds
}

/** The stakes come in from the wallet in one transfer, or the close would have nothing to share out. */
async function postStakes(draw: Draw): Promise<void> {
  await db.query(
    `insert into ledger_accounts (kind, subject) values ('wallet', ''), ('stakes_held', $1)
     on conflict (kind, subject) do nothing`,
    [draw.game_key],
  )
  await db.query(
    `with transfer as (
       insert into transfers (event, key, at) values ('bench', 'bench', extract(epoch from now())::bigint) returning id
     )
     insert into postings (transfer_id, account_id, amount_sats)
     select transfer.id, a.id, case a.kind when 'wallet' then -$2::bigint else $2::bigint end
     from transfer, ledger_accounts a
     where (a.kind, a.subject) in (('wallet', ''), ('stakes_held', $1))`,
    [draw.game_key, ENTRIES * STAKE_SATS],
  )
}

/** A line as PostgreSQL takes it: 64 bits as a signed number in decimals. */
function luckyMask({ pick, pool }: Draw): string {
  let mask = 0n
  for (let picked = 0; picked < pick;) {
    const bit = 1n << BigInt(Math.floor(Math.random() * pool))
    if ((mask & bit) !== 0n) continue
    mask |= bit
    picked += 1
  }
  return BigInt.asIntN(64, mask).toString()
}

/** How long hashing as many leaves takes in one thread, in seconds. */
function hashLeaves(): number {
  const leaf = randomBytes(LEAF_OCTETS)
  const startedAt = performance.now()
  for (let index = 0; index < ENTRIES; index += 1) {
    leaf.writeUInt32BE(index, 0)
    hash('sha256', leaf, 'buffer')
  }
  return (performance.now() - startedAt) / 1000
}

/** Moves the product's clock, and gives how long all that was due until then took, in ms. */
async function moveClock(by: Client, to: number): Promise<number> {
  const answer = await by.call({ method: 'POST', path: '/api/v1/dev/clock', body: { to }, from: FROM })
  if (answer.status !== 200) throw new Error(`moving the clock answered ${answer.status}: ${answer.text}`)
  return answer.ms
}

/** The most memory a process ever held, in MiB (Linux). */
async function mostMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024
}

async function assertClosed(draw: Draw): Promise<void> {
  const { rows } = await db.query<{ status: string; entries: number; stake_sats: string }>(
    'select status, entries, stake_sats from draws where id = $1',
    [draw.id],
  )
  const [found] = rows
  const stakeSats = String(ENTRIES * STAKE_SATS)
  if (found?.status === 'closed' && found.entries === ENTRIES && found.stake_sats === stakeSats) return
  throw new Error(`the draw was not closed with its entries: ${JSON.stringify(found)}`)
}

/** What outsiders and the player ask for after the close. */
async function printCalls(draw: Draw, plays: readonly string[]): Promise<void> {
  const entriesPath = `/api/v1/fairness/draws/${draw.game_key}/${draw.number}/entries`
  const download = await measureDownload(entriesPath)
  if (download.octets !== ENTRIES * ENTRY_OCTETS) throw new Error(`the entries came as ${download.octets} octets`)
  const body = { email_or_username: EMAIL, password: PASSWORD }
  const { access } = tokensOf(await client.call({ method: 'POST', path: '/api/v1/auth/login', body, from: FROM }))
  const receipts: number[] = []
  for (const play of plays.slice(0, 5)) {
    const path = `/api/v1/plays/${play}/receipt`
    const answer = await client.call({ method: 'GET', path, bearer: access, from: FROM })
    if (answer.status !== 200) throw new Error(`a receipt answered ${answer.status}: ${answer.text}`)
    receipts.push(answer.ms)
  }
  const megabytes = download.octets / 1e6
  printTable(
    ['call', 'time', 'most memory afterwards'],
    [
      ['entries', `${download.ms.toFixed(0)} ms for ${megabytes.toFixed(1)} MB`, `${download.mostMiB.toFixed(0)} MiB`],
      [
        `receipt of ${LINES_A_PLAY.toLocaleString('en')} entries, first and then`,
        receipts.map((ms) => `${ms.toFixed(0)} ms`).join(', '),
        `${(await mostMemoryMiB(product.pid)).toFixed(0)} MiB`,
      ],
    ],
  )
}

/** Fetches octets without keeping them. */
async function measureDownload(path: string): Promise<{ ms: number; octets: number; mostMiB: number }> {
  const startedAt = performance.now()
  const octets = await new Promise<number>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: product.port, path }, (response) => {
      let read = 0
      response.on('data', (chunk: Buffer) => (read += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(read)
        else reject(new Error(`the entries answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
  return { ms: performance.now() - startedAt, octets, mostMiB: await mostMemoryMiB(product.pid) }
}
