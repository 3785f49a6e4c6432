import { createHash } from 'node:crypto'
import type { TestLightning } from '../../ports/lightning/test-node.ts'

/** Where the description of a Lightning address is (LUD-16), and below it where its invoices are. */
export const PAY_REQUEST_PATH = '/.well-known/lnurlp'
export const INVOICE_PATH = 'callback'

const NAME = /^[a-z0-9._+-]{1,64}$/
const AMOUNT = /^[1-9]\d{0,14}$/
/** From one satoshi to what the demo's channel held at the start, in thousandths of a satoshi. */
const MIN_MSAT = 1000
const MAX_MSAT = 50_000_000_000

/** Who answers, and under which address of the site. */
export interface PayRequests {
  readonly wallet: Pick<TestLightning, 'createWalletInvoice'>
  readonly publicUrl: string
}

/** An answer over HTTP: JSON, and never to be kept. */
interface PayAnswer {
  readonly status: number
  readonly body: object
}

/**
 * Answers for the demo's Lightning addresses: `<any name>@<host of the site>` is paid by an invoice of the demo's
 * wallet (LUD-06, LUD-16).
 *
 * @param pathAndQuery of the request; the site itself asks so too, without a connection
 */
export async function answerPayRequest(requests: PayRequests, pathAndQuery: string): Promise<PayAnswer> {
  const { wallet, publicUrl } = requests
  const { host } = new URL(publicUrl)
  const { pathname, searchParams } = new URL(pathAndQuery, publicUrl)
  const [name = '', call = null, ...more] = pathname.slice(PAY_REQUEST_PATH.length + 1).split('/')
  const isKnown = pathname.startsWith(`${PAY_REQUEST_PATH}/`) && (call === null || call === INVOICE_PATH)
  const known = nameIn(name)
  if (!isKnown || more.length > 0 || known === null) return refusal(404, 'There is no such address.')
  const destination = `${known}@${host}`
  const metadata = JSON.stringify([
    ['text/plain', `Payment to ${destination}, the demo’s wallet`],
    ['text/identifier', destination],
  ])
  if (call === null) {
    const callback = `${publicUrl}${PAY_REQUEST_PATH}/${encodeURIComponent(known)}/${INVOICE_PATH}`
    const limits = { minSendable: MIN_MSAT, maxSendable: MAX_MSAT }
    return { status: 200, body: { tag: 'payRequest', callback, ...limits, metadata } }
  }
  const amounts = searchParams.getAll('amount')
  const amountMsat = amounts.length === 1 && AMOUNT.test(amounts[0] ?? '') ? Number(amounts[0]) : 0
  if (amountMsat < MIN_MSAT || amountMsat > MAX_MSAT)
    return refusal(200, `The amount has to be ${MIN_MSAT} to ${MAX_MSAT} thousandths of a satoshi.`)
  const descriptionHash = createHash('sha256').update(metadata).digest('hex')
  const pr = await wallet.createWalletInvoice({ amountMsat: BigInt(amountMsat), descriptionHash, destination })
  return { status: 200, body: { pr, routes: [] } }
}

/** A refusal as wallets read it (LUD-06). */
export function refusal(status: number, reason: string): PayAnswer {
  return { status, body: { status: 'ERROR', reason } }
}

/** @returns null for what cannot be a name of an address */
function nameIn(text: string): string | null {
  try {
    const name = decodeURIComponent(text)
    return NAME.test(name) ? name : null
  } catch {
    return null // a lone percent sign
  }
}
