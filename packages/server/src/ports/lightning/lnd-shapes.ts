import { z } from 'zod'
import { NodeSilent } from './lightning-node.ts'

/** Answers of lnd's REST API (its `lnrpc/lightning.swagger.json`), as far as they are read. Numbers of 64 bits are texts. */

const int64 = z
  .string()
  .regex(/^-?\d+$/)
  .prefault('0')
  .transform((text) => BigInt(text))
const amount = z.object({ msat: int64 }).prefault({})
const hexOfBase64 = z.string().transform((text) => Buffer.from(text, 'base64').toString('hex'))

export const infoShape = z.object({
  identity_pubkey: z.string(),
  version: z.string(),
  block_height: z.int(),
  synced_to_chain: z.boolean(),
  num_active_channels: z.int(),
  chains: z.array(z.object({ network: z.string() })),
})

export const madeShape = z.object({ payment_request: z.string() })

export const invoiceShape = z.object({
  r_hash: hexOfBase64,
  state: z.enum(['OPEN', 'ACCEPTED', 'SETTLED', 'CANCELED']),
  payment_request: z.string(),
  value_msat: int64,
  amt_paid_msat: int64,
  creation_date: int64,
  expiry: int64,
  settle_date: int64,
  settle_index: int64,
})
export type LndInvoice = z.output<typeof invoiceShape>

export const invoicesShape = z.object({ invoices: z.array(invoiceShape).prefault([]), last_index_offset: int64 })

export const paymentShape = z.object({
  payment_hash: z.string(),
  status: z.enum(['UNKNOWN', 'INITIATED', 'IN_FLIGHT', 'SUCCEEDED', 'FAILED']),
  payment_preimage: z.string().prefault(''),
  value_msat: int64,
  fee_msat: int64,
  payment_index: int64,
  failure_reason: z.string().prefault('FAILURE_REASON_NONE'),
})
export type LndPayment = z.output<typeof paymentShape>

export const paymentsShape = z.object({ payments: z.array(paymentShape).prefault([]), last_index_offset: int64 })

export const channelBalanceShape = z.object({
  local_balance: amount,
  unsettled_local_balance: amount,
  unsettled_remote_balance: amount,
  pending_open_local_balance: amount,
})

export const walletBalanceShape = z.object({ total_balance: int64, locked_balance: int64 })

const constraints = z.object({ chan_reserve_sat: int64 }).prefault({})
export const channelsShape = z.object({
  channels: z
    .array(
      z.object({
        active: z.boolean(),
        initiator: z.boolean(),
        local_balance: int64,
        remote_balance: int64,
        commit_fee: int64,
        commitment_type: z.string(),
        chan_status_flags: z.string().prefault(''),
        local_constraints: constraints,
        remote_constraints: constraints,
        pending_htlcs: z
          .array(z.object({ incoming: z.boolean(), amount: int64, expiration_height: z.int() }))
          .prefault([]),
      }),
    )
    .prefault([]),
})
export type LndChannel = z.output<typeof channelsShape>['channels'][number]

export const pendingShape = z.object({
  total_limbo_balance: int64,
  pending_open_channels: z
    .array(
      z.object({
        commit_fee: int64,
        channel: z.object({ initiator: z.string(), commitment_type: z.string() }),
      }),
    )
    .prefault([]),
  pending_force_closing_channels: z.array(z.unknown()).prefault([]),
  waiting_close_channels: z.array(z.unknown()).prefault([]),
})

export const closedShape = z.object({
  channels: z
    .array(
      z.object({ capacity: int64, closing_tx_hash: z.string(), close_type: z.string(), open_initiator: z.string() }),
    )
    .prefault([]),
})

export const transactionsShape = z.object({
  transactions: z
    .array(
      z.object({
        tx_hash: z.string(),
        total_fees: int64,
        output_details: z.array(z.object({ amount: int64, is_our_address: z.boolean().prefault(false) })).prefault([]),
        previous_outpoints: z.array(z.object({ is_our_output: z.boolean().prefault(false) })).prefault([]),
      }),
    )
    .prefault([]),
})

export const forwardingShape = z.object({
  forwarding_events: z.array(z.object({ fee_msat: int64 })).prefault([]),
  last_offset_index: z.int().prefault(0),
})

/** @throws NodeSilent for an answer in another shape, which names members and no values */
export function shaped<T>(answer: unknown, shape: z.ZodType<T>, path: string): T {
  const result = shape.safeParse(answer)
  if (result.success) return result.data
  const members = result.error.issues.map((issue) => issue.path.join('.')).slice(0, 5)
  throw new NodeSilent(`the Lightning node answered ${path} in another shape: ${members.join(', ')}`)
}
