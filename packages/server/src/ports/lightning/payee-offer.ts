import { isOnNetwork, readOffer } from '@fairball/domain/bolt12-offer'
import { NodeRefused, NodeSilent } from './lightning-node.ts'
import { assertNotOurs, assertTimeLeft } from './payee-checks.ts'
import { PayeeRefused } from './payee-refused.ts'
import type { PayeeInvoice, PayeeLimits, PayeesDeps } from './payee.ts'

/** No payment is larger than all bitcoins there are. */
const MOST_MSAT = 2_100_000_000_000_000_000n

/** What an offer takes. @throws PayeeRefused */
export async function offerLimits(deps: PayeesDeps, text: string): Promise<PayeeLimits> {
  const { clock } = deps.runtime
  if (deps.node.fetchInvoice === undefined || deps.node.decodeInvoice === undefined)
    throw new PayeeRefused('Offers cannot be paid here. Please save a Lightning address.')
  const offer = readOffer(text)
  if (offer === null) throw new PayeeRefused('This offer cannot be read.')
  if (!isOnNetwork(offer, deps.network)) throw new PayeeRefused('This offer is of another network.')
  if (offer.currency !== null) throw new PayeeRefused('This offer is in another currency.')
  if (offer.isCounted) throw new PayeeRefused('This offer asks for a quantity.')
  if (offer.expiresAt !== null && offer.expiresAt <= clock.now() - clock.offsetSeconds())
    throw new PayeeRefused('This offer has expired.')
  if (offer.issuer !== null && offer.issuer === (await deps.nodeId()))
    throw new PayeeRefused('An offer of this site cannot be paid.')
  return { minMsat: offer.amount === null || offer.amount === 0n ? 1n : offer.amount, maxMsat: MOST_MSAT }
}

/** An invoice of an offer, over the Lightning network: its node is asked by ours. @throws PayeeRefused */
export async function offerInvoice(deps: PayeesDeps, text: string, amountMsat: bigint): Promise<PayeeInvoice> {
  const { minMsat } = await offerLimits(deps, text)
  const { fetchInvoice, decodeInvoice } = deps.node
  if (fetchInvoice === undefined || decodeInvoice === undefined) throw new PayeeRefused('Offers cannot be paid here.')
  if (amountMsat < minMsat) throw new PayeeRefused(`The offer takes ${(minMsat + 999n) / 1000n} sats or more.`)
  const refused = (error: unknown): never => {
    if (!(error instanceof NodeRefused) && !(error instanceof NodeSilent)) throw error
    throw new PayeeRefused('The wallet of the offer did not answer.', error)
  }
  const invoice = await fetchInvoice(text, amountMsat, '').catch(refused)
  const decoded = await decodeInvoice(invoice).catch(refused)
  if (!decoded.isValid) throw new PayeeRefused('The wallet’s invoice cannot be read.')
  if (decoded.amountMsat !== amountMsat) throw new PayeeRefused('The wallet’s invoice is over another amount.')
  await assertNotOurs(deps, { payee: decoded.payee, hash: decoded.hash })
  return { invoice, hash: decoded.hash, expiresAt: assertTimeLeft(deps, { ...decoded, isOurTime: false }) }
}
