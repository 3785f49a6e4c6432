import { Refused } from '../../kernel/errors.ts'
import { createNode, NodeError, NodeUnreachable, RPC } from '../../ports/bitcoin-node/rpc.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Answers } from './setup-files.ts'

/** Wallets of a rehearsal: in production the deposits' keys are on a computer that is never online. */
const DEPOSITS = 'fairball-cold'
const PAYOUTS = 'fairball-hot'
/** `wpkh([d34db33f/84h/1h/0h]tpub…/0/*)#checksum` */
const RECEIVING = /^wpkh\((\[[0-9a-f]{8}\/[^\]]+\][a-zA-Z0-9]+)\/0\/\*\)/

/**
 * Has the node of a test network make both wallets, where they are missing.
 *
 * @returns the account key of the deposits, as BITCOIN_XPUB has it
 * @throws Refused if the node cannot be asked, or is on mainnet
 */
export async function makeDeposits(answers: Answers, runtime: Pick<Runtime, 'fetch' | 'monotonic'>): Promise<string> {
  const { BITCOIN_RPC_URL: url = '', BITCOIN_RPC_COOKIE: cookieFile = '' } = answers
  const { fetch, monotonic } = runtime
  const node = createNode({ url, fetch, sleep: monotonic.sleep, ...(cookieFile === '' ? {} : { cookieFile }) })
  try {
    const { chain } = await node.call<{ chain: string }>('getblockchaininfo')
    if (chain === 'main')
      throw new Refused('BITCOIN_XPUB: the node is on mainnet, where the keys of deposits are never online.')
    for (const wallet of [DEPOSITS, PAYOUTS])
      await node.call('createwallet', { wallet_name: wallet, load_on_startup: true }).catch(isThere(node.call, wallet))
    const { descriptors } = await node.call<{ descriptors: { desc: string }[] }>(
      'listdescriptors',
      {},
      { wallet: DEPOSITS },
    )
    const [account] = descriptors.flatMap(({ desc }) => RECEIVING.exec(desc)?.[1] ?? [])
    if (account === undefined)
      throw new Refused(`The node's wallet ${DEPOSITS} shows no account key: set BITCOIN_XPUB.`)
    return account
  } catch (error) {
    if (!(error instanceof NodeError || error instanceof NodeUnreachable)) throw error
    throw new Refused(`The bitcoin node cannot make the wallets of a rehearsal: ${error.message}.`)
  }
}

/** A wallet that exists is loaded. */
function isThere(call: ReturnType<typeof createNode>['call'], wallet: string) {
  return async (error: unknown): Promise<void> => {
    if (!(error instanceof NodeError) || error.code !== RPC.wallet) throw error
    await call('loadwallet', { filename: wallet, load_on_startup: true }).catch((again: unknown) => {
      if (!(again instanceof NodeError) || (again.code !== RPC.walletAlreadyLoaded && again.code !== RPC.wallet))
        throw again
    })
  }
}
