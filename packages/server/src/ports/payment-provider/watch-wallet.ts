import type { Runtime } from '../../runtime/runtime.ts'
import { type BitcoinNode, NodeError, RPC } from '../bitcoin-node/rpc.ts'
import type { AccountKey } from './account-key.ts'
import { ProviderUnfit } from './payment-provider.ts'

/** The node watches at least this many addresses beyond the last one given out: what it does not watch it does not see. */
export const LEAST_AHEAD = 1000
/** When it watches too few, it is made to watch this many beyond. */
const AHEAD = 2 * LEAST_AHEAD
/** Named arguments and the answers read here are those of version 25 and newer. */
const OLDEST_VERSION = 250_000
/** Deriving thousands of addresses, and reading old blocks again. */
const IMPORT_TIMEOUT_MS = 10 * 60_000
/** Another process may be making, opening or extending the wallet: the node does one of these at a time. */
const PATIENCE = { tries: 10, pauseMs: 500 }
/** A rescan begins this long before the first address it looks for was given out: clocks differ. */
const RESCAN_MARGIN_SECONDS = 24 * 60 * 60

/** How far the addresses of an account were given out. */
export interface Reach {
  /** the highest index given out; −1 where there is none */
  readonly highest: number
  /** epoch seconds at which the first address beyond what is watched was given out; null where there is none */
  readonly beyondSince: number | null
}

/** The node's wallet that watches an account without being able to spend from it. */
export interface WatchWallet {
  /**
   * Opens the wallet, made where there is none, and has it watch everything that was given out.
   *
   * @throws ProviderUnfit
   */
  open(): Promise<void>
  /** Checks that it knows of everything in the chain. @throws ProviderUnfit while it does not */
  assertReady(): Promise<void>
  /** Has it watch `LEAST_AHEAD` addresses beyond an index. Addresses for payments are ours alone to give: it gives none. */
  reachTo(index: number): Promise<void>
  /** Asks this wallet. A wallet that was unloaded is opened again and asked once more. */
  call<T>(method: string, params?: object, timeoutMs?: number): Promise<T>
  /** Checks that the node derives the same address at an index. @throws ProviderUnfit when it does not */
  assertSameAddress(index: number, address: string): Promise<void>
}

/**
 * Makes the watching wallet's keeper. Nothing is asked of the node yet.
 *
 * @param deps.reachBeyond how far addresses were given out, seen from the last index the node watches
 */
export function createWatchWallet(deps: {
  node: BitcoinNode
  wallet: string
  account: AccountKey
  sleep: Runtime['steady']['sleep']
  reachBeyond: (watchedTo: number) => Promise<Reach>
}): WatchWallet {
  const { node, wallet, account } = deps
  /** with its checksum, once the node has said it */
  let receiving: string | null = null
  /** the last index the node watches, as far as is known */
  let watchedTo = -1
  let extending: Promise<void> = Promise.resolve()

  async function call<T>(method: string, params: object = {}, timeoutMs?: number): Promise<T> {
    const options = timeoutMs === undefined ? { wallet } : { wallet, timeoutMs }
    return await node.call<T>(method, params, options)
  }

  /** Does something, again while the wallet is busy with something else. */
  async function patiently<T>(action: () => Promise<T>): Promise<T> {
    for (let left = PATIENCE.tries; ; left--) {
      try {
        return await action()
      } catch (error) {
        if (left <= 1 || !isBusy(error)) throw error
        await deps.sleep(PATIENCE.pauseMs)
      }
    }
  }

  async function openNow(): Promise<void> {
    await assertVersion()
    await load()
    const info = await call<WalletInfo>('getwalletinfo')
    if (info.private_keys_enabled || !info.descriptors)
      throw new ProviderUnfit(
        `The node's wallet ${wallet} is no watching wallet of descriptors. Name one that does not exist yet: it is made.`,
      )
    assertNotScanning(info)
    receiving = await withChecksum(account.receiving)
    const own = await findOwn()
    watchedTo = own?.range?.[1] ?? -1
    // One that gives addresses of its own would give one that an order gets later.
    if (own?.active === true && watchedTo >= 0)
      await importAll([{ desc: receiving, active: false, internal: false, range: [0, watchedTo], timestamp: 'now' }])
    const { highest } = await deps.reachBeyond(watchedTo)
    await extendTo(highest)
  }

  const open = (): Promise<void> => patiently(openNow)

  /** One at a time: the node imports once at a time and refuses a second. */
  async function reachTo(index: number): Promise<void> {
    if (receiving === null) await open()
    extending = extending.catch(() => undefined).then(() => patiently(() => extendTo(index)))
    await extending
  }

  /** While it reads old blocks again it does not know yet of all that was paid. */
  function assertNotScanning({ scanning }: WalletInfo): void {
    if (scanning !== false)
      throw new StillScanning(`The node's wallet ${wallet} reads old blocks again. Payments are taken when it is done.`)
  }

  async function assertVersion(): Promise<void> {
    const { version } = await node.call<{ version: number }>('getnetworkinfo')
    if (version < OLDEST_VERSION) throw new ProviderUnfit('The bitcoin node is older than version 25. Update it.')
  }

  async function load(): Promise<void> {
    if ((await node.call<string[]>('listwallets')).includes(wallet)) return
    try {
      await node.call('loadwallet', { filename: wallet, load_on_startup: true }, { timeoutMs: IMPORT_TIMEOUT_MS })
    } catch (error) {
      if (!(error instanceof NodeError) || error.code !== RPC.walletNotFound) {
        if (await isLoaded()) return // another process was faster
        throw error
      }
      await create()
    }
  }

  async function create(): Promise<void> {
    const kind = { disable_private_keys: true, blank: true, descriptors: true, load_on_startup: true }
    try {
      await node.call('createwallet', { wallet_name: wallet, ...kind })
    } catch (error) {
      if (!(await isLoaded())) throw error
    }
  }

  async function isLoaded(): Promise<boolean> {
    return (await node.call<string[]>('listwallets')).includes(wallet)
  }

  async function withChecksum(descriptor: string): Promise<string> {
    const { checksum } = await node.call<{ checksum: string }>('getdescriptorinfo', { descriptor })
    return `${descriptor}#${checksum}`
  }

  /** Our receiving addresses as the wallet has them; undefined when it does not watch them. */
  async function findOwn(): Promise<WatchedDescriptor | undefined> {
    const { descriptors } = await call<{ descriptors: WatchedDescriptor[] }>('listdescriptors')
    return descriptors.find(({ desc }) => desc.replaceAll("'", 'h').split('#')[0] === account.receiving)
  }

  /** The last index the wallet watches of them; −1 when it does not watch them. */
  async function findWatchedTo(): Promise<number> {
    return (await findOwn())?.range?.[1] ?? -1
  }

  async function extendTo(index: number): Promise<void> {
    if (watchedTo >= index + LEAST_AHEAD) return
    watchedTo = await findWatchedTo() // the node itself watches further when addresses are paid
    if (watchedTo >= index + LEAST_AHEAD) return
    // Nobody was told an address beyond the range, unless the node's wallet was lost or the database is a newer one:
    // then what those received has to be looked for in the blocks since.
    const { beyondSince } = await deps.reachBeyond(watchedTo)
    const timestamp = beyondSince === null ? 'now' : Math.max(0, beyondSince - RESCAN_MARGIN_SECONDS)
    const isNew = watchedTo < 0
    const last = index + AHEAD
    const requests = [
      { desc: receiving, active: false, internal: false, range: [0, last], timestamp },
      ...(isNew
        ? [
            {
              desc: await withChecksum(account.change),
              active: true,
              internal: true,
              range: [0, LEAST_AHEAD],
              timestamp,
            },
          ]
        : []),
    ]
    await importAll(requests)
    watchedTo = last
  }

  async function importAll(requests: readonly object[]): Promise<void> {
    const results = await call<ImportResult[]>('importdescriptors', { requests }, IMPORT_TIMEOUT_MS)
    const failed = results.find((result) => !result.success)
    if (failed !== undefined)
      throw new ProviderUnfit(
        `The node cannot watch the account's addresses: ${failed.error?.message ?? 'it does not say why'}`,
      )
  }

  async function callOpen<T>(method: string, params: object = {}, timeoutMs?: number): Promise<T> {
    try {
      return await call<T>(method, params, timeoutMs)
    } catch (error) {
      if (!(error instanceof NodeError) || error.code !== RPC.walletNotFound) throw error
      await open()
      return await call<T>(method, params, timeoutMs)
    }
  }

  return {
    open,
    reachTo,
    call: callOpen,
    assertReady: () => patiently(async () => assertNotScanning(await callOpen<WalletInfo>('getwalletinfo'))),

    async assertSameAddress(index, address) {
      if (receiving === null) await open()
      const derived = await node.call<string[]>('deriveaddresses', { descriptor: receiving, range: [index, index] })
      if (derived[0] !== address)
        throw new ProviderUnfit(
          `The node derives another address at index ${index} than we do. Nothing may be paid there.`,
        )
    },
  }
}

/** The wallet is being extended, which takes a moment, or reads old blocks again, which takes hours. */
class StillScanning extends ProviderUnfit {}

function isBusy(error: unknown): boolean {
  if (error instanceof StillScanning) return true
  return error instanceof NodeError && (error.code === RPC.wallet || error.code === RPC.walletAlreadyLoaded)
}

interface WalletInfo {
  readonly private_keys_enabled: boolean
  readonly descriptors: boolean
  /** how far it has read old blocks again; false when it does not */
  readonly scanning: unknown
}

interface WatchedDescriptor {
  readonly desc: string
  /** whether the wallet gives new addresses of it itself */
  readonly active: boolean
  readonly range?: readonly [number, number]
}

interface ImportResult {
  readonly success: boolean
  readonly error?: { readonly message: string }
}
