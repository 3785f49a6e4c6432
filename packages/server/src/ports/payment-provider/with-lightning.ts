import type { Db, Queries } from '../../db/pool.ts'
import type { LightningNode } from '../lightning/lightning-node.ts'
import { NodeSilent } from '../lightning/lightning-node.ts'
import type { InvoiceSnapshot, PaymentProvider, ProviderChanges, SeenOutput } from './payment-provider.ts'
import { LIGHTNING_CONFIRMATIONS } from './provider-api.ts'
import * as queries from './with-lightning-queries.ts'

/** Thousandths in a satoshi. What is received is rounded down: the node never holds less than is booked. */
const MSAT_PER_SAT = 1000n

/** How far both were followed. `node` says whose cursor `ln` is: another node begins at its start. */
interface Cursors {
  readonly chain: string | null
  readonly ln: string | null
  readonly node: string | null
}

/**
 * A provider of payments on the chain, and the operator's own Lightning node beside it: an order's address and its
 * Lightning invoice pay the same order.
 *
 * @param options.nodeId the node's identity, once it is known
 */
export function withLightning(
  inner: PaymentProvider,
  options: { readonly db: Db; readonly node: LightningNode; readonly nodeId: () => Promise<string | null> },
): PaymentProvider {
  const { db, node, nodeId } = options
  return {
    ...inner,

    async get(ref): Promise<InvoiceSnapshot> {
      const [shown, paid] = await Promise.all([inner.get(ref), paidOver(db, node, inner.name, ref)])
      if (paid === null) return shown
      if (paid === 'silent') return { ...shown, leavesCounted: true }
      return { ...shown, outputs: [...shown.outputs, paid] }
    },

    async follow(cursor): Promise<ProviderChanges> {
      const before = cursorsOf(cursor)
      const present = await nodeId()
      const chain = await inner.follow?.(before.chain)
      const from = before.node === present ? before.ln : null
      // A node that is away must not keep the chain from being followed: it is asked from the same place again.
      const { refs, unknown, cursor: ln } = await settledAt(db, node, inner.name, from)
      return {
        cursor: JSON.stringify({ chain: chain?.cursor ?? null, ln, node: present } satisfies Cursors),
        refs: [...new Set([...(chain?.refs ?? []), ...refs])],
        unknown: [...(chain?.unknown ?? []), ...unknown],
      }
    },
  }
}

/** The same provider once Lightning is no longer taken: what was stored of both is read as its own. */
export function withoutLightning(inner: PaymentProvider): PaymentProvider {
  const follow = inner.follow?.bind(inner)
  return follow === undefined ? inner : { ...inner, follow: (cursor) => follow(cursorsOf(cursor).chain) }
}

/** How far the node was followed, for `waitSettled`. @param cursor of `follow` */
export function settledCursorOf(cursor: string | null): string | null {
  return cursorsOf(cursor).ln
}

/**
 * The stored cursor of both, with another place from which the node is followed.
 *
 * @param cursor of `follow`; null before the first one
 */
export function followedFrom(
  cursor: string | null,
  { node, ln }: { readonly node: string; readonly ln: string },
): string {
  return JSON.stringify({ chain: cursorsOf(cursor).chain, ln, node } satisfies Cursors)
}

/** The name of a Lightning payment among the outputs that pay an order. */
export function lightningOutpoint(hash: string): string {
  return `ln:${hash}:0`
}

/** What was paid over Lightning for the order with this address; `silent` while the node does not say. */
async function paidOver(
  from: Pick<Queries, 'maybeOne'>,
  node: LightningNode,
  provider: string,
  ref: string,
): Promise<SeenOutput | 'silent' | null> {
  const known = await from.maybeOne(queries.findByRef, [provider, ref])
  if (known === null) return null
  const { paymentHash: hash, paidAt, receivedMsat } = known
  if (paidAt !== null && receivedMsat !== null) return outputOf(hash, { paidAt, receivedMsat })
  try {
    const invoice = await node.invoice(hash)
    return invoice.state === 'paid' ? outputOf(hash, invoice) : null
  } catch (error) {
    if (error instanceof NodeSilent) return 'silent'
    throw error
  }
}

/** What was paid since a cursor; nothing, and the same cursor, while the node does not say. */
async function settledAt(db: Db, node: LightningNode, provider: string, from: string | null) {
  try {
    const { cursor, hashes } = await node.settledSince(from)
    return { cursor, ...(await belongingTo(db, node, provider, hashes)) }
  } catch (error) {
    if (error instanceof NodeSilent) return { cursor: from, refs: [], unknown: [] }
    throw error
  }
}

async function belongingTo(db: Db, node: LightningNode, provider: string, hashes: readonly string[]) {
  if (hashes.length === 0) return { refs: [], unknown: [] }
  const known = await db.run(queries.findRefs, [provider, [...hashes]])
  const ours = new Set(known.map(({ paymentHash }) => paymentHash))
  const unknown: SeenOutput[] = []
  for (const hash of hashes) {
    if (ours.has(hash)) continue
    const invoice = await node.invoice(hash)
    if (invoice.state === 'paid') unknown.push(outputOf(hash, invoice))
  }
  return { refs: known.map(({ ref }) => ref), unknown: unknown.filter(({ sats }) => sats > 0n) }
}

function outputOf(hash: string, { paidAt, receivedMsat }: { paidAt: number; receivedMsat: bigint }): SeenOutput {
  return {
    outpoint: lightningOutpoint(hash),
    sats: receivedMsat / MSAT_PER_SAT,
    msat: receivedMsat,
    confirmations: LIGHTNING_CONFIRMATIONS,
    seenAt: paidAt,
    network: 'LIGHTNING',
  }
}

/** A provider's own cursor was stored before Lightning was taken: it is the chain's. */
function cursorsOf(text: string | null): Cursors {
  const stored = parsed(text)
  if (typeof stored !== 'object' || stored === null || !('chain' in stored && 'ln' in stored && 'node' in stored))
    return { chain: text, ln: null, node: null }
  const { chain, ln, node } = stored
  return { chain: textOrNull(chain), ln: textOrNull(ln), node: textOrNull(node) }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
