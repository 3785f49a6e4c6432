import { z } from 'zod'
import type { SeenOutput } from './payment-provider.ts'
import { inOrder, LIGHTNING_CONFIRMATIONS, ProviderSilent } from './provider-api.ts'

/** The answers of OpenNode, and how they are read. */

const amount = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,16}$/)])
/** Epoch seconds, or a date as text; null and 0 say that it has not happened. */
const moment = z.union([z.number(), z.string()]).nullish()

const Charge = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount,
  order_id: z.string().nullish(),
  created_at: moment,
  settled_at: moment,
  fee: amount.nullish(),
  missing_amt: amount.nullish(),
  overpaid_by: amount.nullish(),
  payment_method: z.string().nullish(),
  hosted_checkout_url: z.string().nullish(),
  address: z.string().nullish(),
  chain_invoice: z.object({ address: z.string().nullish(), settled_at: moment, tx: z.string().nullish() }).nullish(),
  lightning_invoice: z.object({ payreq: z.string().nullish(), settled_at: moment, expires_at: moment }).nullish(),
  transactions: z
    .array(
      z.object({
        address: z.string().nullish(),
        tx: z.string().regex(/^[0-9a-f]{64}$/),
        status: z.string().nullish(),
        amount,
        created_at: moment,
        settled_at: moment,
      }),
    )
    .nullish(),
})
export type Charge = z.infer<typeof Charge>

/** The account's balance, by currency; bitcoin in satoshis. */
export const AccountBalance = z.object({ data: z.object({ balance: z.object({ BTC: amount }) }) })

export const OneCharge = z.object({ data: Charge })
export const Charges = z.object({ data: z.array(Charge) })

/**
 * What pays a charge. An output's place in its transaction is not reported, so the address replaces it in the outpoint:
 * one transaction may pay the charges of several orders. Two outputs of one transaction to one address are told apart
 * by their place among them, largest first. Whatever the order of an answer, and even if one is missing, never too much
 * counts.
 *
 * @throws ProviderSilent if a payment cannot be named: with another name in the next answer it would count twice
 */
export function outputsOf(charge: Charge, requiredConfirmations: number, now: number): SeenOutput[] {
  if (charge.status === 'refunded') return []
  const isPaid = charge.status === 'paid'
  const times = new Map<string, number>()
  const onChain = transactionsOf(charge)
    .toSorted((one, other) => Number(BigInt(other.amount) - BigInt(one.amount)))
    .map((transaction): SeenOutput => {
      const address = transaction.address || addressOf(charge)
      if (address === null) throw new ProviderSilent('opennode says that a charge was paid, and not to which address')
      const output = `${transaction.tx}:${nameOf(address)}`
      const before = times.get(output) ?? 0
      times.set(output, before + 1)
      return {
        outpoint: before === 0 ? output : `${output}#${before}`,
        sats: BigInt(transaction.amount),
        confirmations: isPaid && isSettled(transaction) ? requiredConfirmations : 0,
        seenAt: secondsOf(transaction.created_at) ?? secondsOf(transaction.settled_at) ?? now,
        network: 'ONCHAIN',
      }
    })
  const lightning = isPaid && isPaidOverLightning(charge) ? [lightningOutput(charge, now)] : []
  return inOrder([...onChain, ...lightning].filter((output) => output.sats > 0n))
}

/** An address of ours in its usual spelling: bech32 may come in capitals. */
function nameOf(address: string): string {
  return address === address.toUpperCase() ? address.toLowerCase() : address
}

type Transaction = NonNullable<Charge['transactions']>[number]

/**
 * The transactions of a charge. Older answers have no list of them and report the one that paid it only in
 * `chain_invoice`. An empty list (so far) is no reason to read that, because the one amount there may be that of
 * several.
 */
function transactionsOf(charge: Charge): readonly Transaction[] {
  const { transactions, chain_invoice: chain } = charge
  if (transactions) return transactions
  if (charge.status !== 'paid' || !chain?.tx || !/^[0-9a-f]{64}$/.test(chain.tx)) return []
  const sats = BigInt(charge.amount) + BigInt(charge.overpaid_by ?? 0)
  return [{ address: chain.address, tx: chain.tx, amount: String(sats), settled_at: chain.settled_at }]
}

/** The words for a transaction that is mined and credited; `settled_at` says the same. */
function isSettled(transaction: Transaction): boolean {
  return (
    secondsOf(transaction.settled_at) !== null || ['confirmed', 'settled', 'paid'].includes(transaction.status ?? '')
  )
}

/**
 * Whether a paid charge was paid over Lightning, which it states. That no transaction is reported (yet) proves nothing:
 * the next answer may name one, and the payment would count twice.
 *
 * @throws ProviderSilent if it is not reported how it was paid
 */
function isPaidOverLightning(charge: Charge): boolean {
  if (secondsOf(charge.lightning_invoice?.settled_at) !== null || charge.payment_method === 'lightning') return true
  if (transactionsOf(charge).length > 0) return false
  throw new ProviderSilent('opennode says that a charge is paid, and not by what')
}

/**
 * A charge is paid over Lightning once. Its payment hash could change with a renewed request; the charge's id cannot.
 */
function lightningOutput(charge: Charge, now: number): SeenOutput {
  return {
    outpoint: `ln:${charge.id}:0`,
    sats: lightningSats(charge.lightning_invoice?.payreq ?? '') ?? BigInt(charge.amount),
    confirmations: LIGHTNING_CONFIRMATIONS,
    // A Lightning request cannot be paid after its expiry, so without a time of its own it was paid in time.
    seenAt: secondsOf(charge.lightning_invoice?.settled_at) ?? secondsOf(charge.created_at) ?? now,
    network: 'LIGHTNING',
  }
}

/** Millisatoshis in one bitcoin, and how many of each BOLT 11 unit make one. */
const MSAT_PER_BTC = 100_000_000_000n
const PARTS: Record<string, bigint> = { '': 1n, m: 1000n, u: 1_000_000n, n: 1_000_000_000n, p: 1_000_000_000_000n }

/** The whole satoshis a Lightning request asks for; null if it names no amount. */
function lightningSats(request: string): bigint | null {
  const match = /^ln(?:bcrt|bc|tbs|tb)(\d{1,12})([munp]?)1/.exec(request.toLowerCase())
  const parts = PARTS[match?.[2] ?? '']
  if (match === null || parts === undefined) return null
  return (BigInt(match[1] ?? '0') * MSAT_PER_BTC) / parts / 1000n
}

/** The bitcoin address of a charge, null if it has none. */
export function addressOf(charge: Charge): string | null {
  return charge.chain_invoice?.address || charge.address || null
}

/** What the operator may want to know, including OpenNode's own fee (`fee`). */
export function rawOf(charge: Charge) {
  const { id, status, amount, fee, missing_amt, overpaid_by, payment_method, transactions } = charge
  return { id, status, amount, fee, missing_amt, overpaid_by, payment_method, transactions }
}

/** Milliseconds are later than this in epoch seconds, and seconds are not. */
const LATEST_SECONDS = 100_000_000_000

/** Epoch seconds of a moment in OpenNode's format, null if it has not come. */
export function secondsOf(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : Date.parse(value) / 1000
  if (!Number.isFinite(number) || number <= 0) return null
  return Math.floor(number > LATEST_SECONDS ? number / 1000 : number)
}
