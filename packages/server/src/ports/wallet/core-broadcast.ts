import { satsToBtc } from '@fairball/domain/money'
import { NodeError, NodeUnreachable, RPC } from '../bitcoin-node/rpc.ts'
import type { NodeWallet } from '../bitcoin-node/wallet-call.ts'
import { coinOf, rateOf } from './core-shapes.ts'
import { confirmationsOf, spenderOf } from './core-transactions.ts'
import { type BroadcastOutcome, type PaymentVersion, WalletRefused } from './wallet.ts'

/** RPC_DESERIALIZATION_ERROR */
const NO_TRANSACTION = -22

/**
 * Sends signed bytes, and reads the outcome from the node's answer (payments.md section 5, step 7).
 *
 * @param others the other versions of the payment
 */
export async function broadcast(
  wallet: NodeWallet,
  version: PaymentVersion,
  others: readonly PaymentVersion[],
): Promise<BroadcastOutcome> {
  try {
    // The fee was checked when it was signed: bytes that pay more than was stored are not ours.
    const maxfeerate = satsToBtc(rateOf(version) + 1000n)
    await wallet.node.call<string>('sendrawtransaction', { hexstring: version.raw, maxfeerate })
    return 'sent'
  } catch (error) {
    try {
      if (error instanceof NodeError) return await readRefusal(wallet, error, version, others)
      throw error
    } catch (failure) {
      if (failure instanceof NodeUnreachable) return 'unreachable'
      throw failure
    }
  }
}

async function readRefusal(
  wallet: NodeWallet,
  error: NodeError,
  version: PaymentVersion,
  others: readonly PaymentVersion[],
): Promise<BroadcastOutcome> {
  if (error.code === RPC.alreadyMined) return 'already-known'
  if (error.code === RPC.warmingUp) return 'unreachable'
  if (error.code === RPC.rejected) return await readRejection(wallet, error, version, others)
  if (error.code === RPC.missingInputs && /missing|spent/i.test(error.message))
    return await readMissing(wallet, version, others)
  // The node's verdict on these bytes is for a person; its own failures pass, and the bytes stay the same.
  if (error.code === RPC.missingInputs || error.code === NO_TRANSACTION)
    throw new WalletRefused(error.message, { cause: error })
  throw error
}

/** −26: the mempool does not accept it. */
async function readRejection(
  { node }: NodeWallet,
  error: NodeError,
  version: PaymentVersion,
  others: readonly PaymentVersion[],
): Promise<BroadcastOutcome> {
  const { message } = error
  if (/non-final|non-BIP68-final|premature-spend/i.test(message)) return 'not-final'
  if (/already|same-nonwitness-data/i.test(message)) return 'already-known'
  if (!/\bfee\b|mempool full|conflict|replacement/i.test(message)) throw new WalletRefused(message, { cause: error })
  const spending = await node.call<readonly { spendingtxid?: string }[]>('gettxspendingprevout', {
    outputs: version.inputs.map(coinOf),
  })
  const ours = new Set(others.map((other) => other.txid))
  const rivals = spending.flatMap(({ spendingtxid }) => (spendingtxid === undefined ? [] : [spendingtxid]))
  if (rivals.some((txid) => txid !== version.txid && !ours.has(txid))) return 'foreign-conflict'
  return rivals.length > 0 ? 'conflict-of-ours' : 'too-cheap'
}

/** −25: a coin is missing. A payment of ours whose outputs are spent has the same answer, so it is no failure yet. */
async function readMissing(
  wallet: NodeWallet,
  version: PaymentVersion,
  others: readonly PaymentVersion[],
): Promise<BroadcastOutcome> {
  if (((await confirmationsOf(wallet, version.txid)) ?? 0) > 0) return 'already-known'
  for (const { txid } of others) if (((await confirmationsOf(wallet, txid)) ?? 0) > 0) return 'conflict-of-ours'
  const ours = new Set(others.map((other) => other.txid))
  for (const outpoint of version.inputs) {
    const found = await spenderOf(wallet, outpoint)
    if (found !== null) return ours.has(found.txid) ? 'conflict-of-ours' : 'foreign-conflict'
  }
  // Unspent: the block with the coin itself is gone, and will return or be mined again.
  return 'not-final'
}
