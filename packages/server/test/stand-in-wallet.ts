import { createHash } from 'node:crypto'
import {
  type BroadcastOutcome,
  FeeTooHigh,
  type PaymentVersion,
  type PreparedTx,
  type PrepareRequest,
  type Wallet,
  type WalletOutput,
  WalletRefused,
  WalletShort,
  WalletUnfit,
} from '../src/ports/wallet/wallet.ts'

/** The fee of a stand-in transaction unless a rate was set; and the increase with each version. */
export const STAND_IN_FEE_SATS = 1_000n
/** The size of a transaction with one coin and change, and of each further output, in virtual bytes. */
const PAYMENT_VBYTES = 109n
const OUTPUT_VBYTES = 31n
/** The address of the wallet's own coins. */
export const OWN = 'own'
/** The depth from which nothing changes any more. */
const FINAL_DEPTH = 6

interface SimTx {
  readonly inputs: readonly string[]
  readonly outputs: readonly WalletOutput[]
  readonly feeSats: bigint
  readonly salt: string
}

/**
 * A wallet and a chain in memory that behave like a node: coins, a mempool with replacement by fee, blocks,
 * reorganisations, locks that a restart forgets, transactions that are forgotten or spent by strangers.
 *
 * @param coins what the wallet opens with, in sats, one confirmed coin each
 */
export function standInWallet(coins: readonly bigint[]) {
  const txs = new Map<string, SimTx>()
  const blocks: string[][] = [[]]
  const mempool = new Set<string>()
  /** number of blocks when a transaction came to the mempool */
  const enteredAt = new Map<string, number>()
  const locked = new Set<string>()
  /** spends of the wallet's coins that ever reached the mempool: the wallet lists them for ever */
  const listed: string[] = []
  /** addresses that turn out to be the wallet's, besides `OWN` */
  const own = new Set<string>([OWN])
  let leastFeeSats = 0n
  let isReachable = true
  let isLocked = false
  let isDear = false
  /** sats per 1,000 virtual bytes; null for a fee that is independent of the size */
  let rate: bigint | null = null
  let salt = 0

  function store(tx: SimTx): { txid: string; raw: string } {
    const raw = JSON.stringify(tx, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
    const txid = createHash('sha256').update(raw).digest('hex')
    txs.set(txid, tx)
    return { txid, raw }
  }

  /** A confirmed coin that no reorganisation removes. */
  function receive(sats: bigint): void {
    const place = blocks[0]?.length ?? 0
    const { txid } = store({ inputs: [], outputs: [{ address: OWN, sats }], feeSats: 0n, salt: `opening ${place}` })
    blocks[0]?.push(txid)
  }
  for (const sats of coins) receive(sats)

  const txOf = (txid: string): SimTx => {
    const tx = txs.get(txid)
    if (tx === undefined) throw new Error(`no transaction ${txid}`)
    return tx
  }
  const depthOf = (txid: string): number => {
    const height = blocks.findIndex((block) => block.includes(txid))
    return height < 0 ? 0 : blocks.length - height
  }
  const minedSpender = (outpoint: string): string | undefined =>
    blocks.flat().find((txid) => txOf(txid).inputs.includes(outpoint))
  const waitingSpender = (outpoint: string): string | undefined =>
    [...mempool].find((txid) => txOf(txid).inputs.includes(outpoint))
  const coinOf = (outpoint: string): WalletOutput | undefined => {
    const [txid = '', place = ''] = outpoint.split(':')
    return txs.get(txid)?.outputs[Number(place)]
  }
  const isMined = (outpoint: string): boolean => blocks.flat().includes(outpoint.split(':')[0] ?? '')
  const exists = (outpoint: string): boolean => isMined(outpoint) || mempool.has(outpoint.split(':')[0] ?? '')

  /** The opening's coins, strangers' that are six blocks deep, and change of the wallet's own. */
  const isSafe = (outpoint: string): boolean => {
    const [txid = ''] = outpoint.split(':')
    if (blocks[0]?.includes(txid) === true || depthOf(txid) >= FINAL_DEPTH) return true
    const { inputs } = txOf(txid)
    return inputs.length > 0 && inputs.every((one) => coinOf(one)?.address === OWN)
  }
  /** Whether a transaction can never be mined any more: a final block has another that spends one of its coins. */
  const isConflicted = (txid: string): boolean =>
    txs.has(txid) &&
    txOf(txid).inputs.some((outpoint) => {
      const rival = minedSpender(outpoint)
      const isGone = rival !== undefined && rival !== txid && depthOf(rival) >= FINAL_DEPTH
      return isGone || isConflicted(outpoint.split(':')[0] ?? '')
    })

  /** Outpoints of the wallet that nothing in a block or the mempool spends. */
  function unspent(options: { isConfirmed: boolean }): string[] {
    const from = options.isConfirmed ? blocks.flat() : [...blocks.flat(), ...mempool]
    return from.flatMap((txid) =>
      txOf(txid).outputs.flatMap((output, place) => {
        const outpoint = `${txid}:${place}`
        const isSpent = minedSpender(outpoint) !== undefined || waitingSpender(outpoint) !== undefined
        return output.address === OWN && !isSpent ? [outpoint] : []
      }),
    )
  }

  function build(request: PrepareRequest, how: { coins: readonly string[]; feeSats: bigint }): PreparedTx {
    const wantedSats = request.outputs.reduce((sum, output) => sum + output.sats, how.feeSats)
    const chosen = [...how.coins]
    const worth = (): bigint => chosen.reduce((sum, outpoint) => sum + (coinOf(outpoint)?.sats ?? 0n), 0n)
    for (const outpoint of unspent({ isConfirmed: true }).filter(isSafe)) {
      if (worth() >= wantedSats) break
      if (!locked.has(outpoint) && !request.reserved.includes(outpoint) && !chosen.includes(outpoint))
        chosen.push(outpoint)
    }
    if (worth() < wantedSats) throw new WalletShort(`${worth()} sats of ${wantedSats}`)
    const changeSats = worth() - wantedSats
    const change = changeSats > 0n ? { address: OWN, sats: changeSats } : null
    const outputs = change === null ? request.outputs : [...request.outputs, change]
    salt += 1
    const { txid, raw } = store({ inputs: chosen, outputs, feeSats: how.feeSats, salt: String(salt) })
    for (const outpoint of chosen) locked.add(outpoint)
    return { txid, raw, feeSats: how.feeSats, inputs: chosen, change }
  }

  function enter(txid: string): void {
    mempool.add(txid)
    enteredAt.set(txid, blocks.length)
  }

  /** Adds a transaction to the mempool, and removes what it replaces. */
  function accept(txid: string): void {
    for (const outpoint of txOf(txid).inputs) {
      const rival = waitingSpender(outpoint)
      if (rival !== undefined && rival !== txid) forget(rival)
    }
    if (!mempool.has(txid)) enter(txid)
    const spendsOwn = txOf(txid).inputs.some((outpoint) => coinOf(outpoint)?.address === OWN)
    if (spendsOwn && !listed.includes(txid)) listed.push(txid)
  }

  /** A transaction leaves the mempool, and what spends its outputs with it. */
  function forget(txid: string): void {
    mempool.delete(txid)
    for (const other of mempool)
      if (txOf(other).inputs.some((outpoint) => outpoint.startsWith(`${txid}:`))) forget(other)
  }

  function tryBroadcast(version: PaymentVersion, others: readonly PaymentVersion[]): BroadcastOutcome {
    const { txid } = version
    if (depthOf(txid) > 0 || mempool.has(txid)) return 'already-known'
    const ours = new Set(others.map((other) => other.txid))
    const { inputs, feeSats } = txOf(txid)
    const mined = inputs.map(minedSpender).filter((one) => one !== undefined)
    if (mined.length > 0) return mined.every((one) => ours.has(one)) ? 'conflict-of-ours' : 'foreign-conflict'
    if (!inputs.every(exists)) return 'not-final'
    if (feeSats < leastFeeSats) return 'too-cheap'
    const waiting = inputs.map(waitingSpender).filter((one) => one !== undefined)
    if (waiting.some((one) => txOf(one).feeSats >= feeSats))
      return waiting.every((one) => ours.has(one)) ? 'conflict-of-ours' : 'foreign-conflict'
    accept(txid)
    return 'sent'
  }

  const wallet: Wallet = {
    prepare: async (request) => {
      assertCanSign()
      const feeSats = feeOf(request)
      assertCheap(request, feeSats)
      return build(request, { coins: [], feeSats })
    },
    bump: async (request) => {
      assertCanSign()
      if (request.versions.some(({ txid }) => depthOf(txid) > 0)) return null
      const waiting = request.versions.find(({ txid }) => mempool.has(txid))
      if (waiting !== undefined && (enteredAt.get(waiting.txid) ?? 0) >= blocks.length) return null
      const newest = request.versions.at(-1)
      const feeSats = (newest?.feeSats ?? 0n) + STAND_IN_FEE_SATS
      assertCheap(request, feeSats)
      return build(request, { coins: newest?.inputs ?? [], feeSats })
    },
    cancel: async (request) => {
      assertCanSign()
      const [first] = request.versions
      const coin = first?.inputs.find((one) => request.versions.every((version) => version.inputs.includes(one)))
      if (coin === undefined || minedSpender(coin) !== undefined || !isMined(coin))
        throw new WalletRefused('the coin is spent')
      const feeSats = request.versions.reduce((most, one) => (one.feeSats > most ? one.feeSats : most), 0n) + 500n
      const sats = (coinOf(coin)?.sats ?? 0n) - feeSats
      salt += 1
      const tx = { inputs: [coin], outputs: [{ address: OWN, sats }], feeSats, salt: String(salt) }
      return { ...store(tx), feeSats, inputs: [coin], change: null }
    },
    broadcast: async (version, others) => (isReachable ? tryBroadcast(version, others) : 'unreachable'),
    confirmations: async (txid) => {
      assertReachable()
      const depth = depthOf(txid)
      return depth > 0 ? depth : mempool.has(txid) ? 0 : null
    },
    spender: async (outpoint) => {
      assertReachable()
      const txid = minedSpender(outpoint)
      return txid === undefined ? null : { txid, confirmations: depthOf(txid) }
    },
    isLost: async (outpoint) => {
      assertReachable()
      return isConflicted(outpoint.split(':')[0] ?? '')
    },
    ownAmong: async (addresses) => {
      assertReachable()
      return addresses.filter((address) => own.has(address))
    },
    spend: async (txid) => {
      assertReachable()
      const tx = txs.get(txid)
      if (tx === undefined || tx.inputs.some((one) => ![undefined, txid].includes(minedSpender(one)))) return null
      const { inputs, feeSats } = tx
      return { ...store(tx), feeSats, inputs, outputs: tx.outputs.filter((output) => output.address !== OWN) }
    },
    outgoing: async (since) => {
      assertReachable()
      return { cursor: String(listed.length), txids: listed.slice(Math.max(0, Number(since ?? 0) - 20)) }
    },
    hold: async (outpoints) => {
      assertReachable()
      locked.clear()
      for (const outpoint of outpoints) locked.add(outpoint)
    },
    release: async (outpoints) => {
      assertReachable()
      for (const outpoint of outpoints) locked.delete(outpoint)
    },
    estimateFee: async () => {
      assertReachable()
      return { rate: rate ?? 2_000n, bareVbytes: PAYMENT_VBYTES }
    },
    balances: async () => {
      assertReachable()
      return { spendableSats: spendableSats(), incomingSats: 0n }
    },
  }

  function assertReachable(): void {
    if (!isReachable) throw new Error('the wallet cannot be reached')
  }

  function assertCanSign(): void {
    assertReachable()
    if (isLocked) throw new WalletUnfit('the wallet is locked')
  }

  function assertCheap(request: PrepareRequest, feeSats: bigint): void {
    const paidSats = request.outputs.reduce((sum, output) => sum + output.sats, 0n)
    const { worthFeeSats } = request
    if (isDear || (worthFeeSats !== undefined && feeSats > worthFeeSats))
      throw new FeeTooHigh({ feeSats, paidSats, worthFeeSats })
  }

  function feeOf({ outputs, leastRate = 0n }: PrepareRequest): bigint {
    if (rate === null) return STAND_IN_FEE_SATS
    const vbytes = PAYMENT_VBYTES + OUTPUT_VBYTES * BigInt(outputs.length) + 1n
    return (vbytes * (rate > leastRate ? rate : leastRate) + 999n) / 1000n
  }

  function spendableSats(): bigint {
    return unspent({ isConfirmed: false }).reduce((sum, outpoint) => sum + (coinOf(outpoint)?.sats ?? 0n), 0n)
  }

  return {
    wallet,
    spendableSats,

    /** What a program sees that reads the chain itself. */
    chain: {
      blocks: blocks as readonly (readonly string[])[],
      mempool,
      txOf,
      depthOf,
      coinOf,
      minedSpender,
      waitingSpender,
    },

    /** A stranger sends a transaction of their own; it waits for the next block. @returns its id */
    put(tx: Omit<SimTx, 'salt'>): string {
      salt += 1
      const { txid } = store({ ...tx, salt: `put ${salt}` })
      accept(txid)
      return txid
    },

    lockedCoins: () => [...locked],
    mempool: () => [...mempool],
    receive,

    /** Makes blocks; the first one takes the whole mempool. */
    /** @param passedOver what no miner takes */
    mine(count = 1, passedOver: ReadonlySet<string> = new Set()): void {
      for (let made = 0; made < count; made += 1) {
        const taken = [...mempool].filter((txid) => !passedOver.has(txid))
        blocks.push(taken)
        for (const txid of taken) mempool.delete(txid)
      }
    },

    /** A block that takes nothing from the mempool: what waits was passed over. */
    mineEmpty(): void {
      blocks.push([])
    },

    /** The newest blocks are no longer in the chain; what they held waits again. The opening's block stays. */
    reorganise(depth: number): void {
      const gone = blocks.splice(Math.max(1, blocks.length - depth)).flat()
      for (const txid of gone) if (!txOf(txid).inputs.some((one) => waitingSpender(one) !== undefined)) enter(txid)
    },

    /** The mempool forgets a transaction, as after a restart or for want of room. */
    forget,

    /** Another version replaces the waiting one, as a miner that never saw the newer one would have it. */
    revive(raw: { txid: string }): void {
      if (txs.has(raw.txid) && txOf(raw.txid).inputs.every((one) => minedSpender(one) === undefined)) accept(raw.txid)
    },

    /** A thief with the wallet's keys spends one of its coins, and a block holds it. */
    steal(outpoint: string): string {
      const sats = coinOf(outpoint)?.sats ?? 0n
      const { txid } = store({ inputs: [outpoint], outputs: [{ address: 'thief', sats }], feeSats: 0n, salt: 'theft' })
      accept(txid)
      blocks.push([txid])
      mempool.delete(txid)
      return txid
    },

    /** The node ends and begins: locks are gone. */
    restart(): void {
      locked.clear()
    },

    setReachable(value: boolean): void {
      isReachable = value
    },

    /** Whether its passphrase is missing: it can do everything except sign. */
    setLocked(value: boolean): void {
      isLocked = value
    },

    /** Whether fees are out of proportion to everything that is paid. */
    setDear(value: boolean): void {
      isDear = value
    },

    /** The network's rate from now on, in sats per 1,000 virtual bytes: each transaction pays by its size. */
    setRate(value: bigint): void {
      rate = value
    },

    /** An address of a payee turns out to be the wallet's own. */
    adopt(address: string): void {
      own.add(address)
    },

    setLeastFee(sats: bigint): void {
      leastFeeSats = sats
    },

    /** The amounts for an address in blocks, one per transaction. */
    minedTo(address: string): bigint[] {
      return blocks.flat().flatMap((txid) =>
        txOf(txid)
          .outputs.filter((output) => output.address === address)
          .map((output) => output.sats),
      )
    },
  }
}
