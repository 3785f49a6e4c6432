import { type BatchState, BATCH_STATES, type readCalls } from '@fairball/contract/console/read'
import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import { PAGE_SIZE } from '@fairball/contract/schemas/paging'
import { LotteryError } from '@fairball/domain/errors'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { totalPages } from '../../kernel/paging.ts'
import { auditAbout, drawRef, type GameNames, gameNames, idOf } from './read-parts.ts'
import * as queries from './read-payouts-queries.ts'

type BatchAnswer = ConsoleAnswerOf<typeof readCalls.listPayouts>['results'][number]
type BatchRow = RowOf<typeof queries.findBatch>
type PayoutRow = RowOf<typeof queries.listPayoutsOf>

/** An address that was saved less than this before the batch is recent, in seconds. */
const RECENT_SECONDS = 72 * 3600

/** The states of batches and of payouts over Lightning that a state of the screen stands for. */
const STANDS_FOR: Readonly<Record<BatchState, { batch: readonly string[]; lightning: readonly string[] }>> = {
  WAITING_APPROVAL: { batch: ['WAITING_APPROVAL'], lightning: ['WAITING_APPROVAL'] },
  WAITING_FUNDS: { batch: ['WAITING_FUNDS'], lightning: ['WAITING_FUNDS'] },
  BATCHED: { batch: ['BATCHED'], lightning: ['QUEUED', 'RETRY_AT'] },
  SIGNED: { batch: ['SIGNED'], lightning: ['RESOLVED'] },
  SENT: { batch: ['SENT', 'CONFIRMED'], lightning: ['SENDING'] },
  FINAL: { batch: ['FINAL'], lightning: ['PAID'] },
  HALTED: { batch: ['HALTED'], lightning: ['HALTED'] },
  CANCELLED: { batch: ['CANCELLING', 'CANCELLED'], lightning: ['RETURNED'] },
}

/** What is said of a state that the screen's word does not tell, where nothing else is. */
const UNSAID: Readonly<Record<string, string>> = {
  CONFIRMED: 'It is in a block, and not six blocks deep yet.',
  CANCELLING: 'It is being taken back: what it holds is owed again once its coins are six blocks deep with us.',
  RETRY_AT: 'It could not be sent over Lightning, and is tried again.',
  RETURNED: 'It could not be sent over Lightning within a day: its money is owed again.',
}

/** A page of the batches and of the payouts over Lightning, newest first. @param now epoch seconds */
export async function payoutsPage(
  from: Queries,
  { state, page, now }: { readonly state: BatchState | null; readonly page: number; readonly now: number },
): Promise<ConsoleAnswerOf<typeof readCalls.listPayouts>> {
  const wanted = (state === null ? BATCH_STATES : [state]).map((one) => STANDS_FOR[one])
  const states = wanted.flatMap(({ batch }) => batch)
  const lightningStates = wanted.flatMap(({ lightning }) => lightning)
  const offset = Math.min((page - 1) * PAGE_SIZE, queries.MOST_COUNTED)
  const [rows, { rows: count }, unaccepted] = await Promise.all([
    from.run(queries.listBatches, { states, lightningStates, limit: PAGE_SIZE, offset }),
    from.one(queries.countBatches, [states, lightningStates]),
    from.run(queries.listUnaccepted, []),
  ])
  return {
    stopped: await stopOf(
      from,
      unaccepted.map(({ txid }) => txid),
    ),
    unaccepted: unaccepted.map(({ txid, foundAt }) => ({ txid, found_at: foundAt })),
    results: offset === queries.MOST_COUNTED ? [] : await answersOf(from, rows, now),
    total_pages: totalPages(Math.min(count, queries.MOST_COUNTED)),
  }
}

/** One batch, or one payout over Lightning as `ln:17`. @throws LotteryError NOT_FOUND */
export async function payoutBatch(
  from: Queries,
  batch: string,
  now: number,
): Promise<ConsoleAnswerOf<typeof readCalls.getPayout>> {
  const isLightning = batch.startsWith('ln:')
  const id = idOf(isLightning ? batch.slice('ln:'.length) : batch)
  const row =
    id === null ? null : await from.maybeOne(isLightning ? queries.findLightningPayout : queries.findBatch, [id])
  if (row === null) throw new LotteryError('NOT_FOUND')
  const [answers, txs, audit] = await Promise.all([
    answersOf(from, [row], now),
    from.run(isLightning ? queries.listAttemptsOf : queries.listTxsOf, [row.id]),
    isLightning
      ? auditAbout(from, [batch, String(row.id)], '^(payouts|lightning)[.-]')
      : auditAbout(from, [batch], '^payouts[.-]'),
  ])
  const [answer] = answers
  if (answer === undefined) throw new LotteryError('NOT_FOUND')
  return {
    ...answer,
    // As a worker saw them last: the console asks no node.
    txs: txs.map(({ txid, feeSats, confirmations }) => ({ txid, fee_sats: String(feeSats), confirmations })),
    audit,
  }
}

/** Why all payouts are stopped, in the words that the operator's command uses; null while they are not. */
async function stopOf(from: Queries, unaccepted: readonly string[]): Promise<string | null> {
  const [stop, broken] = await Promise.all([from.maybeOne(queries.findStop, []), from.run(queries.listBroken, [])])
  const said = stop?.value ?? ''
  const spends = unaccepted.filter((txid) => !said.includes(txid))
  const parts = [
    said,
    spends.length === 0 ? '' : `the wallet spent coins in transactions that are not ours: ${spends.join(' ')}`,
    broken.length === 0 || said.includes('an invariant is broken')
      ? ''
      : `an invariant is broken: ${broken.map(({ invariant }) => invariant).join(' ')}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? null : parts.join('; ')
}

async function answersOf(from: Queries, batches: readonly BatchRow[], now: number): Promise<BatchAnswer[]> {
  const idsOf = (isLightning: boolean) =>
    batches.filter((batch) => batch.isLightning === isLightning).map(({ id }) => id)
  const [payouts, nameOf] = await Promise.all([
    from.run(queries.listPayoutsOf, [idsOf(false), idsOf(true)]),
    gameNames(from),
  ])
  const setAside = await from.run(queries.listSetAsideOf, [
    payouts.flatMap(({ playerId }) => playerId ?? []),
    payouts.map(({ address }) => address),
    now,
  ])
  return batches.map((batch): BatchAnswer => {
    const { id, state, reason, createdAt, isLightning } = batch
    const shown = stateOf(state)
    const all = payouts.filter((one) => (isLightning ? one.batchId === null && one.id === id : one.batchId === id))
    // What was taken out of a batch is paid by another.
    const own = shown === 'CANCELLED' ? all : all.filter(({ cancelledAt }) => cancelledAt === null)
    return {
      id: isLightning ? `ln:${id}` : String(id),
      state: shown,
      created_at: createdAt,
      sats: String(own.reduce((sum, { sats }) => sum + sats, 0n)),
      reason: reason ?? UNSAID[state] ?? null,
      payouts: own.map((payout) => payoutAnswer(payout, createdAt, setAside, nameOf)),
    }
  })
}

/** The word of the screens for a state of a batch or of a payout over Lightning. */
export function stateOf(state: string): BatchState {
  const found = BATCH_STATES.find((one) => {
    const { batch, lightning } = STANDS_FOR[one]
    return batch.includes(state) || lightning.includes(state)
  })
  if (found === undefined) throw new Error(`no state of the screen stands for ${state}`)
  return found
}

function payoutAnswer(
  row: PayoutRow,
  madeAt: number,
  setAside: readonly RowOf<typeof queries.listSetAsideOf>[],
  nameOf: GameNames,
): BatchAnswer['payouts'][number] {
  const { id, playerId, partnerId, username, playerSince, address, addressSince, sats, draws } = row
  const holds = setAside.flatMap((one) => {
    const isOfPlayer = one.playerId !== null
    if (isOfPlayer ? one.playerId !== playerId : !isSameAddress(one.address, address)) return []
    const kind = one.untilAt !== null ? 'hold' : isOfPlayer ? 'player' : 'address'
    return [{ kind, until_at: one.untilAt, reason: one.reason }]
  })
  return {
    id: String(id),
    payee: username ?? partnerId ?? `player ${playerId ?? ''}`,
    player: playerId === null ? null : String(playerId),
    player_since: playerSince,
    address,
    address_since: addressSince,
    is_address_recent: addressSince !== null && addressSince > madeAt - RECENT_SECONDS,
    sats: String(sats),
    draws: draws.map((draw) => drawRef(draw, nameOf)),
    holds,
    other_wins: { count: Math.max(0, row.wins - row.ownWins), sats: String(atLeastZero(row.wonSats - row.ownSats)) },
  }
}

function isSameAddress(setAside: string, address: string): boolean {
  return setAside === address || setAside === address.toLowerCase()
}

function atLeastZero(sats: bigint): bigint {
  return sats < 0n ? 0n : sats
}
