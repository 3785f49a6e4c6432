// Many logged-in players, without hashing hundreds of passwords a second.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GameWithRules } from '@fairball/domain/games'
import { gameByKey } from '@fairball/domain/seeds'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { createDatabase } from '@fairball/server/testing/database'
import { AccessTokens, AddressSeals, Secrets } from '@fairball/server/testing/lottery'
import { REGTEST } from '@fairball/server/testing/ports'
import { deriveKey, systemRuntime } from '@fairball/server/testing/runtime'
import { Address } from '@scure/btc-signer'
import { addressOf } from '../../product.ts'
import { requestBytes } from './http-load.ts'
import { secretKeyFile, type Stage } from './stage.ts'

/** A player with a session. */
export interface SeededPlayer {
  readonly id: string
  readonly session: string
  /** the player's network address */
  readonly from: string
  /** valid for ten minutes of the product's clock */
  readonly token: string
}

const SESSION_SECONDS = 30 * 86_400

/**
 * Creates players by SQL, with a verified email address, a payout address and an open session. Signs their access
 * tokens with the product's own key. They do not differ from players who registered.
 */
export async function seedPlayers(stage: Stage, count: number): Promise<SeededPlayer[]> {
  const { db, clock } = stage
  const now = clock.now()
  const sessions = Array.from({ length: count }, () => randomUUID())
  const addresses = sessions.map(() => Address(REGTEST).encode({ type: 'wpkh', hash: randomBytes(20) }))
  await db.query('begin')
  const { rows } = await db.query<{ id: string }>(
    `with made as (
       insert into players (created_at, email_verified_at, first_verified_at, username, email)
       select $1, $1, $1, 'bench-' || n, 'bench.' || n || '@example.org' from generate_series(1, $2::int) as n returning id
     ) select id from made order by id`,
    [now, count],
  )
  const ids = rows.map(({ id }) => id)
  await db.query(
    `insert into sessions (id, player_id, created_at, expires_at, seen_at, authenticated_at, fingerprint)
     select s.id, s.player_id, $3, $4, $3, $3, 'Bench' from unnest($1::uuid[], $2::bigint[]) as s (id, player_id)`,
    [sessions, ids, now, now + SESSION_SECONDS],
  )
  await db.query(
    `insert into player_addresses (player_id, created_at, usable_from, address)
     select a.player_id, $3, $3, a.address from unnest($1::bigint[], $2::text[]) as a (player_id, address)`,
    [ids, addresses, now],
  )
  await db.query('commit')
  await sealAddresses(stage)
  await db.query('analyze players, sessions, player_addresses')
  const players = ids.map((id, index) => ({ id, session: sessions[index] ?? '', from: addressOf(index + 1) }))
  return await signIn(stage, players)
}

/** Seals the addresses, as the product does once it has notified their players. */
async function sealAddresses({ product }: Stage): Promise<void> {
  const secretKey = await secretKeyOf(product)
  const address = { host: join(product.dataDir, 'postgres'), port: 5432, user: 'fairball', database: 'fairball' }
  const productDb = createDatabase({ address, runtime: systemRuntime({ logLevel: 'fatal' }), poolSize: 1 })
  const seals = new AddressSeals({ keyFor: (use) => deriveKey(secretKey, use) })
  await productDb.transaction((tx) => seals.sealAll(tx), { statementTimeoutMs: 600_000 })
  await productDb.close()
}

async function secretKeyOf(product: Stage['product']): Promise<Uint8Array> {
  return Buffer.from((await readFile(secretKeyFile(product), 'utf8')).trim(), 'hex')
}

/** Issues new tokens to players. A token ends ten minutes later, or when the clock is moved. */
export async function signIn(
  { product, clock }: Stage,
  players: readonly Omit<SeededPlayer, 'token'>[],
): Promise<SeededPlayer[]> {
  const secretKey = await secretKeyOf(product)
  const random = { bytes: (length: number) => new Uint8Array(randomBytes(length)), uuid: () => randomUUID() }
  const { tokenKey } = new Secrets({ keyFor: (use) => deriveKey(secretKey, use), random })
  const tokens = new AccessTokens({ key: tokenKey, clock })
  return players.map((player) => ({ ...player, token: tokens.sign(player.session) }))
}

/** The headers of a logged-in player. */
export function headersOf({ from, token }: SeededPlayer): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-forwarded-for': from }
}

/** The rules of an existing game. */
export function rulesOfGame(key: string): GameWithRules {
  const game = gameByKey(key)
  if (game === null) throw new Error(`there is no game ${key}`)
  return game
}

/** A new order: lucky dip lines in one draw on each of `days`. */
export function orderBytes(
  player: SeededPlayer,
  order: { readonly gameKey: string; readonly days: readonly number[]; readonly lines: number },
): Buffer {
  const game = rulesOfGame(order.gameKey)
  const tickets = Array.from({ length: order.lines }, () => {
    return { isLuckyDip: true, numbers: luckyDip(game, (count) => randomBytes(count)) }
  })
  return requestBytes({
    method: 'POST',
    path: '/api/v1/payment',
    headers: { ...headersOf(player), 'idempotency-key': randomUUID() },
    body: { type: 'lotto', key: order.gameKey, days: order.days, weeks: 1, tickets },
  })
}

/** Cycles through a list. */
export function inTurn<T>(list: readonly T[]): () => T {
  let place = 0
  return () => {
    const item = list[place % list.length]
    if (item === undefined) throw new Error('the list is empty')
    place += 1
    return item
  }
}
