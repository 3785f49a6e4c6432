import type { Runtime } from '../../runtime/runtime.ts'
import { type BitcoinNode, NodeError, RPC } from '../bitcoin-node/rpc.ts'
import type { AccountKey } from './account-key.ts'
import { ProviderUnfit } from './payment-provider.ts'

/**
 * Minimum number of watched addresses beyond the last one given out: the node does not see payments to others. It is
 * less than the 1,000 that the node itself watches beyond the last one paid, so while one order in hundreds is paid,
 * nothing is imported: an import derives every address from the first on again, for minutes once there are many.
 */
export const LEAST_AHEAD = 500
/** If it watches too few, it is extended to this many beyond, */
const AHEAD = 2000
/** or by this part of all, so that imports become rarer as they take longer. */
const GROWTH = 0.1
/** Addresses for change that a new wallet watches; it watches more itself. */
const CHANGE = 1000
/** Named arguments and the answers read here are those of version 25 and newer. */
const OLDEST_VERSION = 250_000
/** Time limit for deriving thousands of addresses, and for reading old blocks again. */
const IMPORT_TIMEOUT_MS = 10 * 60_000
/** Another process may be making, opening or extending the wallet: the node does one of these at a time. */
const PATIENCE = { tries: 10, pauseMs: 500 }
/** A rescan begins this long before the first address it looks for was given out: clocks differ. */
const RESCAN_MARGIN_SECONDS = 24 * 60 * 60

/** How far the addresses of an account were given out. */
interface Reach {
  /** the highest index given out; −1 for none */
  readonly highest: number
  /** epoch seconds at which the first unwatched address was given out; null for none */
  readonly beyondSince: number | null
}

interface WatchWalletOptions {
  readonly node: BitcoinNode
  /** its name in the node */
  readonly wallet: string
  readonly account: AccountKey
  readonly monotonic: Runtime['monotonic']
  /** how far addresses were given out, from the last index the node watches */
  readonly reachBeyond: (watchedTo: number) => Promise<Reach>
  /** called when the wallet is new, or has read old blocks again: what was listed of it is not whole any more */
  readonly onRescan: () => Promise<void>
}

/**
 * The node's wallet that watches an account without being able to spend from it. The node is not called before `open`.
 */
export class WatchWallet {
  readonly #options: WatchWalletOptions
  /** with its checksum, once the node has reported it */
  #receiving: string | null = null
  /** the last index the node watches, as far as is known */
  #watchedTo = -1
  /** when it last said that it is ready, in ms of the monotonic time */
  #readyAtMs = -Infinity
  #extending: Promise<void> = Promise.resolve()

  constructor(options: WatchWalletOptions) {
    this.#options = options
  }

  /**
   * Opens the wallet, or creates it, and has it watch everything that was given out.
   *
   * @throws ProviderUnfit
   */
  async open(): Promise<void> {
    await this.#patiently(() => this.#openNow())
  }

  /**
   * Checks that it knows everything in the chain. The node adds up all coins of the wallet for this answer.
   *
   * @param longestAgeMs up to which age an earlier answer is enough
   * @throws ProviderUnfit while it does not
   */
  async assertReady(longestAgeMs = 0): Promise<void> {
    const { monotonic } = this.#options
    if (monotonic.nowMs() - this.#readyAtMs < longestAgeMs) return
    await this.#patiently(async () => this.#assertNotScanning(await this.call<WalletInfo>('getwalletinfo')))
    this.#readyAtMs = monotonic.nowMs()
  }

  /** The lowest index of the account's addresses beyond all that the wallet saw paid. */
  async beyondPaid(): Promise<number> {
    return (await this.#findOwn())?.next ?? Infinity
  }

  /** Has it watch `LEAST_AHEAD` addresses beyond an index. Only we give out addresses for payments: it gives none. */
  async reachTo(index: number): Promise<void> {
    if (this.#receiving === null) await this.open()
    // One at a time: the node imports once at a time and refuses a second.
    this.#extending = this.#extending.catch(() => undefined).then(() => this.#patiently(() => this.#extendTo(index)))
    await this.#extending
  }

  /** Calls this wallet. A wallet that was unloaded is opened again and called once more. */
  async call<T>(method: string, params: object = {}, timeoutMs?: number): Promise<T> {
    try {
      return await this.#callNow<T>(method, params, timeoutMs)
    } catch (error) {
      if (!(error instanceof NodeError) || error.code !== RPC.walletNotFound) throw error
      this.#readyAtMs = -Infinity
      await this.open()
      return await this.#callNow<T>(method, params, timeoutMs)
    }
  }

  /** Checks that the node derives the same address at an index. @throws ProviderUnfit if it does not */
  async assertSameAddress(index: number, address: string): Promise<void> {
    if (this.#receiving === null) await this.open()
    const range = { descriptor: this.#receiving, range: [index, index] }
    const [derived] = await this.#options.node.call<string[]>('deriveaddresses', range)
    if (derived !== address)
      throw new ProviderUnfit(
        `The node derives another address at index ${index} than we do. Nothing may be paid there.`,
      )
  }

  async #callNow<T>(method: string, params: object = {}, timeoutMs?: number): Promise<T> {
    const { node, wallet } = this.#options
    return await node.call<T>(method, params, timeoutMs === undefined ? { wallet } : { wallet, timeoutMs })
  }

  /** Does something, and repeats it while the wallet is busy with something else. */
  async #patiently<T>(action: () => Promise<T>): Promise<T> {
    for (let left = PATIENCE.tries; ; left--) {
      try {
        return await action()
      } catch (error) {
        if (left <= 1 || !isBusy(error)) throw error
        await this.#options.monotonic.sleep(PATIENCE.pauseMs)
      }
    }
  }

  async #openNow(): Promise<void> {
    const { wallet, account } = this.#options
    await this.#assertVersion()
    await this.#load()
    const info = await this.#callNow<WalletInfo>('getwalletinfo')
    if (info.private_keys_enabled || !info.descriptors)
      throw new ProviderUnfit(
        `The node's wallet ${wallet} is no watching wallet of descriptors. Name one that does not exist yet: it is made.`,
      )
    this.#assertNotScanning(info)
    const desc = await this.#withChecksum(account.receiving)
    this.#receiving = desc
    const own = await this.#findOwn()
    this.#watchedTo = own?.range?.[1] ?? -1
    // One that gives addresses of its own would give one that an order gets later.
    if (own?.active === true && this.#watchedTo >= 0)
      await this.#importAll([{ ...receivingOf(desc, own, this.#watchedTo), timestamp: 'now' }])
    const { highest } = await this.#options.reachBeyond(this.#watchedTo)
    await this.#extendTo(highest)
  }

  /** While it reads old blocks again it does not yet know of all payments. */
  #assertNotScanning({ scanning }: WalletInfo): void {
    const { wallet } = this.#options
    if (scanning !== false)
      throw new StillScanning(`The node's wallet ${wallet} reads old blocks again. Payments are taken when it is done.`)
  }

  async #assertVersion(): Promise<void> {
    const { version } = await this.#options.node.call<{ version: number }>('getnetworkinfo')
    if (version < OLDEST_VERSION) throw new ProviderUnfit('The bitcoin node is older than version 25. Update it.')
  }

  async #load(): Promise<void> {
    if (await this.#isLoaded()) return
    const { node, wallet } = this.#options
    try {
      await node.call('loadwallet', { filename: wallet, load_on_startup: true }, { timeoutMs: IMPORT_TIMEOUT_MS })
    } catch (error) {
      if (!(error instanceof NodeError) || error.code !== RPC.walletNotFound) {
        if (await this.#isLoaded()) return // another process was faster
        throw error
      }
      await this.#create()
    }
  }

  async #create(): Promise<void> {
    const { node, wallet } = this.#options
    const kind = { disable_private_keys: true, blank: true, descriptors: true, load_on_startup: true }
    try {
      await node.call('createwallet', { wallet_name: wallet, ...kind })
    } catch (error) {
      if (!(await this.#isLoaded())) throw error
    }
    await this.#options.onRescan()
  }

  async #isLoaded(): Promise<boolean> {
    const { node, wallet } = this.#options
    return (await node.call<string[]>('listwallets')).includes(wallet)
  }

  async #withChecksum(descriptor: string): Promise<string> {
    const { node } = this.#options
    const { checksum } = await node.call<{ checksum: string }>('getdescriptorinfo', { descriptor })
    return `${descriptor}#${checksum}`
  }

  /** Our receiving addresses as the wallet has them; undefined if it does not watch them. */
  async #findOwn(): Promise<WatchedDescriptor | undefined> {
    const { receiving } = this.#options.account
    const { descriptors } = await this.#callNow<{ descriptors: WatchedDescriptor[] }>('listdescriptors')
    return descriptors.find(({ desc }) => desc.replaceAll("'", 'h').split('#')[0] === receiving)
  }

  async #extendTo(index: number): Promise<void> {
    if (this.#watchedTo >= index + LEAST_AHEAD) return
    // the node itself watches further when addresses are paid
    const own = await this.#findOwn()
    this.#watchedTo = own?.range?.[1] ?? -1
    if (this.#watchedTo >= index + LEAST_AHEAD) return
    // No address beyond the range was given out, unless the node's wallet was lost or the database is a newer one: then
    // what those received has to be searched in the blocks since.
    const { beyondSince } = await this.#options.reachBeyond(this.#watchedTo)
    const timestamp = beyondSince === null ? 'now' : Math.max(0, beyondSince - RESCAN_MARGIN_SECONDS)
    const last = index + Math.max(AHEAD, Math.ceil(index * GROWTH))
    const requests: object[] = [{ ...receivingOf(this.#receiving, own, last), timestamp }]
    if (this.#watchedTo < 0) {
      const desc = await this.#withChecksum(this.#options.account.change)
      requests.push({ desc, active: true, internal: true, range: [0, CHANGE], timestamp })
    }
    await this.#importAll(requests)
    if (timestamp !== 'now') await this.#options.onRescan()
    this.#watchedTo = last
  }

  async #importAll(requests: readonly object[]): Promise<void> {
    const results = await this.#callNow<ImportResult[]>('importdescriptors', { requests }, IMPORT_TIMEOUT_MS)
    const failed = results.find((result) => !result.success)
    if (failed !== undefined)
      throw new ProviderUnfit(
        `The node cannot watch the account's addresses: ${failed.error?.message ?? 'it does not say why'}`,
      )
  }
}

/** The wallet is being extended, which takes a moment, or reads old blocks again, which takes hours. */
class StillScanning extends ProviderUnfit {}

function isBusy(error: unknown): boolean {
  if (error instanceof StillScanning) return true
  return error instanceof NodeError && (error.code === RPC.wallet || error.code === RPC.walletAlreadyLoaded)
}

/**
 * A request to watch the receiving addresses up to an index. It never gives some of its own, and keeps which of them
 * were paid: left out, the node would only know those of the last two hours.
 */
function receivingOf(desc: string | null, own: WatchedDescriptor | undefined, last: number) {
  return { desc, active: false, internal: false, range: [0, last], next_index: own?.next ?? 0 }
}

interface WalletInfo {
  readonly private_keys_enabled: boolean
  readonly descriptors: boolean
  /** how far it has read old blocks again; false if it does not */
  readonly scanning: unknown
}

interface WatchedDescriptor {
  readonly desc: string
  /** whether the wallet gives new addresses of it itself */
  readonly active: boolean
  readonly range?: readonly [number, number]
  /** the lowest index beyond all that were paid, or that the wallet gave itself */
  readonly next?: number
}

interface ImportResult {
  readonly success: boolean
  readonly error?: { readonly message: string }
}
