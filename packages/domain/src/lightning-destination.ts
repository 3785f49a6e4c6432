/** Where somebody can be paid over Lightning, as text: a Lightning address (LUD-16), or a BOLT 12 offer. */

/** A destination in the one spelling in which it is stored. */
export interface LightningDestination {
  readonly kind: 'ADDRESS' | 'OFFER'
  readonly value: string
}

/** The longest text that is looked at: offers with several paths have some hundred characters. */
const LONGEST_DESTINATION = 2000

const NAME = /^[a-z0-9._+-]{1,64}$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const LONGEST_HOST = 253
/** A plus sign joins the parts of an offer, with white space behind it (BOLT 12). */
const JOINED = /(?<=[a-z0-9])\+\s*(?=[a-z0-9])/gi

/**
 * Reads what a player typed.
 *
 * @param ownHost the host of this installation, with its port, if addresses there are allowed: it need not be a name of
 *   the public DNS
 * @returns null if it is neither an address nor looks like an offer
 */
export function parseLightningDestination(text: string, ownHost: string | null): LightningDestination | null {
  const trimmed = text.trim().replace(/^lightning:/i, '')
  if (trimmed.length > LONGEST_DESTINATION) return null
  const offer = trimmed.replaceAll(JOINED, '').toLowerCase()
  if (/^lno1[a-z0-9]+$/.test(offer)) return { kind: 'OFFER', value: offer }
  const value = trimmed.toLowerCase()
  const { name, host } = partsOfAddress(value)
  if (!NAME.test(name)) return null
  return host === ownHost || isPublicName(host) ? { kind: 'ADDRESS', value } : null
}

/** The two sides of a Lightning address. */
export function partsOfAddress(address: string): { readonly name: string; readonly host: string } {
  const at = address.indexOf('@')
  return at === -1 ? { name: '', host: '' } : { name: address.slice(0, at), host: address.slice(at + 1) }
}

/** Whether a host can be a name of the public DNS: dotted, no number, and no name that only Tor knows. */
export function isPublicName(host: string): boolean {
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  if (host.length > LONGEST_HOST || labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false
  return /[a-z]/.test(last) && last !== 'onion' && !last.startsWith('0x')
}
