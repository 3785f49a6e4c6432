/**
 * The part of lnd's REST API that is used: paths, members and types as in its `lnrpc/lightning.swagger.json`,
 * `lnrpc/routerrpc/router.swagger.json` and `lnrpc/invoicesrpc/invoices.swagger.json` (github.com/lightningnetwork/lnd).
 * 64-bit numbers and bytes (base64) are texts there.
 */

type Simple = 'text' | 'int64' | 'uint64' | 'whole' | 'flag' | 'bytes'
/** A simple type, the words of an enumeration, a message by its name, or a list of such. */
type Kind = Simple | readonly string[] | { readonly message: MessageName } | { readonly listOf: MessageName }

const INITIATORS = ['INITIATOR_UNKNOWN', 'INITIATOR_LOCAL', 'INITIATOR_REMOTE', 'INITIATOR_BOTH']
const COMMITMENTS = [
  'UNKNOWN_COMMITMENT_TYPE',
  'LEGACY',
  'STATIC_REMOTE_KEY',
  'ANCHORS',
  'SCRIPT_ENFORCED_LEASE',
  'SIMPLE_TAPROOT',
]
const FAILURES = ['NONE', 'TIMEOUT', 'NO_ROUTE', 'ERROR', 'INCORRECT_PAYMENT_DETAILS', 'INSUFFICIENT_BALANCE']

const PLAIN = {
  Nothing: {},
  Amount: { sat: 'uint64', msat: 'uint64' },
  Chain: { chain: 'text', network: 'text' },
  GetInfoResponse: {
    version: 'text',
    commit_hash: 'text',
    identity_pubkey: 'text',
    alias: 'text',
    num_pending_channels: 'whole',
    num_active_channels: 'whole',
    num_inactive_channels: 'whole',
    num_peers: 'whole',
    block_height: 'whole',
    block_hash: 'text',
    best_header_timestamp: 'int64',
    synced_to_chain: 'flag',
    synced_to_graph: 'flag',
    testnet: 'flag',
    chains: { listOf: 'Chain' },
  },
  Invoice: {
    memo: 'text',
    r_preimage: 'bytes',
    r_hash: 'bytes',
    value: 'int64',
    value_msat: 'int64',
    settled: 'flag',
    creation_date: 'int64',
    settle_date: 'int64',
    payment_request: 'text',
    description_hash: 'bytes',
    expiry: 'int64',
    cltv_expiry: 'uint64',
    private: 'flag',
    add_index: 'uint64',
    settle_index: 'uint64',
    amt_paid_sat: 'int64',
    amt_paid_msat: 'int64',
    state: ['OPEN', 'SETTLED', 'CANCELED', 'ACCEPTED'],
    is_keysend: 'flag',
    payment_addr: 'bytes',
    is_amp: 'flag',
  },
  AddInvoiceResponse: { r_hash: 'bytes', payment_request: 'text', add_index: 'uint64', payment_addr: 'bytes' },
  ListInvoiceResponse: {
    invoices: { listOf: 'Invoice' },
    last_index_offset: 'uint64',
    first_index_offset: 'uint64',
  },
  CancelInvoiceMsg: { payment_hash: 'bytes' },
  SendPaymentRequest: {
    payment_request: 'text',
    timeout_seconds: 'whole',
    fee_limit_sat: 'int64',
    fee_limit_msat: 'int64',
    amt_msat: 'int64',
    allow_self_payment: 'flag',
    max_parts: 'whole',
    no_inflight_updates: 'flag',
    cancelable: 'flag',
  },
  Payment: {
    payment_hash: 'text',
    payment_preimage: 'text',
    value_sat: 'int64',
    value_msat: 'int64',
    payment_request: 'text',
    status: ['UNKNOWN', 'IN_FLIGHT', 'SUCCEEDED', 'FAILED', 'INITIATED'],
    fee_sat: 'int64',
    fee_msat: 'int64',
    creation_time_ns: 'int64',
    payment_index: 'uint64',
    failure_reason: FAILURES.map((reason) => `FAILURE_REASON_${reason}`),
  },
  ListPaymentsResponse: {
    payments: { listOf: 'Payment' },
    first_index_offset: 'uint64',
    last_index_offset: 'uint64',
    total_num_payments: 'uint64',
  },
  ChannelBalanceResponse: {
    local_balance: { message: 'Amount' },
    remote_balance: { message: 'Amount' },
    unsettled_local_balance: { message: 'Amount' },
    unsettled_remote_balance: { message: 'Amount' },
    pending_open_local_balance: { message: 'Amount' },
    pending_open_remote_balance: { message: 'Amount' },
  },
  WalletBalanceResponse: {
    total_balance: 'int64',
    confirmed_balance: 'int64',
    unconfirmed_balance: 'int64',
    locked_balance: 'int64',
    reserved_balance_anchor_chan: 'int64',
  },
  ChannelConstraints: { csv_delay: 'whole', chan_reserve_sat: 'uint64', dust_limit_sat: 'uint64' },
  HTLC: { incoming: 'flag', amount: 'int64', hash_lock: 'bytes', expiration_height: 'whole', htlc_index: 'uint64' },
  Channel: {
    active: 'flag',
    remote_pubkey: 'text',
    channel_point: 'text',
    chan_id: 'uint64',
    capacity: 'int64',
    local_balance: 'int64',
    remote_balance: 'int64',
    commit_fee: 'int64',
    unsettled_balance: 'int64',
    pending_htlcs: { listOf: 'HTLC' },
    private: 'flag',
    initiator: 'flag',
    chan_status_flags: 'text',
    commitment_type: COMMITMENTS,
    local_constraints: { message: 'ChannelConstraints' },
    remote_constraints: { message: 'ChannelConstraints' },
  },
  ListChannelsResponse: { channels: { listOf: 'Channel' } },
  PendingChannel: {
    remote_node_pub: 'text',
    channel_point: 'text',
    capacity: 'int64',
    local_balance: 'int64',
    remote_balance: 'int64',
    initiator: INITIATORS,
    commitment_type: COMMITMENTS,
  },
  PendingOpenChannel: { channel: { message: 'PendingChannel' }, commit_fee: 'int64', fee_per_kw: 'int64' },
  WaitingCloseChannel: { channel: { message: 'PendingChannel' }, limbo_balance: 'int64', closing_txid: 'text' },
  ForceClosedChannel: {
    channel: { message: 'PendingChannel' },
    closing_txid: 'text',
    limbo_balance: 'int64',
    recovered_balance: 'int64',
  },
  PendingChannelsResponse: {
    total_limbo_balance: 'int64',
    pending_open_channels: { listOf: 'PendingOpenChannel' },
    pending_force_closing_channels: { listOf: 'ForceClosedChannel' },
    waiting_close_channels: { listOf: 'WaitingCloseChannel' },
  },
  ChannelCloseSummary: {
    channel_point: 'text',
    closing_tx_hash: 'text',
    capacity: 'int64',
    settled_balance: 'int64',
    close_type: [
      'COOPERATIVE_CLOSE',
      'LOCAL_FORCE_CLOSE',
      'REMOTE_FORCE_CLOSE',
      'BREACH_CLOSE',
      'FUNDING_CANCELED',
      'ABANDONED',
    ],
    open_initiator: INITIATORS,
    close_initiator: INITIATORS,
  },
  ClosedChannelsResponse: { channels: { listOf: 'ChannelCloseSummary' } },
  PreviousOutPoint: { outpoint: 'text', is_our_output: 'flag' },
  OutputDetail: { address: 'text', output_index: 'int64', amount: 'int64', is_our_address: 'flag' },
  Transaction: {
    tx_hash: 'text',
    amount: 'int64',
    num_confirmations: 'whole',
    total_fees: 'int64',
    output_details: { listOf: 'OutputDetail' },
    previous_outpoints: { listOf: 'PreviousOutPoint' },
    label: 'text',
  },
  TransactionDetails: { transactions: { listOf: 'Transaction' } },
  ForwardingHistoryRequest: {
    start_time: 'uint64',
    end_time: 'uint64',
    index_offset: 'whole',
    num_max_events: 'whole',
  },
  ForwardingEvent: { fee_msat: 'uint64', amt_in_msat: 'uint64', amt_out_msat: 'uint64', timestamp_ns: 'uint64' },
  ForwardingHistoryResponse: { forwarding_events: { listOf: 'ForwardingEvent' }, last_offset_index: 'whole' },
} as const

type MessageName =
  | 'Amount'
  | 'Chain'
  | 'Invoice'
  | 'Payment'
  | 'HTLC'
  | 'Channel'
  | 'ChannelConstraints'
  | 'PendingChannel'
  | 'PendingOpenChannel'
  | 'WaitingCloseChannel'
  | 'ForceClosedChannel'
  | 'ChannelCloseSummary'
  | 'OutputDetail'
  | 'PreviousOutPoint'
  | 'Transaction'
  | 'ForwardingEvent'

const MESSAGES: Readonly<Record<string, Readonly<Record<string, Kind>>>> = PLAIN

/** A call of the API. */
interface LndPath {
  readonly query?: Readonly<Record<string, Simple>>
  readonly body?: keyof typeof PLAIN
  readonly answer: keyof typeof PLAIN
  readonly isStream?: true
}

/** The calls that are used; `*` stands for one part of a path. */
export const LND_PATHS = {
  'GET /v1/getinfo': { answer: 'GetInfoResponse' },
  'POST /v1/invoices': { body: 'Invoice', answer: 'AddInvoiceResponse' },
  'GET /v1/invoices': {
    query: { pending_only: 'flag', index_offset: 'uint64', num_max_invoices: 'uint64', reversed: 'flag' },
    answer: 'ListInvoiceResponse',
  },
  'GET /v1/invoices/subscribe': {
    query: { add_index: 'uint64', settle_index: 'uint64' },
    answer: 'Invoice',
    isStream: true,
  },
  'GET /v1/invoice/*': { answer: 'Invoice' },
  'POST /v2/invoices/cancel': { body: 'CancelInvoiceMsg', answer: 'Nothing' },
  'POST /v2/router/send': { body: 'SendPaymentRequest', answer: 'Payment', isStream: true },
  'GET /v2/router/track/*': { query: { no_inflight_updates: 'flag' }, answer: 'Payment', isStream: true },
  'GET /v1/payments': {
    query: { include_incomplete: 'flag', index_offset: 'uint64', max_payments: 'uint64', reversed: 'flag' },
    answer: 'ListPaymentsResponse',
  },
  'GET /v1/balance/channels': { answer: 'ChannelBalanceResponse' },
  'GET /v1/balance/blockchain': { answer: 'WalletBalanceResponse' },
  'GET /v1/channels': { answer: 'ListChannelsResponse' },
  'GET /v1/channels/pending': { answer: 'PendingChannelsResponse' },
  'GET /v1/channels/closed': { answer: 'ClosedChannelsResponse' },
  'GET /v1/transactions': { answer: 'TransactionDetails' },
  'POST /v1/switch': { body: 'ForwardingHistoryRequest', answer: 'ForwardingHistoryResponse' },
} as const satisfies Record<string, LndPath>

const SIMPLE: Readonly<Record<Simple, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  int64: (value) => typeof value === 'string' && /^-?\d{1,19}$/.test(value),
  uint64: (value) => typeof value === 'string' && /^\d{1,20}$/.test(value),
  whole: (value) => typeof value === 'number' && Number.isSafeInteger(value),
  flag: (value) => typeof value === 'boolean',
  bytes: (value) => typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value,
}

/** What a message has that the API does not, or otherwise; in words. */
export function problemsOf(value: unknown, name: string): string[] {
  const members = MESSAGES[name] ?? {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${name} is no object`]
  return Object.entries(value).flatMap(([member, given]) => {
    const kind = members[member]
    return kind === undefined ? [`${name} has no ${member}`] : problemsOfKind(given, kind, `${name}.${member}`)
  })
}

function problemsOfKind(given: unknown, kind: Kind, place: string): string[] {
  if (typeof kind === 'string') return SIMPLE[kind](given) ? [] : [`${place} is no ${kind}: ${JSON.stringify(given)}`]
  if ('message' in kind) return problemsOf(given, kind.message)
  if (!('listOf' in kind)) return kind.includes(String(given)) ? [] : [`${place} is no word: ${JSON.stringify(given)}`]
  return Array.isArray(given) ? given.flatMap((one) => problemsOf(one, kind.listOf)) : [`${place} is no list`]
}

/** What a query has that a call of the API does not, or otherwise; in words. */
export function problemsOfQuery(query: URLSearchParams, of: Readonly<Record<string, Simple>> = {}): string[] {
  return [...query].flatMap(([name, text]) => {
    const kind = of[name]
    if (kind === undefined) return [`there is no ${name} in the query`]
    const isRight = kind === 'flag' ? ['true', 'false'].includes(text) : SIMPLE[kind](text)
    return isRight ? [] : [`${name} in the query is no ${kind}: ${text}`]
  })
}
