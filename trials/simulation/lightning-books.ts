import type pg from 'pg'
import type { SimulatedLightning } from './lightning.ts'

const MSAT = 1_000n

/** Compares the node with the ledger, and what each wallet got with what was sent to it. One line for each difference. */
export async function lightningApart(observer: pg.Client, lightning: SimulatedLightning): Promise<string[]> {
  const apart: string[] = []
  const ledger = await observer.query<{ sats: string }>(
    `select -coalesce(sum(amount_sats), 0) as sats from postings p join ledger_accounts a on a.id = p.account_id where a.kind = 'lightning'`,
  )
  const bookedMsat = BigInt(ledger.rows[0]?.sats ?? 0) * MSAT
  const heldMsat = lightning.heldMsat()
  const { rows: accepted } = await observer.query('select from lightning_node')
  // Each payment is booked in whole satoshis, so that the node never holds less.
  const isFit = heldMsat >= bookedMsat && heldMsat - bookedMsat <= MSAT * BigInt(lightning.paymentCount())
  if (accepted.length > 0 && !isFit)
    apart.push(`the Lightning node holds ${heldMsat} msat, the ledger says ${bookedMsat}`)
  const sent = await observer.query<{ payment_hash: string; address: string; msat: bigint }>(
    `select a.payment_hash, p.address, (p.sats - p.fee_share_sats) * 1000 as msat from payouts p
      join ln_attempts a on a.payout_id = p.id and a.outcome = 'complete' where p.sent_at is not null`,
  )
  const wanted = sent.rows.map(({ payment_hash: hash, address, msat }) => `${hash}: ${msat} msat to ${address}`)
  const arrived = lightning.paid().map((one) => `${one.hash}: ${one.amountMsat} msat to ${one.destination}`)
  for (const one of wanted) if (!arrived.includes(one)) apart.push(`${one} was booked, and never arrived`)
  for (const one of arrived) if (!wanted.includes(one)) apart.push(`${one} arrived, and is not booked`)
  return apart
}
