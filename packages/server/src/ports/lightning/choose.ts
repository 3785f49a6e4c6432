import { readFile } from 'node:fs/promises'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db } from '../../db/pool.ts'
import type { AdjustableClock, Runtime } from '../../runtime/runtime.ts'
import { createClnNode } from './cln-node.ts'
import { type LightningNode, type LightningSender, LightningUnfit } from './lightning-node.ts'
import { createLndNode } from './lnd-node.ts'
import type { LndServer } from './lnd-rest.ts'
import { NodeWatch } from './node-watch.ts'
import { TestLightning } from './test-node.ts'

/** The selectable Lightning nodes. */
export const LIGHTNING_NAMES = ['none', 'cln', 'lnd', 'test'] as const

/** An lnd node, and where what lets the program use it is. */
export interface LndFiles {
  /** of its REST API, without a path */
  readonly url: string
  readonly macaroonFile: string
  readonly certificateFile: string
}

/** The Lightning part of the configuration. */
export interface LightningSettings {
  readonly lightning: (typeof LIGHTNING_NAMES)[number]
  /** The socket of the operator's Core Lightning node; null if it is not set. */
  readonly clnRpcFile: string | null
  /** What the program needs of the operator's lnd node; null if it is not set. */
  readonly lnd: LndFiles | null
  /** Up to this many satoshis the checkout page offers Lightning first. */
  readonly lightningFirstMaxSats: bigint
  /** Above this many satoshis an order is paid on the chain alone. */
  readonly lightningInMaxSats: bigint
  /** Above this many satoshis a payout goes over the chain; 0: all do. */
  readonly lightningPayoutMaxSats: bigint
  /** Maximum fee of a payout over Lightning, in millionths of its amount. */
  readonly lightningFeePpm: bigint
  /** A fee of up to this many satoshis is always allowed. */
  readonly lightningFeeMinSats: bigint
  /** What the operator means to hold in the node, in sats; null for whatever it can send. */
  readonly lightningFloatSats: bigint | null
}

/** The operator's Lightning node, and what is known of it. */
export interface Lightning {
  readonly node: LightningNode & LightningSender
  readonly watch: NodeWatch
  /** the demo's node, which can also be paid from here; null with a real one */
  readonly test: TestLightning | null
}

/**
 * Chooses the Lightning node by the configuration; null for none. It is not called yet.
 *
 * @param deps.chainHeight of the bitcoin node; null without one
 * @param deps.testSeed 32 bytes the demo's node is derived from; read only with `lightning` `test`
 */
export async function chooseLightning(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly settings: LightningSettings & { readonly bitcoinNetwork: BitcoinNetwork }
  readonly testSeed: () => Promise<Uint8Array>
  readonly chainHeight: () => Promise<number | null>
}): Promise<Lightning | null> {
  const { db, runtime, settings } = deps
  if (settings.lightning === 'none') return null
  if (settings.lightning === 'cln') {
    const { clnRpcFile: path } = settings
    if (path === null) throw new Error('CLN_RPC_FILE is not set')
    const node = inSystemTime(createClnNode(path, runtime.monotonic), runtime.clock)
    return { node, watch: new NodeWatch({ db, node, runtime, chainHeight: deps.chainHeight }), test: null }
  }
  if (settings.lightning === 'lnd') {
    const { clock, monotonic } = runtime
    const server = await lndServer(settings.lnd)
    const lnd = createLndNode(server, { monotonic, now: () => clock.now() - clock.offsetSeconds() })
    const node = inSystemTime(lnd, clock)
    return { node, watch: new NodeWatch({ db, node, runtime, chainHeight: deps.chainHeight }), test: null }
  }
  const test = new TestLightning({ db, runtime, network: settings.bitcoinNetwork, seed: await deps.testSeed() })
  // Its blocks are made up: they follow from the clock.
  return { node: test, watch: new NodeWatch({ db, node: test, runtime, chainHeight: async () => null }), test }
}

/** @throws LightningUnfit with a message for the operator, if a file cannot be read */
async function lndServer(files: LndFiles | null): Promise<LndServer> {
  if (files === null) throw new Error('LND_REST_URL, LND_MACAROON_FILE and LND_TLS_CERT_FILE are not set')
  const read = async (name: string, path: string): Promise<Buffer> =>
    await readFile(path).catch((cause: unknown) => {
      throw new LightningUnfit(`${name}=${path} cannot be read: ${String((cause as Error).message)}`, { cause })
    })
  const macaroon = await read('LND_MACAROON_FILE', files.macaroonFile)
  const certificate = await read('LND_TLS_CERT_FILE', files.certificateFile)
  return { url: files.url, macaroon: macaroon.toString('hex'), certificate: certificate.toString('utf8') }
}

/** A real node has the time outside, and the demo's clock runs ahead of it: what was paid just now was paid just now. */
function inSystemTime<T extends LightningNode>(node: T, clock: Pick<AdjustableClock, 'offsetSeconds'>): T {
  return {
    ...node,
    async invoice(hash) {
      const invoice = await node.invoice(hash)
      return invoice.state === 'paid' ? { ...invoice, paidAt: invoice.paidAt + clock.offsetSeconds() } : invoice
    },
  }
}
