import { LotteryError } from '@fairball/domain/errors'
import type { Queries } from '../../../db/pool.ts'
import type { RowOf } from '../../../db/sql.ts'
import {
  acceptSpends,
  approveBatch,
  approveLightning,
  holdAllPayouts,
  holdBatch,
  retryAddress,
  retryAllPayouts,
  retryBatch,
  retryLightning,
  takeBackBatch,
} from '../../operator/service.ts'
import { TWO_PERSON_KEY } from '../../settings/service.ts'
import type { JsonObject } from '../request-queries.ts'
import { type RequestKind, said, withoutFacts } from './kind.ts'
import { findBatchFacts, findLightningFacts, findSetting, listBatchFacts, listPayoutFacts } from './payout-queries.ts'

export const approvePayouts: RequestKind<'payouts.approve'> = {
  async facts(from, { batch }, now) {
    const { payouts, facts } = await readPayouts(from, batch)
    const limit = (await from.maybeOne(findSetting, [TWO_PERSON_KEY, now]))?.value
    return { ...facts, is_two_person: typeof limit !== 'number' || mostToOneAddress(payouts) > BigInt(limit) }
  },
  carryOut: async ({ operator }, { batch }) =>
    said(
      oneOf(
        batch,
        (id) => approveBatch(operator, id),
        (id) => approveLightning(operator, id),
      ),
    ),
}

export const holdPayouts: RequestKind<'payouts.hold'> = {
  facts: (from, { batch }) => (batch === 'all' ? withoutFacts() : payoutFacts(from, batch)),
  carryOut: async ({ operator }, { batch }) =>
    said(batch === 'all' ? holdAllPayouts(operator) : holdBatch(operator, idOf(batch))),
}

export const retryPayouts: RequestKind<'payouts.retry'> = {
  facts: (from, { batch }) => (/^(ln:)?\d+$/.test(batch) ? payoutFacts(from, batch) : withoutFacts()),
  async carryOut({ operator }, { batch }) {
    if (batch === 'all') return said(retryAllPayouts(operator))
    if (!/^(ln:)?\d+$/.test(batch)) return said(retryAddress(operator, batch))
    return said(
      oneOf(
        batch,
        (id) => retryBatch(operator, id),
        (id) => retryLightning(operator, id),
      ),
    )
  },
}

export const cancelPayouts: RequestKind<'payouts.cancel'> = {
  facts: (from, { batch }) => payoutFacts(from, batch),
  carryOut: async ({ operator }, { batch }) => said(takeBackBatch(operator, idOf(batch))),
}

export const acceptPayouts: RequestKind<'payouts.accept'> = {
  facts: withoutFacts,
  carryOut: async ({ operator }, { txids, may_be_payout: mayBePayout }) =>
    said(acceptSpends(operator, txids, mayBePayout)),
}

/** The state of a batch, and of every payout its payee, address, satoshis and draws. */
async function payoutFacts(from: Queries, batch: string): Promise<JsonObject> {
  return (await readPayouts(from, batch)).facts
}

type PayoutRow = RowOf<typeof listBatchFacts>

async function readPayouts(from: Queries, batch: string): Promise<{ payouts: PayoutRow[]; facts: JsonObject }> {
  const id = idOf(batch)
  const isLightning = batch.startsWith('ln:')
  const found = await from.maybeOne(isLightning ? findLightningFacts : findBatchFacts, [id])
  if (found === null) throw new LotteryError('NOT_FOUND')
  const payouts = await from.run(isLightning ? listPayoutFacts : listBatchFacts, [id])
  return { payouts, facts: { batch, state: found.state, why: found.reason, payouts: payouts.map(payoutFact) } }
}

/** The largest sum to one address, in sats. */
function mostToOneAddress(payouts: readonly PayoutRow[]): bigint {
  const sums = new Map<string, bigint>()
  for (const { address, sats } of payouts) sums.set(address, (sums.get(address) ?? 0n) + sats)
  return [...sums.values()].reduce((most, sats) => (sats > most ? sats : most), 0n)
}

function payoutFact({ id, playerId, partnerId, address, sats, draws }: PayoutRow): JsonObject {
  return {
    payout: String(id),
    payee: playerId === null ? `partner ${partnerId ?? ''}` : `player ${playerId}`,
    address,
    sats: String(sats),
    draws,
  }
}

function idOf(batch: string): bigint {
  return BigInt(batch.replace('ln:', ''))
}

function oneOf(
  batch: string,
  ofBatch: (id: bigint) => Promise<string>,
  ofLightning: (id: bigint) => Promise<string>,
): Promise<string> {
  return batch.startsWith('ln:') ? ofLightning(idOf(batch)) : ofBatch(idOf(batch))
}
