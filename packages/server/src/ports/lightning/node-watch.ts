import type { Queries } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type LightningInfo, type LightningNode, LightningUnfit, type Liquidity } from './lightning-node.ts'
import * as queries from './queries.ts'

/** How long an answer of the node counts, in ms. */
const FRESH_MS = 60_000
/** The same of a node that lacks something, as one that has just started: it may have it at any moment. */
const LACKING_MS = 2_000
/** How far its chain may be from that of the bitcoin node, in blocks. */
const MAX_BLOCKS_APART = 2
/** The oldest versions that can be used: the meaning of their calls changed until then. */
const LEAST = {
  cln: { name: 'Core Lightning', release: [26, 6], words: '26.06' },
  lnd: { name: 'lnd', release: [0, 19], words: '0.19' },
} as const
/** A payment has to fit with some room: in hundredths of its amount. */
const ROOM_PERCENT = 105n

/** What a node said, and when by the monotonic time. */
interface Known {
  readonly atMs: number
  readonly info: LightningInfo
  readonly liquidity: Liquidity
}

/** Whether the Lightning node can be used now, by what it said within the last minute. */
export class NodeWatch {
  readonly #db: Queries
  readonly #node: LightningNode
  readonly #runtime: Pick<Runtime, 'monotonic' | 'log'>
  readonly #chainHeight: () => Promise<number | null>
  #nodeId: string | null = null
  #known: Known | null = null
  #asking: Promise<Known | null> | null = null

  /** @param options.chainHeight of the bitcoin node; null without one. It may throw */
  constructor(options: {
    readonly db: Queries
    readonly node: LightningNode
    readonly runtime: Pick<Runtime, 'monotonic' | 'log'>
    readonly chainHeight: () => Promise<number | null>
  }) {
    this.#db = options.db
    this.#node = options.node
    this.#runtime = options.runtime
    this.#chainHeight = options.chainHeight
  }

  /** The identity of the operator's node: any other is not used. Null before the first start with one. */
  async nodeId(): Promise<string | null> {
    this.#nodeId ??= (await this.#db.maybeOne(queries.findAccepted, []))?.nodeId ?? null
    return this.#nodeId
  }

  /** Asks now. @throws what the node throws */
  async look(): Promise<Known> {
    const [info, liquidity] = await Promise.all([this.#node.info(), this.#node.liquidity()])
    this.#known = { atMs: this.#runtime.monotonic.nowMs(), info, liquidity }
    return this.#known
  }

  /** Whether an invoice over so much can be paid now. */
  async canReceive(amountMsat: bigint): Promise<boolean> {
    const hasRoom = ({ liquidity }: Known) => liquidity.receivableMsat * 100n >= amountMsat * ROOM_PERCENT
    const known = await this.#fresh(hasRoom)
    return known !== null && (await this.#isFit(known.info)) && hasRoom(known)
  }

  /** Whether the node is the operator's, has read the chain, and has a channel. */
  async isFitNow(): Promise<boolean> {
    return (await this.room()) !== null
  }

  /** What the node can send now, in msat; null while it is not fit. */
  async room(): Promise<Pick<Liquidity, 'sendableMsat'> | null> {
    const known = await this.#fresh(({ liquidity }) => liquidity.sendableMsat > 0n)
    return known !== null && (await this.#isFit(known.info)) ? known.liquidity : null
  }

  async #isFit({ nodeId, isSynced, activeChannels, height }: LightningInfo): Promise<boolean> {
    if (nodeId !== (await this.nodeId()) || !isReady({ isSynced, activeChannels })) return false
    const chainHeight = await this.#chainHeight().catch(() => null)
    return chainHeight === null || Math.abs(chainHeight - height) <= MAX_BLOCKS_APART
  }

  /**
   * What is known of the node, a minute old at most, and seconds if that does not suffice; null while it does not answer.
   * Callers share one question.
   */
  async #fresh(suffices: (known: Known) => boolean): Promise<Known | null> {
    const known = this.#known
    const countsMs = known !== null && isReady(known.info) && suffices(known) ? FRESH_MS : LACKING_MS
    if (known !== null && this.#runtime.monotonic.nowMs() - known.atMs < countsMs) return known
    this.#asking ??= this.look()
      .catch((error: unknown) => {
        this.#runtime.log.warn({ err: error }, 'the Lightning node does not answer')
        return null
      })
      .finally(() => (this.#asking = null))
    return await this.#asking
  }
}

/** Whether a node has read the chain and has a channel. */
function isReady({ isSynced, activeChannels }: Pick<LightningInfo, 'isSynced' | 'activeChannels'>): boolean {
  return isSynced && activeChannels > 0
}

/**
 * Checks at the start that the node can be trusted with money. One that has not read the chain, or has no channel, is
 * no reason to refuse: nothing is taken over Lightning until it has.
 *
 * @returns its identity, and whether none was accepted before
 * @throws LightningUnfit with a message for the operator
 */
export async function assertUsable({
  node,
  db,
  network,
}: {
  readonly node: LightningNode
  readonly db: Queries
  readonly network: string
}): Promise<{ readonly nodeId: string; readonly isFirst: boolean }> {
  const info = await node.info().catch((cause: unknown) => {
    throw new LightningUnfit(`The Lightning node cannot be used: ${String((cause as Error).message)}`, { cause })
  })
  if (info.network !== network)
    throw new LightningUnfit(`The Lightning node is on ${info.network}, and BITCOIN_NETWORK is ${network}.`)
  if (node.name !== 'test' && !isNewEnough(info.version, LEAST[node.name].release))
    throw new LightningUnfit(
      `The Lightning node is ${LEAST[node.name].name} ${info.version}. Use ${LEAST[node.name].words} or newer.`,
    )
  const accepted = (await db.maybeOne(queries.findAccepted, []))?.nodeId ?? null
  if (accepted !== null && accepted !== info.nodeId)
    throw new LightningUnfit(
      `The Lightning node is ${info.nodeId}, and the one before was ${accepted}. Its invoices would be unknown to the new one.\n` +
        `If it is to take its place: npm run operator -- lightning-accept-node ${info.nodeId} --reason <text>`,
    )
  return { nodeId: info.nodeId, isFirst: accepted === null }
}

/** @param version like `v26.06.6` or `0.19.3-beta commit=v0.19.3-beta` */
function isNewEnough(version: string, [least, leastMinor]: readonly [number, number]): boolean {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > least || (Number(major) === least && Number(minor) >= leastMinor)
}
