import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { satsToBtc } from '@fairball/domain/money'
import { CHAINS } from '../bitcoin-node/chains.ts'
import { type BitcoinNode, NodeError, RPC, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { hasCode, walletCalls } from '../bitcoin-node/wallet-call.ts'
import { checkTransaction, type CheckedTx } from './check-transaction.ts'
import { createBroadcast } from './core-broadcast.ts'
import { createFunding } from './core-funding.ts'
import { BUILD_TIMEOUT_MS, coinOf, type DecodedPsbt, rateOf, rateText } from './core-shapes.ts'
import { createCoreTransactions } from './core-transactions.ts'
import {
  type PaymentVersion,
  type PreparedTx,
  type PrepareRequest,
  type VersionRequest,
  type Wallet,
  WalletRefused,
  WalletUnfit,
} from './wallet.ts'

/** A payout is to be in one of the next blocks: "within an hour" leaves no room for bargains. */
const CONFIRM_TARGET_BLOCKS = 2
/** Used where the node has no estimate, as on regtest and after a fresh start. In sats per 1,000 virtual bytes. */
const FALLBACK_RATE = 5_000n
/** Refunds bear their share of the fee at 2 sats a virtual byte, so no transaction may cost less. */
const LOWEST_RATE = 2_000n
/** Less than what is let through when it is read again: change that is too small to make goes into the fee. */
const HIGHEST_RATE = 250_000n
/** A bump pays at least a quarter more, and so much more that every node's rule for replacements is met. */
const LEAST_RATE_STEP = 6_000n
/** What a self-spend pays above the fee it replaces, in sats for each of its virtual bytes. */
const CANCEL_STEP_SATS = 3n
/** A spend of wpkh coins to one address: around them, and each, in virtual bytes; rounded up. */
const BARE_VBYTES = 44n
const COIN_VBYTES = 69n

/** RPC_WALLET_UNLOCK_NEEDED: the wallet is encrypted, and its passphrase was not given or has run out. */
const UNLOCK_NEEDED = -13

export type CoreWallet = Wallet & {
  /** Whether payouts may use it: the right chain, nothing left to download, keys to sign with. @throws WalletUnfit */
  assertFit(): Promise<void>
  /**
   * Whether payments come to another wallet. What they bring would be paid out unseen, and booked twice, if they came to
   * this one.
   *
   * @param address one that payments are taken at
   * @throws WalletUnfit when it is this wallet's
   */
  assertNotOurs(address: string): Promise<void>
}

/**
 * The hot wallet as one of Bitcoin Core's (25 or newer), with private keys: only the float lies in it. The node builds
 * and signs; what it made is read again by a program of our own before it counts (payments.md section 5, steps 3 to 5).
 *
 * @param options.wallet its name in the node; it is loaded where it is not
 */
export function createCoreWallet(options: { node: BitcoinNode; wallet: string; network: BitcoinNetwork }): CoreWallet {
  const { node, wallet, network } = options

  const calls = walletCalls(node, wallet)
  const { call, callOrNull } = calls
  const transactions = createCoreTransactions(node, calls)
  const { confirmations } = transactions
  const { fund, hasYoungStranger } = createFunding(calls)

  async function assertFit(): Promise<void> {
    const chain = await node.call<{ chain: string; initialblockdownload: boolean }>('getblockchaininfo')
    if (chain.chain !== CHAINS[network])
      throw new WalletUnfit(`The node is on the chain ${chain.chain}, payouts are for ${network}.`)
    // A regtest on which nobody mined for a day says so for ever.
    if (chain.initialblockdownload && network !== 'regtest')
      throw new WalletUnfit('The node is still downloading the chain.')
    const info = await walletInfo()
    if (!info.private_keys_enabled)
      throw new WalletUnfit(`The node's wallet ${wallet} has no keys to sign payouts with.`)
  }

  /**
   * Fit, and not locked. A locked wallet is no reason to stop serving: deposits still come, and payouts wait for the
   * operator, who alone knows the passphrase.
   */
  async function assertCanSign(): Promise<void> {
    await assertFit()
    if ((await walletInfo()).unlocked_until === 0) throw lockedWallet()
  }

  function lockedWallet(cause?: unknown): WalletUnfit {
    return new WalletUnfit(
      `The node's wallet ${wallet} is locked. Unlock it: bitcoin-cli -rpcwallet=${wallet} walletpassphrase`,
      { cause },
    )
  }

  async function walletInfo(): Promise<{ private_keys_enabled: boolean; unlocked_until?: number }> {
    try {
      return await call('getwalletinfo')
    } catch (cause) {
      if (!hasCode(cause, RPC.walletNotFound)) throw cause
      throw new WalletUnfit(`The node has no wallet ${wallet}. Make it: bitcoin-cli createwallet ${wallet}`, { cause })
    }
  }

  /** What a transaction should pay now, in sats per 1,000 virtual bytes, within the bounds. */
  async function rateNow(): Promise<bigint> {
    const target = { conf_target: CONFIRM_TARGET_BLOCKS, estimate_mode: 'economical' }
    const { feerate } = await node.call<{ feerate?: number }>('estimatesmartfee', target)
    const { mempoolminfee } = await node.call<{ mempoolminfee: number }>('getmempoolinfo')
    const estimated = feerate === undefined ? FALLBACK_RATE : satsOfBtc(feerate)
    const wanted = highest([estimated, satsOfBtc(mempoolminfee), LOWEST_RATE])
    return wanted < HIGHEST_RATE ? wanted : HIGHEST_RATE
  }

  /** Signs, and holds the outcome against what was asked for. Its coins are free again where it is refused. */
  async function finish(
    psbt: string,
    wanted: Pick<CheckedTx, 'outputs' | 'reserved' | 'shares' | 'mostFeeSats'>,
  ): Promise<PreparedTx> {
    const decoded = await call<DecodedPsbt>('decodepsbt', { psbt })
    const inputs = decoded.tx.vin.map((input) => `${input.txid}:${input.vout}`)
    try {
      const changeAddress = await changeAddressIn(decoded, wanted.outputs)
      const signed = await call<{ psbt: string }>(
        'walletprocesspsbt',
        { psbt, sign: true, sighashtype: 'ALL' },
        BUILD_TIMEOUT_MS,
      )
      const final = await call<{ complete: boolean; hex?: string }>('finalizepsbt', {
        psbt: signed.psbt,
        extract: true,
      })
      if (!final.complete || final.hex === undefined) throw new WalletRefused('the wallet could not sign everything')
      const prepared = checkTransaction({
        ...wanted,
        raw: final.hex,
        network,
        changeAddress,
        coinSats: coinSatsIn(decoded),
      })
      const others = prepared.inputs.filter((outpoint) => !inputs.includes(outpoint))
      if (others.length > 0) throw new WalletRefused(`signing brought in other coins: ${others.join(' ')}`)
      return prepared
    } catch (error) {
      const kept = new Set([...wanted.reserved, ...wanted.shares.flat()])
      await release(inputs.filter((outpoint) => !kept.has(outpoint)))
      throw hasCode(error, UNLOCK_NEEDED) ? lockedWallet(error) : error
    }
  }

  /** Where the one output goes that nobody asked for. @throws WalletRefused when that is not the wallet itself */
  async function changeAddressIn(decoded: DecodedPsbt, outputs: PrepareRequest['outputs']): Promise<string | null> {
    const wanted = new Set(outputs.map((output) => output.address))
    const others = decoded.tx.vout.filter(({ scriptPubKey }) => !wanted.has(scriptPubKey.address ?? ''))
    const [change, ...more] = others
    if (change === undefined) return null
    const { address } = change.scriptPubKey
    if (more.length > 0 || address === undefined) throw new WalletRefused('there are outputs nobody asked for')
    if (!(await isOwnAddress(address)))
      throw new WalletRefused(`the change goes to ${address}, which is not the wallet's`)
    return address
  }

  async function isOwnAddress(address: string): Promise<boolean> {
    return (await call<{ ismine: boolean }>('getaddressinfo', { address })).ismine
  }

  async function lock(outpoints: readonly string[]): Promise<void> {
    const locked = new Set(await lockedCoins())
    for (const outpoint of outpoints.filter((one) => !locked.has(one))) {
      // One at a time: a coin that is spent already cannot be locked, and needs no lock.
      await setLocks([outpoint], { isLocked: true })
    }
  }

  async function release(outpoints: readonly string[]): Promise<void> {
    for (const outpoint of outpoints) await setLocks([outpoint], { isLocked: false })
  }

  async function setLocks(outpoints: readonly string[], { isLocked }: { isLocked: boolean }): Promise<void> {
    const persistent = isLocked ? { persistent: true } : {}
    try {
      await call('lockunspent', { unlock: !isLocked, transactions: outpoints.map(coinOf), ...persistent })
    } catch (error) {
      if (!hasCode(error, RPC.badParameter)) throw error
    }
  }

  async function lockedCoins(): Promise<string[]> {
    const coins = await call<readonly { txid: string; vout: number }[]>('listlockunspent')
    return coins.map(({ txid, vout }) => `${txid}:${vout}`)
  }

  /** The version to replace: the newest one that the wallet has taken in. Null where none ever reached it. */
  async function bumpedPsbt(versions: readonly PaymentVersion[], rate: bigint): Promise<string | null> {
    for (const { txid } of versions.toReversed()) {
      try {
        const bumped = { txid, options: { fee_rate: rateText(rate), replaceable: true } }
        return (await call<{ psbt: string }>('psbtbumpfee', bumped, BUILD_TIMEOUT_MS)).psbt
      } catch (error) {
        if (hasCode(error, RPC.unknown)) continue
        if (error instanceof NodeError) throw new WalletRefused(error.message, { cause: error })
        throw error
      }
    }
    return null
  }

  /** Whether a version waits in the mempool, and no block came since it did. */
  async function isNotPassedOver(versions: readonly PaymentVersion[]): Promise<boolean> {
    for (const { txid } of versions) {
      const entry = await callOrNull<{ height: number }>('getmempoolentry', { txid })
      if (entry !== null) return entry.height >= (await node.call<number>('getblockcount'))
    }
    return false
  }

  return {
    assertFit,

    async assertNotOurs(address) {
      if (!(await isOwnAddress(address))) return
      throw new WalletUnfit(
        `Payments would come to ${address}, which is an address of the payouts' wallet ${wallet}. They need a wallet or ` +
          'account of their own: give the payouts another wallet (BITCOIN_HOT_WALLET), or the payments another account.',
      )
    },

    async prepare(request) {
      await assertCanSign()
      await lock(request.reserved) // a restart of the node may have forgotten them
      const psbt = await fund(request, await rateNow(), [])
      return await finish(psbt, { outputs: request.outputs, reserved: request.reserved, shares: [] })
    },

    async bump(request) {
      await assertCanSign()
      const { versions } = request
      if (await isNotPassedOver(versions)) return null
      for (const { txid } of versions) if (((await confirmations(txid)) ?? 0) > 0) return null
      const paid = highest(versions.map(rateOf))
      const rate = highest([await rateNow(), (paid * 5n) / 4n, paid + LEAST_RATE_STEP])
      if (rate > HIGHEST_RATE) return null
      await lock(request.reserved)
      const newest = versions.at(-1)?.inputs ?? []
      const bumped = await bumpedPsbt(versions, rate)
      const isFit = bumped !== null && !(await hasYoungStranger(bumped, versions))
      const psbt = isFit ? bumped : await fund(request, rate, newest)
      const shares = versions.map((version) => version.inputs)
      return await finish(psbt, { outputs: request.outputs, reserved: request.reserved, shares })
    },

    async cancel(request) {
      await assertCanSign()
      const coins = sharedCoins(request)
      let sats = 0n
      for (const outpoint of coins) {
        const { txid, vout } = coinOf(outpoint)
        const found = await node.call<{ value: number } | null>('gettxout', { txid, n: vout, include_mempool: false })
        if (found === null) throw new WalletRefused(`the coin ${outpoint} is spent in a block, or in no block now`)
        sats += satsOfBtc(found.value)
      }
      const vbytes = BARE_VBYTES + COIN_VBYTES * BigInt(coins.length)
      const replacing = highest(request.versions.map((version) => version.feeSats)) + CANCEL_STEP_SATS * vbytes
      const feeSats = highest([replacing, ((await rateNow()) * vbytes) / 1000n])
      const address = await call<string>('getnewaddress', {
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
      const filled = await call<{ psbt: string }>('walletprocesspsbt', { psbt, sign: false })
      const shares = request.versions.map((version) => version.inputs)
      return await finish(filled.psbt, { outputs, reserved: request.reserved, shares, mostFeeSats: feeSats })
    },

    ...transactions,
    broadcast: createBroadcast(node, transactions),

    async ownAmong(addresses) {
      const own: string[] = []
      for (const address of addresses) if (await isOwnAddress(address)) own.push(address)
      return own
    },

    async hold(outpoints) {
      const wanted = new Set(outpoints)
      await release((await lockedCoins()).filter((outpoint) => !wanted.has(outpoint)))
      await lock(outpoints)
    },

    release,

    async balances() {
      const { mine } = await call<{ mine: { trusted: number; untrusted_pending: number } }>('getbalances')
      return { spendableSats: satsOfBtc(mine.trusted), incomingSats: satsOfBtc(mine.untrusted_pending) }
    },
  }
}

/** The coins that every version spends. @throws WalletRefused when there is none */
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
