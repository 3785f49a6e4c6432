import { beaconSecretKey } from '@fairball/domain/fairness/beacon'
import { fromHex } from '@fairball/domain/fairness/bytes'
import { roundOf } from '@fairball/domain/fairness/chain'
import { signingPublicKey, signText, witnessedText, witnessSignatureLine } from '@fairball/domain/fairness/signed-note'
import { NO_HASH, type Witnesses } from '@fairball/domain/fairness/statements'
import { gameByKey } from '@fairball/domain/games'
import { endAfterStart } from '@fairball/domain/games'
import { weekdayOf } from '@fairball/domain/weekday'
import type pg from 'pg'
import { DatabaseClock } from '../src/db/database-clock.ts'
import type { Db } from '../src/db/pool.ts'
import { keptOperator } from '../src/modules/fairness/keys.ts'
import { createFairness, type Fairness } from '../src/modules/fairness/service.ts'
import { createLocalBeacon } from '../src/ports/beacon/local-beacon.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { createSeal } from '../src/runtime/seal.ts'

/** The secret under which the logs of these tests keep their keys. */
export const SECRET_KEY = new Uint8Array(32).fill(7)
const GAME = gameByKey('bitcoin-hero')
if (GAME === null) throw new Error('bitcoin-hero is one of the games')
const game = GAME

/** The log of an operator on a database, without the lottery around it. */
export async function testLog(options: {
  db: Db
  runtime: Runtime
  witnesses?: Witnesses
  headFile?: string | null
}): Promise<Fairness> {
  const { db, runtime, headFile = null } = options
  const seal = createSeal(SECRET_KEY, runtime.random)
  const { chain } = createLocalBeacon(runtime, {
    secretKey: beaconSecretKey(new Uint8Array(48).fill(5)),
    genesisAt: 1_700_000_000,
  })
  const operator = await keptOperator({ db, runtime, seal }, 'https://lottery.example')
  const witnesses = options.witnesses ?? { required: 0, list: [] }
  return createFairness({
    db,
    runtime,
    databaseClock: new DatabaseClock(runtime),
    seal,
    operator,
    chain,
    witnesses,
    headFile,
  })
}

/** Opens a draw of bitcoin-hero, the number-th; gives its identity. */
export async function openDraw(fairness: Fairness, db: Db, client: pg.Client, number: number): Promise<string> {
  const startAt = 1_735_732_800 + number * 86_400
  const closesAt = startAt - 600
  const round = roundOf(startAt, { genesisAt: 1_700_000_000, periodSeconds: 3 })
  const seed = fromHex(number.toString(16).padStart(64, '0'))
  const opened = await db.transaction((tx) => fairness.open(tx, { game, number, startAt, closesAt, round, seed }))
  await client.query(`insert into games (key, position) values ($1, 0) on conflict do nothing`, [game.key])
  await client.query(
    `insert into draws (game_key, number, weekday, scheduled_at, start_at, closes_at, end_at, pick, pool, rules_hash,
        seed_sealed, seed_hash, chain_hash, round, open_hash, guaranteed_minor, cover_minor)
      select $1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, (select hash from beacon_chains limit 1), $12, $13, 0, 0`,
    [
      game.key,
      number,
      weekdayOf(startAt),
      startAt,
      closesAt,
      startAt + endAfterStart(game),
      game.pick,
      game.pool,
      opened.rulesHash,
      Buffer.from(opened.sealedSeed),
      opened.seedHash,
      round,
      opened.openHash,
    ],
  )
  return opened.openHash
}

/** Seals a draw without entries; gives the hash of its close statement. */
export async function closeDraw(fairness: Fairness, db: Db, client: pg.Client, openHash: string, round = 1n) {
  const { rows } = await client.query<{ seed_sealed: Uint8Array }>(
    `select seed_sealed from draws where open_hash = $1`,
    [openHash],
  )
  const sealedSeed = rows[0]?.seed_sealed ?? new Uint8Array()
  const figures = { entries: 0, freeEntries: 0, root: NO_HASH, stakeSats: 0n, potSats: 0n, bankrollSats: 0n }
  const rest = { floorSats: 0n, rateSats: 1000n }
  const closeHash = await db.transaction((tx) =>
    fairness.close(tx, { openHash, sealedSeed, round, ...figures, ...rest }),
  )
  await client.query(
    `update draws set status = 'closed', close_hash = $2, root = $3, entries = 0 where open_hash = $1`,
    [openHash, closeHash, NO_HASH],
  )
  return closeHash
}

/** A witness with a key of its own. */
export function testWitness(name: string, fill: number) {
  const secretSeed = new Uint8Array(32).fill(fill)
  const publicKey = signingPublicKey(secretSeed)
  return {
    name,
    publicKey: Buffer.from(publicKey).toString('hex'),
    /** Its signature line over a statement's text, dated `at`. */
    line: (text: string, at: number): string =>
      witnessSignatureLine({ name, publicKey }, at, signText(witnessedText(text, at), secretSeed)),
  }
}
