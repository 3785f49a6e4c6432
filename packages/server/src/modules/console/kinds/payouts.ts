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
import type { JsonObject } from '../request-queries.ts'
import type { RequestKind } from './kind.ts'
import { findBatchFacts, findLightningFacts, listBatchFacts, listPayoutFacts } from './payout-queries.ts'

const NO_FACTS = async (): Promise<JsonObject> => ({})

export const approvePayouts: RequestKind<'payouts.approve'> = {
  facts: (from, { batch }) => payoutFacts(from, batch),
  carryOut: async ({ operator }, { batch }) =>
    said(
      await oneOf(
        batch,
        (id) => approveBatch(operator, id),
        (id) => approveLightning(operator, id),
      ),
    ),
}

export const holdPayouts: RequestKind<'payouts.hold'> = {
  facts: (from, { batch }) => (batch === 'all' ? NO_FACTS() : payoutFacts(from, batch)),
  carryOut: async ({ operator }, { batch }) =>
    said(batch === 'all' ? await holdAllPayouts(operator) : await holdBatch(operator, idOf(batch))),
}

export const retryPayouts: RequestKind<'payouts.retry'> = {
  facts: (from, { batch }) => (/^(ln:)?\d+$/.test(batch) ? payoutFacts(from, batch) : NO_FACTS()),
  async carryOut({ operator }, { batch }) {
    if (batch === 'all') return said(await retryAllPayouts(operator))
    if (!/^(ln:)?\d+$/.test(batch)) return said(await retryAddress(operator, batch))
    return said(
      await oneOf(
        batch,
        (id) => retryBatch(operator, id),
        (id) => retryLightning(operator, id),
      ),
    )
  },
}

export const cancelPayouts: RequestKind<'payouts.cancel'> = {
  facts: (from, { batch }) => payoutFacts(from, batch),
  carryOut: async ({ operator }, { batch }) => said(await takeBackBatch(operator, idOf(batch))),
}

export const acceptPayouts: RequestKind<'payouts.accept'> = {
  facts: NO_FACTS,
  carryOut: async ({ operator }, { txids, may_be_payout: mayBePayout }) =>
    said(await acceptSpends(operator, txids, mayBePayout)),
}

/** The state of a batch, and of every payout its payee, address, satoshis and draws. */
async function payoutFacts(from: Queries, batch: string): Promise<JsonObject> {
  const id = idOf(batch)
  const isLightning = batch.startsWith('ln:')
  const found = await from.maybeOne(isLightning ? findLightningFacts : findBatchFacts, [id])
  if (found === null) throw new LotteryError('NOT_FOUND')
  const payouts = await from.run(isLightning ? listPayoutFacts : listBatchFacts, [id])
  return { batch, state: found.state, why: found.reason, payouts: payouts.map(payoutFact) }
}

function payoutFact({ id, playerId, partnerId, address, sats, draws }: RowOf<typeof listBatchFacts>): JsonObject {
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

function said(text: string): JsonObject {
  return { text }
}
