import { type FakeInvoice, type FakeLedger, type FakePayment, satsOf } from './ledger.ts'

const COMMIT_FEE_SATS = 2_810n
const ANCHORS_SATS = 660n
const RESERVE_SATS = 100_000n
const NO_AMOUNT = { sat: '0', msat: '0' }
const amountOf = (msat: bigint) => ({ sat: satsOf(msat), msat: String(msat) })
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** What a test sets of an lnd node. */
export interface FakeNode {
  readonly ledger: FakeLedger
  version: string
  network: string
  isSynced: boolean
  /** answers in place of its own, by `GET /v1/…`; null for its own after all */
  readonly instead: Map<string, () => object | null>
}

/** Answers of `GET /v1/getinfo`. */
export function infoOf({ ledger, version, network, isSynced }: FakeNode) {
  return {
    version,
    commit_hash: 'abc',
    identity_pubkey: ledger.nodeId,
    alias: 'fake',
    num_active_channels: 1,
    num_inactive_channels: 0,
    num_pending_channels: 0,
    num_peers: 1,
    block_height: 144,
    synced_to_chain: isSynced,
    synced_to_graph: true,
    chains: [{ chain: 'bitcoin', network }],
  }
}

export function invoiceOf(invoice: FakeInvoice) {
  const { hash, preimage, memo, valueMsat, bolt11, madeAt, expirySeconds, addIndex, state } = invoice
  return {
    memo,
    r_preimage: preimage.toString('base64'),
    r_hash: base64(hash),
    value: satsOf(valueMsat),
    value_msat: String(valueMsat),
    settled: state === 'SETTLED',
    creation_date: String(madeAt),
    settle_date: String(invoice.settledAt),
    payment_request: bolt11,
    expiry: String(expirySeconds),
    private: true,
    add_index: String(addIndex),
    settle_index: String(invoice.settleIndex),
    amt_paid_sat: satsOf(invoice.paidMsat),
    amt_paid_msat: String(invoice.paidMsat),
    state,
    is_keysend: false,
    is_amp: false,
  }
}

export function paymentOf(payment: FakePayment) {
  return {
    payment_hash: payment.hash,
    payment_preimage: payment.preimage,
    value_sat: satsOf(payment.valueMsat),
    value_msat: String(payment.valueMsat),
    payment_request: payment.bolt11,
    status: payment.status,
    fee_sat: satsOf(payment.feeMsat),
    fee_msat: String(payment.feeMsat),
    payment_index: String(payment.index),
    failure_reason: payment.failure,
  }
}

export function channelBalanceOf(ledger: FakeLedger) {
  const { localMsat, remoteMsat, heldMsat } = ledger.sides()
  return {
    local_balance: amountOf(localMsat),
    remote_balance: amountOf(remoteMsat),
    unsettled_local_balance: NO_AMOUNT,
    unsettled_remote_balance: amountOf(heldMsat),
    pending_open_local_balance: NO_AMOUNT,
    pending_open_remote_balance: NO_AMOUNT,
  }
}

export function channelsOf(ledger: FakeLedger) {
  const { localMsat, remoteMsat } = ledger.sides()
  const held = [...ledger.payments.values()].filter((payment) => payment.status === 'IN_FLIGHT')
  const constraints = { csv_delay: 144, chan_reserve_sat: String(RESERVE_SATS), dust_limit_sat: '354' }
  const channel = {
    active: true,
    remote_pubkey: `02${'ab'.repeat(32)}`,
    channel_point: `${'cd'.repeat(32)}:0`,
    chan_id: '158329674465280',
    capacity: '10000000',
    local_balance: satsOf(localMsat),
    remote_balance: satsOf(remoteMsat),
    commit_fee: String(COMMIT_FEE_SATS),
    pending_htlcs: held.map((payment) => ({
      incoming: false,
      amount: satsOf(payment.valueMsat + payment.feeMsat),
      hash_lock: base64(payment.hash),
      expiration_height: 224,
    })),
    private: false,
    initiator: true,
    chan_status_flags: 'ChanStatusDefault',
    commitment_type: 'ANCHORS',
    local_constraints: constraints,
    remote_constraints: constraints,
  }
  return { channels: [channel] }
}

/** What its founder cannot send of the fake's channel, in sats. */
export const RESERVED_SATS = COMMIT_FEE_SATS + ANCHORS_SATS
