import type { z } from 'zod'
import type { LightningFees, Liquidity, NodeMovement } from './lightning-node.ts'
import type { LndRest } from './lnd-rest.ts'
import {
  channelBalanceShape,
  channelsShape,
  closedShape,
  forwardingShape,
  type LndChannel,
  pendingShape,
  shaped,
  transactionsShape,
  walletBalanceShape,
} from './lnd-shapes.ts'

const LIMIT_MS = 5_000
const MSAT = 1000n
/** What its two anchors hold of a channel, in sats: its founder's. */
const ANCHORS_SATS = 660n
/** The most events of one page of forwarded payments. */
const MAX_EVENTS = 10_000

/** What the node holds, and what can pass. lnd tells it in parts. */
export async function lndLiquidity(lnd: LndRest): Promise<Liquidity> {
  const [balance, wallet, { channels }, pending] = await Promise.all([
    read(lnd, '/v1/balance/channels', channelBalanceShape),
    read(lnd, '/v1/balance/blockchain', walletBalanceShape),
    read(lnd, '/v1/channels', channelsShape),
    read(lnd, '/v1/channels/pending', pendingShape),
  ])
  const heldMsat = balance.unsettled_local_balance.msat + balance.unsettled_remote_balance.msat
  const founded = channels.filter((channel) => channel.initiator)
  const opening = pending.pending_open_channels.filter(({ channel }) => channel.initiator === 'INITIATOR_LOCAL')
  const reservedSats = sumOf([
    ...founded.map((channel) => channel.commit_fee + anchorsOf(channel.commitment_type)),
    ...opening.map(({ commit_fee: fee, channel }) => fee + anchorsOf(channel.commitment_type)),
  ])
  const coinsSats = wallet.total_balance + wallet.locked_balance + pending.total_limbo_balance
  const told = channels.map(channelOf)
  return {
    oursMsat:
      balance.local_balance.msat +
      balance.pending_open_local_balance.msat +
      outgoingMsat(channels, heldMsat) +
      (reservedSats + coinsSats) * MSAT,
    sendableMsat: sumOf(told.map((channel) => (channel.isConnected ? channel.sendableMsat : 0n))),
    receivableMsat: sumOf(told.map((channel) => (channel.isConnected ? channel.receivableMsat : 0n))),
    inFlightMsat: heldMsat,
    nextExpiry: nextExpiryOf(channels),
    channels: [
      ...told,
      ...[...pending.waiting_close_channels, ...pending.pending_force_closing_channels].map(() => CLOSING),
    ],
  }
}

const CLOSING = { state: 'CLOSING', isConnected: false, sendableMsat: 0n, receivableMsat: 0n }

function channelOf(channel: LndChannel): Liquidity['channels'][number] {
  const { active, local_balance: local, remote_balance: remote } = channel
  const sendable = local - channel.local_constraints.chan_reserve_sat
  const receivable = remote - channel.remote_constraints.chan_reserve_sat
  return {
    state: 'NORMAL',
    isConnected: active,
    sendableMsat: sendable > 0n ? sendable * MSAT : 0n,
    receivableMsat: receivable > 0n ? receivable * MSAT : 0n,
  }
}

/** The block at which the first outgoing payment has to be fought for on the chain; null for none. */
function nextExpiryOf(channels: readonly LndChannel[]): number | null {
  const outgoing = channels.flatMap((channel) => channel.pending_htlcs.filter((one) => !one.incoming))
  return outgoing.length === 0 ? null : Math.min(...outgoing.map((one) => one.expiration_height))
}

/**
 * What left our side of a channel and is not settled is still ours. The channels tell direction, but whole satoshis; the
 * balance tells thousandths of both directions together. With both at once each amount is rounded up.
 */
function outgoingMsat(channels: readonly LndChannel[], heldMsat: bigint): bigint {
  const held = channels.flatMap((channel) => channel.pending_htlcs)
  const outgoing = held.filter((one) => !one.incoming)
  if (outgoing.length === held.length) return heldMsat
  return sumOf(outgoing.map((one) => (one.amount + 1n) * MSAT))
}

function anchorsOf(type: string): bigint {
  return type === 'LEGACY' || type === 'STATIC_REMOTE_KEY' ? 0n : ANCHORS_SATS
}

/** Reads what was earned and paid. What was earned before is kept: the node's list of it only grows. */
export function lndFees(lnd: LndRest): () => Promise<LightningFees> {
  let offset = 0
  let routedMsat = 0n
  return async () => {
    for (;;) {
      const body = { start_time: '0', index_offset: offset, num_max_events: MAX_EVENTS }
      const path = '/v1/switch'
      const page = shaped(await lnd.call({ path, body, timeoutMs: LIMIT_MS }), forwardingShape, path)
      if (page.forwarding_events.length === 0) break
      routedMsat += sumOf(page.forwarding_events.map((event) => event.fee_msat))
      offset = page.last_offset_index
    }
    return { routedMsat, chainFeeMsat: await chainFeeMsat(lnd) }
  }
}

/**
 * Fees of the wallet's transactions, and of closes by agreement of channels that this node opened: their founder pays
 * them. What a close by force costs lnd does not tell.
 */
async function chainFeeMsat(lnd: LndRest): Promise<bigint> {
  const [{ transactions }, { channels }] = await Promise.all([
    read(lnd, '/v1/transactions', transactionsShape),
    read(lnd, '/v1/channels/closed', closedShape),
  ])
  const byHash = new Map(transactions.map((transaction) => [transaction.tx_hash, transaction]))
  const closing = channels
    .filter((one) => one.close_type === 'COOPERATIVE_CLOSE' && one.open_initiator === 'INITIATOR_LOCAL')
    .map(({ capacity, closing_tx_hash: hash }) => {
      const transaction = byHash.get(hash)
      if (transaction === undefined || transaction.total_fees > 0n || transaction.output_details.length === 0) return 0n
      return capacity - sumOf(transaction.output_details.map((output) => output.amount))
    })
  return sumOf([...transactions.map((transaction) => transaction.total_fees), ...closing]) * MSAT
}

/** What a transaction did to the coins of lnd's wallet. */
export async function lndMovedBy(lnd: LndRest, txid: string): Promise<NodeMovement> {
  const { transactions } = await read(lnd, '/v1/transactions', transactionsShape)
  const transaction = transactions.find((one) => one.tx_hash === txid)
  const outputs = transaction?.output_details ?? []
  return {
    receivedSats: sumOf(outputs.filter((output) => output.is_our_address).map((output) => output.amount)),
    isSpender: transaction?.previous_outpoints.some((coin) => coin.is_our_output) ?? false,
  }
}

async function read<T>(lnd: LndRest, path: string, shape: z.ZodType<T>): Promise<T> {
  return shaped(await lnd.call({ path, timeoutMs: LIMIT_MS }), shape, path)
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
