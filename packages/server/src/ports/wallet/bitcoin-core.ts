import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { satsToBtc } from '@fairball/domain/money'
import { CHAINS } from '../bitcoin-node/chains.ts'
import { type BitcoinNode, NodeError, RPC, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { hasCode, NodeWallet } from '../bitcoin-node/wallet-call.ts'
import { checkTransaction, type CheckedTx } from './check-transaction.ts'
import { broadcast } from './core-broadcast.ts'
import { fund, hasYoungStranger } from './core-funding.ts'
import { BUILD_TIMEOUT_MS, coinOf, type DecodedPsbt, rateOf, rateText } from './core-shapes.ts'
import { confirmationsOf, isLost, outgoing, spend, spenderOf } from './core-transactions.ts'
import {
  type PaymentVersion,
  type PreparedTx,
  type PrepareRequest,
  type VersionRequest,
  type Wallet,
  type WalletBalances,
  WalletRefused,
  WalletUnfit,
} from './wallet.ts'

/**
 * Confirmation target: a payout should be in one of the next blocks, since "within an hour" leaves no room for
 * bargains.
 */
const CONFIRM_TARGET_BLOCKS = 2
/** Used if the node has no estimate, as on regtest and after a fresh start. In sats per 1,000 virtual bytes. */
const FALLBACK_RATE = 5_000n
/** Refunds bear their share of the fee at 2 sats per virtual byte, so no transaction may cost less. */
const LOWEST_RATE = 2_000n
/**
 * Less than the check tolerates when it reads the transaction again: change too small for an output goes into the fee.
 */
const HIGHEST_RATE = 250_000n
/** A bump pays at least a quarter more, and enough more to satisfy every node's rule for replacements. */
const LEAST_RATE_STEP = 6_000n
/** The amount a self-spend pays above the fee it replaces, in sats for each of its virtual bytes. */
const CANCEL_STEP_SATS = 3n
/** A spend of wpkh coins to one address: the overhead, and each coin, in virtual bytes; rounded up. */
const BARE_VBYTES = 44n
const COIN_VBYTES = 69n
/** A payment with one wpkh coin and change, without the requested outputs, in virtual bytes; rounded down. */
const PAYMENT_VBYTES = 109n

/** RPC_WALLET_UNLOCK_NEEDED: the wallet is encrypted, and its passphrase was not given or has expired. */
const UNLOCK_NEEDED = -13

export type CoreWallet = Wallet & {
  /**
   * Checks that payouts may use it: the right chain, nothing left to download, keys to sign with. @throws WalletUnfit
   */
  assertFit(): Promise<void>
  /**
   * Checks that payments come to another wallet. If they came to this one, the money would be paid out unnoticed, and
   * booked twice.
   *
   * @param address one that payments are taken at
   * @throws WalletUnfit if it is this wallet's
   */
  assertNotOurs(address: string): Promise<void>
}

/** The wallet in the node, and its required network. */
interface HotWallet {
  readonly wallet: NodeWallet
  readonly network: BitcoinNetwork
}

/**
 * The hot wallet in Bitcoin Core (25 or newer), with private keys: it holds only the float. The node builds and signs;
 * a program of our own reads the result again before it counts (payments.md section 5, steps 3 to 5).
 *
 * @param options.wallet its name in the node; it is loaded if necessary
 */
export function createCoreWallet(options: { node: BitcoinNode; wallet: string; network: BitcoinNetwork }): CoreWallet {
  const wallet = new NodeWallet(options.node, options.wallet)
  const hot: HotWallet = { wallet, network: options.network }
  return {
    assertFit: () => assertFit(hot),
    assertNotOurs: (address) => assertNotOurs(wallet, address),
    prepare: (request) => prepare(hot, request),
    bump: (request) => bump(hot, request),
    cancel: (request) => cancel(hot, request),
    broadcast: (version, others) => broadcast(wallet, version, others),
    confirmations: (txid) => confirmationsOf(wallet, txid),
    spender: (outpoint) => spenderOf(wallet, outpoint),
    isLost: (outpoint) => isLost(wallet, outpoint),
    ownAmong: (addresses) => ownAmong(wallet, addresses),
    outgoing: (since) => outgoing(wallet, since),
    spend: (txid) => spend(wallet, txid),
    hold: (outpoints) => hold(wallet, outpoints),
    release: (outpoints) => release(wallet, outpoints),
    estimateFee: async () => ({ rate: await rateNow(options.node), bareVbytes: PAYMENT_VBYTES }),
    balances: () => balances(wallet),
  }
}

async function assertFit({ wallet, network }: HotWallet): Promise<void> {
  const chain = await wallet.node.call<{ chain: string; initialblockdownload: boolean }>('getblockchaininfo')
  if (chain.chain !== CHAINS[network])
    throw new WalletUnfit(`The node is on the chain ${chain.chain}, payouts are for ${network}.`)
  // A regtest without a block for a day says so for ever.
  if (chain.initialblockdownload && network !== 'regtest')
    throw new WalletUnfit('The node is still downloading the chain.')
  const info = await walletInfo(wallet)
  if (!info.private_keys_enabled)
    throw new WalletUnfit(`The node's wallet ${wallet.name} has no keys to sign payouts with.`)
}

/**
 * Fit, and not locked. A locked wallet is no reason to stop serving: deposits still come, and payouts wait for the
 * operator, who alone knows the passphrase.
 */
async function assertCanSign(hot: HotWallet): Promise<void> {
  await assertFit(hot)
  if ((await walletInfo(hot.wallet)).unlocked_until === 0) throw lockedWallet(hot.wallet)
}

function lockedWallet({ name }: NodeWallet, cause?: unknown): WalletUnfit {
  return new WalletUnfit(
    `The node's wallet ${name} is locked. Unlock it: bitcoin-cli -rpcwallet=${name} walletpassphrase`,
    { cause },
  )
}

async function walletInfo(wallet: NodeWallet): Promise<{ private_keys_enabled: boolean; unlocked_until?: number }> {
  try {
    return await wallet.call('getwalletinfo')
  } catch (cause) {
    if (!hasCode(cause, RPC.walletNotFound)) throw cause
    const { name } = wallet
    throw new WalletUnfit(`The node has no wallet ${name}. Make it: bitcoin-cli createwallet ${name}`, { cause })
  }
}

async function assertNotOurs(wallet: NodeWallet, address: string): Promise<void> {
  if (!(await isOwnAddress(wallet, address))) return
  throw new WalletUnfit(
    `Payments would come to ${address}, which is an address of the payouts' wallet ${wallet.name}. They need a wallet or ` +
      'account of their own: give the payouts another wallet (BITCOIN_HOT_WALLET), or the payments another account.',
  )
}

async function prepare(hot: HotWallet, request: PrepareRequest): Promise<PreparedTx> {
  const { wallet } = hot
  await assertCanSign(hot)
  await lock(wallet, request.reserved) // a restart of the node may have forgotten them
  const rate = highest([await rateNow(wallet.node), request.leastRate ?? 0n])
  const { outputs, reserved, worthFeeSats } = request
  return await finish(hot, await fund(wallet, request, rate, []), { outputs, reserved, worthFeeSats, shares: [] })
}

async function bump(hot: HotWallet, request: VersionRequest): Promise<PreparedTx | null> {
  const { wallet } = hot
  const { versions } = request
  await assertCanSign(hot)
  if (await isNotPassedOver(wallet, versions)) return null
  for (const { txid } of versions) if (((await confirmationsOf(wallet, txid)) ?? 0) > 0) return null
  const paid = highest(versions.map(rateOf))
  const rate = highest([await rateNow(wallet.node), (paid * 5n) / 4n, paid + LEAST_RATE_STEP])
  if (rate > HIGHEST_RATE) return null
  await lock(wallet, request.reserved)
  const newest = versions.at(-1)?.inputs ?? []
  const bumped = await bumpedPsbt(wallet, versions, rate)
  const isFit = bumped !== null && !(await hasYoungStranger(wallet, bumped, versions))
  const psbt = isFit ? bumped : await fund(wallet, request, rate, newest)
  const shares = versions.map((version) => version.inputs)
  const { outputs, reserved, worthFeeSats } = request
  return await finish(hot, psbt, { outputs, reserved, worthFeeSats, shares })
}

/** Whether a version waits in the mempool, and no block has come since. */
async function isNotPassedOver(wallet: NodeWallet, versions: readonly PaymentVersion[]): Promise<boolean> {
  for (const { txid } of versions) {
    const entry = await wallet.callOrNull<{ height: number }>('getmempoolentry', { txid })
    if (entry !== null) return entry.height >= (await wallet.node.call<number>('getblockcount'))
  }
  return false
}

/** The version to replace: the newest one that the wallet has accepted. Null if none ever reached it. */
async function bumpedPsbt(
  wallet: NodeWallet,
  versions: readonly PaymentVersion[],
  rate: bigint,
): Promise<string | null> {
  for (const { txid } of versions.toReversed()) {
    try {
      const bumped = { txid, options: { fee_rate: rateText(rate), replaceable: true } }
      return (await wallet.call<{ psbt: string }>('psbtbumpfee', bumped, BUILD_TIMEOUT_MS)).psbt
    } catch (error) {
      if (hasCode(error, RPC.unknown)) continue
      if (error instanceof NodeError) throw new WalletRefused(error.message, { cause: error })
      throw error
    }
  }
  return null
}

async function cancel(hot: HotWallet, request: VersionRequest): Promise<PreparedTx> {
  const { wallet } = hot
  const { node } = wallet
  await assertCanSign(hot)
  const coins = sharedCoins(request)
  const sats = await confirmedSatsOf(node, coins)
  const vbytes = BARE_VBYTES + COIN_VBYTES * BigInt(coins.length)
  const replacing = highest(request.versions.map((version) => version.feeSats)) + CANCEL_STEP_SATS * vbytes
  const feeSats = highest([replacing, ((await rateNow(node)) * vbytes) / 1000n])
  const address = await wallet.call<string>('getnewaddress', {
    label: `cancelled ${request.label}`,
    address_type: 'bech32',
  })
  const outputs = [{ address, sats: sats - feeSats }]
  if (sats <= feeSats) throw new WalletRefused(`the coins are worth ${sats} sats, a self-spend costs ${feeSats}`)
  const psbt = await node.call<string>('createpsbt', {
    inputs: coins.map(coinOf),
    outputs: [{ [address]: satsToBtc(sats - feeSats) }],
    replaceable: true,
  })
  // createpsbt knows no coins: walletprocesspsbt fills them in without signing.
  const filled = await wallet.call<{ psbt: string }>('walletprocesspsbt', { psbt, sign: false })
  const shares = request.versions.map((version) => version.inputs)
  return await finish(hot, filled.psbt, { outputs, reserved: request.reserved, shares, mostFeeSats: feeSats })
}

/** The value of coins that are in blocks. @throws WalletRefused if one is not, or is spent */
async function confirmedSatsOf(node: BitcoinNode, coins: readonly string[]): Promise<bigint> {
  let sats = 0n
  for (const outpoint of coins) {
    const { txid, vout } = coinOf(outpoint)
    const found = await node.call<{ value: number } | null>('gettxout', { txid, n: vout, include_mempool: false })
    if (found === null) throw new WalletRefused(`the coin ${outpoint} is spent in a block, or in no block now`)
    sats += satsOfBtc(found.value)
  }
  return sats
}

/** The rate for a transaction now, in sats per 1,000 virtual bytes, within the bounds. */
async function rateNow(node: BitcoinNode): Promise<bigint> {
  const target = { conf_target: CONFIRM_TARGET_BLOCKS, estimate_mode: 'economical' }
  const { feerate } = await node.call<{ feerate?: number }>('estimatesmartfee', target)
  const { mempoolminfee } = await node.call<{ mempoolminfee: number }>('getmempoolinfo')
  const estimated = feerate === undefined ? FALLBACK_RATE : satsOfBtc(feerate)
  const wanted = highest([estimated, satsOfBtc(mempoolminfee), LOWEST_RATE])
  return wanted < HIGHEST_RATE ? wanted : HIGHEST_RATE
}

/** Signs, and compares the outcome with the request. Its coins are free again if it is refused. */
async function finish(
  { wallet, network }: HotWallet,
  psbt: string,
  wanted: Pick<CheckedTx, 'outputs' | 'reserved' | 'shares' | 'mostFeeSats' | 'worthFeeSats'>,
): Promise<PreparedTx> {
  const decoded = await wallet.call<DecodedPsbt>('decodepsbt', { psbt })
  const inputs = decoded.tx.vin.map((input) => `${input.txid}:${input.vout}`)
  try {
    const changeAddress = await changeAddressIn(wallet, decoded, wanted.outputs)
    const raw = await signed(wallet, psbt)
    const prepared = checkTransaction({ ...wanted, raw, network, changeAddress, coinSats: coinSatsIn(decoded) })
    const others = prepared.inputs.filter((outpoint) => !inputs.includes(outpoint))
    if (others.length > 0) throw new WalletRefused(`signing brought in other coins: ${others.join(' ')}`)
    return prepared
  } catch (error) {
    const kept = new Set([...wanted.reserved, ...wanted.shares.flat()])
    await release(
      wallet,
      inputs.filter((outpoint) => !kept.has(outpoint)),
    )
    throw hasCode(error, UNLOCK_NEEDED) ? lockedWallet(wallet, error) : error
  }
}

/** The signed bytes, in hexadecimal. @throws WalletRefused */
async function signed(wallet: NodeWallet, psbt: string): Promise<string> {
  const processed = await wallet.call<{ psbt: string }>(
    'walletprocesspsbt',
    { psbt, sign: true, sighashtype: 'ALL' },
    BUILD_TIMEOUT_MS,
  )
  const final = await wallet.call<{ complete: boolean; hex?: string }>('finalizepsbt', {
    psbt: processed.psbt,
    extract: true,
  })
  if (!final.complete || final.hex === undefined) throw new WalletRefused('the wallet could not sign everything')
  return final.hex
}

/** The address of the one unrequested output. @throws WalletRefused if it is not the wallet's own */
async function changeAddressIn(
  wallet: NodeWallet,
  decoded: DecodedPsbt,
  outputs: PrepareRequest['outputs'],
): Promise<string | null> {
  const wanted = new Set(outputs.map((output) => output.address))
  const others = decoded.tx.vout.filter(({ scriptPubKey }) => !wanted.has(scriptPubKey.address ?? ''))
  const [change, ...more] = others
  if (change === undefined) return null
  const { address } = change.scriptPubKey
  if (more.length > 0 || address === undefined) throw new WalletRefused('there are outputs nobody asked for')
  if (!(await isOwnAddress(wallet, address)))
    throw new WalletRefused(`the change goes to ${address}, which is not the wallet's`)
  return address
}

async function isOwnAddress(wallet: NodeWallet, address: string): Promise<boolean> {
  return (await wallet.call<{ ismine: boolean }>('getaddressinfo', { address })).ismine
}

async function ownAmong(wallet: NodeWallet, addresses: readonly string[]): Promise<string[]> {
  const own: string[] = []
  for (const address of addresses) if (await isOwnAddress(wallet, address)) own.push(address)
  return own
}

async function hold(wallet: NodeWallet, outpoints: readonly string[]): Promise<void> {
  const wanted = new Set(outpoints)
  const others = (await lockedCoins(wallet)).filter((outpoint) => !wanted.has(outpoint))
  await release(wallet, others)
  await lock(wallet, outpoints)
}

async function lock(wallet: NodeWallet, outpoints: readonly string[]): Promise<void> {
  const locked = new Set(await lockedCoins(wallet))
  for (const outpoint of outpoints.filter((one) => !locked.has(one))) {
    // One at a time: a spent coin cannot be locked, and needs no lock.
    await setLock(wallet, outpoint, { isLocked: true })
  }
}

async function release(wallet: NodeWallet, outpoints: readonly string[]): Promise<void> {
  for (const outpoint of outpoints) await setLock(wallet, outpoint, { isLocked: false })
}

async function setLock(wallet: NodeWallet, outpoint: string, { isLocked }: { isLocked: boolean }): Promise<void> {
  const persistent = isLocked ? { persistent: true } : {}
  try {
    await wallet.call('lockunspent', { unlock: !isLocked, transactions: [coinOf(outpoint)], ...persistent })
  } catch (error) {
    if (!hasCode(error, RPC.badParameter)) throw error
  }
}

async function lockedCoins(wallet: NodeWallet): Promise<string[]> {
  const coins = await wallet.call<readonly { txid: string; vout: number }[]>('listlockunspent')
  return coins.map(({ txid, vout }) => `${txid}:${vout}`)
}

async function balances(wallet: NodeWallet): Promise<WalletBalances> {
  const { mine } = await wallet.call<{ mine: { trusted: number; untrusted_pending: number } }>('getbalances')
  return { spendableSats: satsOfBtc(mine.trusted), incomingSats: satsOfBtc(mine.untrusted_pending) }
}

/** The coins that every version spends. @throws WalletRefused if there is none */
function sharedCoins({ versions }: VersionRequest): string[] {
  const [first, ...later] = versions
  const coins = (first?.inputs ?? []).filter((outpoint) => later.every((version) => version.inputs.includes(outpoint)))
  if (coins.length === 0) throw new WalletRefused('the versions share no coin that could be spent back')
  return coins
}

function coinSatsIn(decoded: DecodedPsbt): Map<string, bigint> {
  return new Map(
    decoded.tx.vin.flatMap(({ txid, vout }, place) => {
      const { witness_utxo: witness, non_witness_utxo: whole } = decoded.inputs[place] ?? {}
      const amount = whole?.vout[vout]?.value ?? witness?.amount
      return amount === undefined ? [] : [[`${txid}:${vout}`, satsOfBtc(amount)] as const]
    }),
  )
}

function highest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
}
