import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { satsToBtc } from '@fairball/domain/money'
import { Transaction } from '@scure/btc-signer'
import { type BitcoinNode, NodeError, NodeUnreachable, RPC, satsOfBtc } from '../bitcoin-node/rpc.ts'
import { callWallet, hasCode } from '../bitcoin-node/wallet-call.ts'
import { checkTransaction, type CheckedTx } from './check-transaction.ts'
import {
  type BroadcastOutcome,
  type PaymentVersion,
  type PreparedTx,
  type PrepareRequest,
  type VersionRequest,
  type Wallet,
  WalletRefused,
  WalletShort,
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
/** Signing 500 outputs from many coins takes longer than a plain question. */
const BUILD_TIMEOUT_MS = 60_000
/** What is listed from this depth on stays as it is. */
const FINAL_BLOCKS = 6

/** RPC_WALLET_INSUFFICIENT_FUNDS */
const INSUFFICIENT_FUNDS = -6
/** RPC_WALLET_UNLOCK_NEEDED: the wallet is encrypted, and its passphrase was not given or has run out. */
const UNLOCK_NEEDED = -13
/** RPC_DESERIALIZATION_ERROR */
const NO_TRANSACTION = -22

/** The names Bitcoin Core has for the networks. */
const CHAINS: Readonly<Record<BitcoinNetwork, string>> = {
  mainnet: 'main',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
}

interface DecodedPsbt {
  readonly tx: {
    readonly vin: readonly { readonly txid: string; readonly vout: number }[]
    readonly vout: readonly { readonly value: number; readonly scriptPubKey: { readonly address?: string } }[]
  }
  readonly inputs: readonly {
    readonly witness_utxo?: { readonly amount: number }
    readonly non_witness_utxo?: { readonly vout: readonly { readonly value: number }[] }
  }[]
}

interface OwnTx {
  readonly hex: string
  readonly confirmations: number
  /** negative; missing where not every coin is the wallet's */
  readonly fee?: number
  readonly details: readonly { readonly category: string; readonly address?: string; readonly amount: number }[]
  readonly decoded: DecodedPsbt['tx']
}

interface ListedTx {
  readonly txid: string
  readonly category: string
  readonly confirmations: number
}

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

  const call = <T>(method: string, params: object = {}, timeoutMs?: number): Promise<T> =>
    callWallet<T>(node, method, params, timeoutMs === undefined ? { wallet } : { wallet, timeoutMs })

  /** The answer, or null where the node says that there is nothing. */
  async function callOrNull<T>(method: string, params: object): Promise<T | null> {
    try {
      return await call<T>(method, params)
    } catch (error) {
      if (hasCode(error, RPC.unknown)) return null
      throw error
    }
  }

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

  /**
   * Chooses coins and change: what others sent from six confirmations on, because a reorganisation may give that to
   * somebody else; and where it does not suffice, change of the wallet's own from one on, as much of it as is needed.
   */
  async function fund(request: PrepareRequest, rate: bigint, coins: readonly string[]): Promise<string> {
    try {
      return await fundFrom(request, rate, coins)
    } catch (error) {
      if (!(error instanceof WalletShort)) throw error
      return await fundWithChange(request, rate, { coins, short: error })
    }
  }

  async function fundWithChange(
    request: PrepareRequest,
    rate: bigint,
    from: { coins: readonly string[]; short: WalletShort },
  ): Promise<string> {
    const { coins, short } = from
    const taken = new Set([...request.reserved, ...coins])
    const young = (await youngCoins()).filter(({ outpoint }) => !taken.has(outpoint))
    const changes = young.filter(({ isOwn }) => isOwn).map(({ outpoint }) => outpoint)
    for (let added = 1; changes.length > 0; added = Math.min(changes.length, added * 2)) {
      try {
        return await fundFrom(request, rate, [...coins, ...changes.slice(0, added)])
      } catch (error) {
        if (!(error instanceof WalletShort)) throw error
        if (added >= changes.length) break
      }
    }
    const strange = young.filter(({ isOwn }) => !isOwn).reduce((sum, coin) => sum + coin.sats, 0n)
    if (strange === 0n) throw short
    throw new WalletShort(`${short.message} (${strange} sats that others sent are not six blocks deep yet)`, {
      cause: short,
    })
  }

  /** The coins of one to five confirmations that no payment holds, the largest first. */
  async function youngCoins(): Promise<{ outpoint: string; sats: bigint; isOwn: boolean }[]> {
    const listed = await call<readonly { txid: string; vout: number; amount: number }[]>(
      'listunspent',
      { minconf: 1, maxconf: FINAL_BLOCKS - 1, include_unsafe: false },
      BUILD_TIMEOUT_MS,
    )
    const isOwn = new Map<string, boolean>()
    for (const { txid } of listed) if (!isOwn.has(txid)) isOwn.set(txid, await isOwnSpend(txid))
    return listed
      .map(({ txid, vout, amount }) => ({
        outpoint: `${txid}:${vout}`,
        sats: satsOfBtc(amount),
        isOwn: isOwn.get(txid) === true,
      }))
      .toSorted((a, b) => (a.sats > b.sats ? -1 : a.sats < b.sats ? 1 : 0))
  }

  /** Whether the wallet made a transaction: the node tells a fee only where coins of the wallet's are spent. */
  async function isOwnSpend(txid: string): Promise<boolean> {
    return (await callOrNull<{ fee?: number }>('gettransaction', { txid }))?.fee !== undefined
  }

  /** Chooses coins that are six deep beside those given, and change. They are locked in the node's memory. */
  async function fundFrom(request: PrepareRequest, rate: bigint, coins: readonly string[]): Promise<string> {
    const params = {
      inputs: coins.map(coinOf),
      outputs: request.outputs.map(({ address, sats }) => ({ [address]: satsToBtc(sats) })),
      options: {
        add_inputs: true,
        fee_rate: rateText(rate),
        replaceable: true,
        lockUnspents: true,
        minconf: FINAL_BLOCKS,
        include_unsafe: false,
        change_type: 'bech32',
      },
    }
    try {
      return (await call<{ psbt: string }>('walletcreatefundedpsbt', params, BUILD_TIMEOUT_MS)).psbt
    } catch (error) {
      if (
        hasCode(error, INSUFFICIENT_FUNDS) ||
        (hasCode(error, RPC.wallet) && /insufficient|not sufficient|not cover|exceeds/i.test(error.message))
      )
        throw new WalletShort(`${request.label}: ${error.message}`, { cause: error })
      // It will never take these outputs: asking again every hour would only hide that.
      if (hasCode(error, RPC.badParameter) || hasCode(error, RPC.unknown))
        throw new WalletRefused(`${request.label}: ${error.message}`, { cause: error })
      throw error
    }
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

  async function confirmations(txid: string): Promise<number | null> {
    const found = await callOrNull<{ confirmations: number }>('gettransaction', { txid })
    if (found === null || found.confirmations < 0) return null
    if (found.confirmations > 0) return found.confirmations
    // A transaction that was replaced or forgotten is listed with 0 as well: the mempool itself says which.
    return (await callOrNull('getmempoolentry', { txid })) === null ? null : 0
  }

  async function spender(outpoint: string): Promise<{ txid: string; confirmations: number } | null> {
    const { txid, vout } = coinOf(outpoint)
    const unspent = await node.call<object | null>('gettxout', { txid, n: vout, include_mempool: false })
    if (unspent !== null) return null
    const coin = await callOrNull<{ blockhash?: string }>('gettransaction', { txid })
    if (coin?.blockhash === undefined) return null
    // After a reorganisation the coin and its spend may be in one block.
    const { previousblockhash: before } = await node.call<{ previousblockhash?: string }>('getblockheader', {
      blockhash: coin.blockhash,
    })
    for (const listed of await listedSince(before ?? null)) {
      if (listed.confirmations < 1) continue
      const tx = await callOrNull<{ decoded: DecodedPsbt['tx'] }>('gettransaction', {
        txid: listed.txid,
        verbose: true,
      })
      if (tx?.decoded.vin.some((input) => input.txid === txid && input.vout === vout)) return listed
    }
    return null
  }

  /** The spends of the wallet in blocks after one and in the mempool, each transaction once. */
  async function listedSince(blockhash: string | null): Promise<ListedTx[]> {
    return (await listSince(blockhash)).listed
  }

  async function listSince(blockhash: string | null): Promise<{ listed: ListedTx[]; lastblock: string }> {
    const answer = await call<{ transactions: readonly ListedTx[]; lastblock: string }>(
      'listsinceblock',
      {
        ...(blockhash === null ? {} : { blockhash }),
        target_confirmations: FINAL_BLOCKS,
        include_removed: false,
        // What goes from the wallet to itself alone is listed only as change.
        include_change: true,
      },
      BUILD_TIMEOUT_MS,
    )
    const spends = answer.transactions.filter((tx) => tx.category === 'send')
    return { listed: [...new Map(spends.map((tx) => [tx.txid, tx])).values()], lastblock: answer.lastblock }
  }

  /** −25: a coin is missing. A payment of ours whose outputs are spent answers that as well, so it is no failure yet. */
  async function readMissing(version: PaymentVersion, others: readonly PaymentVersion[]): Promise<BroadcastOutcome> {
    if (((await confirmations(version.txid)) ?? 0) > 0) return 'already-known'
    for (const { txid } of others) if (((await confirmations(txid)) ?? 0) > 0) return 'conflict-of-ours'
    const ours = new Set(others.map((other) => other.txid))
    for (const outpoint of version.inputs) {
      const found = await spender(outpoint)
      if (found !== null) return ours.has(found.txid) ? 'conflict-of-ours' : 'foreign-conflict'
    }
    // Spent by nobody: the block with the coin itself is gone, and will come back or be mined anew.
    return 'not-final'
  }

  /** −26: the mempool does not take it. */
  async function readRejection(
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

  async function readRefusal(
    error: NodeError,
    version: PaymentVersion,
    others: readonly PaymentVersion[],
  ): Promise<BroadcastOutcome> {
    if (error.code === RPC.alreadyMined) return 'already-known'
    if (error.code === RPC.warmingUp) return 'unreachable'
    if (error.code === RPC.rejected) return await readRejection(error, version, others)
    if (error.code === RPC.missingInputs && /missing|spent/i.test(error.message))
      return await readMissing(version, others)
    // What the node says of these bytes is for a person; trouble of the node's own passes, and the bytes stay the same.
    if (error.code === RPC.missingInputs || error.code === NO_TRANSACTION)
      throw new WalletRefused(error.message, { cause: error })
    throw error
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

  /** Whether a dearer version brought in a coin that others sent lately. */
  async function hasYoungStranger(psbt: string, versions: readonly PaymentVersion[]): Promise<boolean> {
    const known = new Set(versions.flatMap((version) => version.inputs))
    const { tx } = await call<DecodedPsbt>('decodepsbt', { psbt })
    for (const { txid, vout } of tx.vin) {
      if (known.has(`${txid}:${vout}`)) continue
      const made = await callOrNull<{ confirmations: number; fee?: number }>('gettransaction', { txid })
      if (made?.fee === undefined && (made?.confirmations ?? 0) < FINAL_BLOCKS) return true
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

    async broadcast(version, others) {
      try {
        // The fee was checked when it was signed: bytes that pay more than was stored are not ours.
        const maxfeerate = satsToBtc(rateOf(version) + 1000n)
        await node.call<string>('sendrawtransaction', { hexstring: version.raw, maxfeerate })
        return 'sent'
      } catch (error) {
        try {
          if (error instanceof NodeError) return await readRefusal(error, version, others)
          throw error
        } catch (failure) {
          if (failure instanceof NodeUnreachable) return 'unreachable'
          throw failure
        }
      }
    },

    confirmations,
    spender,

    async isLost(outpoint) {
      // Below zero: so many blocks were mined since another transaction took the place of this one, or of one before it.
      const made = await callOrNull<{ confirmations: number }>('gettransaction', { txid: coinOf(outpoint).txid })
      return made !== null && made.confirmations <= -FINAL_BLOCKS
    },

    async ownAmong(addresses) {
      const own: string[] = []
      for (const address of addresses) if (await isOwnAddress(address)) own.push(address)
      return own
    },

    async outgoing(since) {
      const { listed, lastblock } = await listSince(since).catch((error: unknown) => {
        // The block is in no chain any more: everything is looked at again.
        if (since !== null && hasCode(error, RPC.unknown)) return listSince(null)
        throw error
      })
      return { cursor: lastblock, txids: listed.map((tx) => tx.txid) }
    },

    async spend(txid) {
      const found = await callOrNull<OwnTx>('gettransaction', { txid, verbose: true })
      if (found === null || found.confirmations < 0) return null
      const outputs = new Map<string, bigint>()
      // The wallet leaves its change out of these.
      for (const { category, address, amount } of found.details)
        if (category === 'send' && address !== undefined)
          outputs.set(address, (outputs.get(address) ?? 0n) - satsOfBtc(amount))
      return {
        txid,
        raw: found.hex,
        feeSats: -satsOfBtc(found.fee ?? 0),
        inputs: found.decoded.vin.map((input) => `${input.txid}:${input.vout}`),
        outputs: [...outputs].map(([address, sats]) => ({ address, sats })),
      }
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

/** What a version pays, in sats per 1,000 virtual bytes, rounded up. */
function rateOf({ raw, feeSats }: PaymentVersion): bigint {
  const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'), { allowUnknownInputs: true, disableScriptCheck: true })
  const vbytes = BigInt(tx.vsize)
  return (feeSats * 1000n + vbytes - 1n) / vbytes
}

/** Sats per virtual byte with three places, as `fee_rate` takes them. */
function rateText(rate: bigint): string {
  return `${rate / 1000n}.${String(rate % 1000n).padStart(3, '0')}`
}

function coinOf(outpoint: string): { txid: string; vout: number } {
  const [txid = '', vout = ''] = outpoint.split(':')
  return { txid, vout: Number(vout) }
}

function highest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
}
