import { type BitcoinNode, NodeError, RPC } from './rpc.ts'

/**
 * Asks a wallet of the node. One that is not loaded, after a restart perhaps, is loaded and asked once more.
 *
 * @throws NodeError, NodeUnreachable as `BitcoinNode.call`
 */
export async function callWallet<T>(
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

export type WalletCalls = ReturnType<typeof walletCalls>

/** The questions to one wallet of the node. */
export function walletCalls(node: BitcoinNode, wallet: string) {
  const call = <T>(method: string, params: object = {}, timeoutMs?: number): Promise<T> =>
    callWallet<T>(node, method, params, timeoutMs === undefined ? { wallet } : { wallet, timeoutMs })

  /** The answer, or null where the node says that there is nothing. */
  const callOrNull = <T>(method: string, params: object): Promise<T | null> => orNull(call<T>(method, params))

  return { call, callOrNull }
}

/** The answer to a question, null where the node knows no such transaction, block or address. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (hasCode(error, RPC.unknown)) return null
    throw error
  }
}
