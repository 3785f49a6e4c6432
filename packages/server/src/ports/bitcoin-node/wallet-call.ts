import { type BitcoinNode, NodeError, RPC } from './rpc.ts'

/**
 * Calls a wallet of the node. One that is not loaded, perhaps after a restart, is loaded and called once more.
 *
 * @throws NodeError, NodeUnreachable as `BitcoinNode.call`
 */
async function callWallet<T>(
  node: BitcoinNode,
  method: string,
  params: object,
  options: { readonly wallet: string; readonly timeoutMs?: number },
): Promise<T> {
  try {
    return await node.call<T>(method, params, options)
  } catch (error) {
    if (!hasCode(error, RPC.walletNotFound)) throw error
    const { wallet } = options
    await node.call('loadwallet', { filename: wallet, load_on_startup: true }).catch((cause: unknown) => {
      if (!hasCode(cause, RPC.walletAlreadyLoaded)) throw cause
    })
    return await node.call<T>(method, params, options)
  }
}

/** Whether the node refused with this code. */
export function hasCode(error: unknown, code: number): error is NodeError {
  return error instanceof NodeError && error.code === code
}

/** One wallet of the node. */
export class NodeWallet {
  readonly node: BitcoinNode
  readonly name: string

  constructor(node: BitcoinNode, name: string) {
    this.node = node
    this.name = name
  }

  /** Calls it, as `callWallet` does. @throws NodeError, NodeUnreachable */
  call<T>(method: string, params: object = {}, timeoutMs?: number): Promise<T> {
    const options = timeoutMs === undefined ? { wallet: this.name } : { wallet: this.name, timeoutMs }
    return callWallet<T>(this.node, method, params, options)
  }

  /** The answer, or null if the node says that there is nothing. */
  callOrNull<T>(method: string, params: object): Promise<T | null> {
    return orNull(this.call<T>(method, params))
  }
}

/** The answer to a call, null if the node knows no such transaction, block or address. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (hasCode(error, RPC.unknown)) return null
    throw error
  }
}
