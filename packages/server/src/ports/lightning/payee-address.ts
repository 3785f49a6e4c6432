import { createHash } from 'node:crypto'
import { readBolt11 } from '@fairball/domain/bolt11'
import { payeeOfBolt11 } from '@fairball/domain/bolt11-signature'
import { partsOfAddress } from '@fairball/domain/lightning-destination'
import * as z from 'zod'
import { assertNotOurs, assertTimeLeft } from './payee-checks.ts'
import { PayeeRefused } from './payee-refused.ts'
import { type PayeeWeb, payeeWeb } from './payee-web.ts'
import type { PayeeInvoice, PayeeLimits, PayeesDeps } from './payee.ts'

const MSAT_PER_SAT = 1000n
/** No payment is larger than all bitcoins there are. */
const MOST_MSAT = 2_100_000_000_000_000_000n

const msat = z
  .number()
  .refine((value) => Number.isSafeInteger(value) && value > 0)
  .transform(BigInt)
/** LUD-06. */
const payRequest = z.object({
  tag: z.literal('payRequest'),
  callback: z.string(),
  minSendable: msat,
  maxSendable: msat,
  metadata: z.string(),
})
const metadataShape = z.array(z.tuple([z.string(), z.unknown()]).rest(z.unknown()))
const answerShape = z.object({ pr: z.string() })

interface PayRequest {
  readonly web: PayeeWeb
  readonly isOwn: boolean
  readonly callback: URL
  readonly metadata: string
  readonly limits: PayeeLimits
}

/** An invoice of a Lightning address. @throws PayeeRefused */
export async function addressInvoice(
  deps: PayeesDeps,
  address: string,
  { amountMsat, signal }: { readonly amountMsat: bigint; readonly signal: AbortSignal },
): Promise<PayeeInvoice> {
  return await invoiceOf(deps, await readPayRequest(deps, address, signal), amountMsat)
}

/** What a Lightning address takes, after a look at its smallest invoice. @throws PayeeRefused */
export async function addressLimits(deps: PayeesDeps, address: string, signal: AbortSignal): Promise<PayeeLimits> {
  const asked = await readPayRequest(deps, address, signal)
  const { minMsat, maxMsat } = asked.limits
  const smallest = ((minMsat + MSAT_PER_SAT - 1n) / MSAT_PER_SAT) * MSAT_PER_SAT
  if (smallest > maxMsat) throw new PayeeRefused('The wallet takes no whole number of satoshis.')
  await invoiceOf(deps, asked, smallest)
  return asked.limits
}

async function readPayRequest(deps: PayeesDeps, address: string, signal: AbortSignal): Promise<PayRequest> {
  const { name, host } = partsOfAddress(address)
  const own = new URL(deps.publicUrl)
  const isOwn = host === own.host && deps.ownServer !== null
  if (!isOwn && (host === own.host || host === own.hostname))
    throw new PayeeRefused('An address of this site cannot be paid.')
  const web = payeeWeb(deps, isOwn, signal)
  const origin = isOwn ? own.origin : `https://${host}`
  const told = await web.readJson(new URL(`${origin}/.well-known/lnurlp/${name}`))
  assertNoError(told)
  const request = payRequest.safeParse(told)
  if (!request.success) throw new PayeeRefused('The wallet’s server did not answer as a wallet does.')
  const { callback, metadata, minSendable: minMsat, maxSendable } = request.data
  if (minMsat > maxSendable) throw new PayeeRefused('The wallet’s limits do not fit together.')
  assertNames(metadata, address)
  const maxMsat = maxSendable > MOST_MSAT ? MOST_MSAT : maxSendable
  return { web, isOwn, callback: urlOf(callback), metadata, limits: { minMsat, maxMsat } }
}

async function invoiceOf(deps: PayeesDeps, request: PayRequest, amountMsat: bigint): Promise<PayeeInvoice> {
  const { web, callback, metadata, limits } = request
  if (amountMsat < limits.minMsat || amountMsat > limits.maxMsat)
    throw new PayeeRefused(
      `The wallet takes ${limits.minMsat / MSAT_PER_SAT} to ${limits.maxMsat / MSAT_PER_SAT} sats.`,
    )
  const asked = new URL(callback)
  // Appended as it is: a second spelling of what is there already could mean something else to the server.
  asked.search = `${callback.search === '' ? '?' : `${callback.search}&`}amount=${amountMsat}`
  const told = await web.readJson(asked)
  assertNoError(told)
  const answer = answerShape.safeParse(told)
  if (!answer.success) throw new PayeeRefused('The wallet’s server gave no invoice.')
  return await checkedInvoice(deps, answer.data.pr, { amountMsat, metadata, isOwn: request.isOwn })
}

async function checkedInvoice(
  deps: PayeesDeps,
  text: string,
  wanted: { readonly amountMsat: bigint; readonly metadata: string; readonly isOwn: boolean },
): Promise<PayeeInvoice> {
  const invoice = text.length > 4096 ? null : readBolt11(text)
  const payee = payeeOfBolt11(text)
  if (invoice === null || payee === null) throw new PayeeRefused('The wallet’s invoice cannot be read.')
  if (invoice.network !== deps.network) throw new PayeeRefused('The wallet’s invoice is of another network.')
  if (invoice.amountMsat !== wanted.amountMsat) throw new PayeeRefused('The wallet’s invoice is over another amount.')
  if (invoice.secret === null) throw new PayeeRefused('The wallet’s invoice has no payment secret.')
  const hash = createHash('sha256').update(wanted.metadata).digest('hex')
  if (invoice.descriptionHash !== null && invoice.descriptionHash !== hash)
    throw new PayeeRefused('The wallet’s invoice is for something else.')
  await assertNotOurs(deps, { payee, hash: invoice.hash })
  const times = { madeAt: invoice.madeAt, expirySeconds: invoice.expirySeconds, isOurTime: wanted.isOwn }
  return { invoice: text, hash: invoice.hash, expiresAt: assertTimeLeft(deps, times) }
}

function assertNoError(told: Readonly<Record<string, unknown>>): void {
  if (typeof told['status'] !== 'string' || told['status'].toUpperCase() !== 'ERROR') return
  const reason = typeof told['reason'] === 'string' ? told['reason'] : ''
  throw new PayeeRefused(reason.trim() === '' ? 'The wallet refused without a reason.' : `The wallet says: ${reason}`)
}

/** The metadata is a list; where it names an address, it is this one. */
function assertNames(metadata: string, address: string): void {
  const list = metadataShape.safeParse(parsed(metadata))
  if (!list.success) throw new PayeeRefused('The wallet’s server did not answer as a wallet does.')
  const named = list.data.find(([type]) => type === 'text/identifier')?.[1]
  if (named !== undefined && (typeof named !== 'string' || named.toLowerCase() !== address))
    throw new PayeeRefused('The wallet’s server answers for another address.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @throws PayeeRefused for no URL, or one that says an amount of its own */
function urlOf(text: string): URL {
  const url = URL.parse(text)
  if (url === null || url.searchParams.has('amount'))
    throw new PayeeRefused('The wallet’s server names an address that is not allowed.')
  return url
}
