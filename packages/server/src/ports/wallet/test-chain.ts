import { HDKey } from '@scure/bip32'
import { TEST_NETWORK } from '@scure/btc-signer'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { childAddresses } from './child-address.ts'
import {
  findOutputsTo,
  findTransaction,
  insertTransaction,
  listOutgoing,
  listTransactions,
  nextAddressIndex,
  sumMoney,
  sumReceived,
} from './queries.ts'

/** The test chain makes a block at every multiple of this many seconds of the system's clock (decisions section 3). */
const BLOCK_SECONDS = 600

/** What the test wallet holds at the start: the demo's bankroll of 50 BTC, in sats. */
export const OPENING_SATS = 5_000_000_000n

/** Addresses begin with `bcrt1`. */
export const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }

/** The newest movements a page of the developer's tools shows. */
const LISTED_MOVEMENTS = 1000n

/** An output on the test chain, with its confirmations at this moment. */
interface ChainOutput {
  readonly outpoint: string
  readonly sats: bigint
  /** epoch seconds at which it was sent */
  readonly at: number
  readonly confirmations: number
  /** epoch seconds of the block that holds it; missing for none */
  readonly minedAt?: number
}

/** A movement of the test wallet. */
interface ChainMovement {
  readonly txid: string
  readonly address: string
  readonly sats: bigint
  readonly at: number
}

/** A transaction to put on the test chain. */
interface ChainTransaction {
  readonly txid: string
  readonly outputs: readonly { readonly address: string; readonly sats: bigint }[]
  readonly feeSats: bigint
  /** confirmations it has immediately, before any block */
  readonly minedConfirmations: number
  readonly direction: 'in' | 'out'
}

/** The start of the next block, in epoch seconds after `now`. */
export function nextBlockAt(now: number): number {
  return (Math.floor(now / BLOCK_SECONDS) + 1) * BLOCK_SECONDS
}

/** Confirmations of a transaction sent at `sentAt`: those it was given, and one per block since. */
function confirmationsAt(sentAt: number, minedConfirmations: number, now: number): number {
  return minedConfirmations + Math.max(0, Math.floor(now / BLOCK_SECONDS) - Math.floor(sentAt / BLOCK_SECONDS))
}

/**
 * The demo's chain: transactions are rows, blocks follow from the clock. It belongs to the outside world, so it runs in
 * transactions of its own and knows nothing of orders and payouts.
 */
export class TestChain {
  readonly #db: Db
  readonly #runtime: Runtime
  /** The receiving address at an index, the same for the same seed. */
  readonly addressOf: (index: number) => string
  /** The key for payouts of the test wallet. */
  readonly paying: HDKey

  /**
   * @param options.seed 16 to 64 bytes from which the wallet's keys are derived; the same seed gives the same addresses
   */
  constructor(options: { db: Db; runtime: Runtime; seed: Uint8Array }) {
    this.#db = options.db
    this.#runtime = options.runtime
    // BIP 84 with the test networks' coin type: account 0 takes payments, account 1 pays out.
    const purpose = HDKey.fromMasterSeed(options.seed).derive(`m/84'/1'`)
    this.addressOf = childAddresses(purpose.derive(`m/0'/0`), REGTEST)
    this.paying = purpose.derive(`m/1'/0/0`)
  }

  #now(): number {
    return this.#runtime.clock.now()
  }

  /** A fresh address of the test wallet. */
  async freshAddress(): Promise<string> {
    const { index } = await this.#db.one(nextAddressIndex, [])
    return this.addressOf(Number(index))
  }

  /** Puts a transaction on the chain now. False if it exists already; then nothing changes. */
  async add(transaction: ChainTransaction): Promise<boolean> {
    const { txid, outputs, feeSats, minedConfirmations, direction } = transaction
    const addresses = outputs.map((output) => output.address)
    const sats = outputs.map((output) => output.sats)
    const added = await this.#db.run(insertTransaction, {
      txid,
      addresses,
      sats,
      at: this.#now(),
      feeSats,
      minedConfirmations,
      direction,
    })
    return added.length > 0
  }

  /** Pays an address from outside. @returns the transaction's id */
  async payIn(payment: { address: string; sats: bigint; minedConfirmations: number }): Promise<string> {
    const txid = Buffer.from(this.#runtime.random.bytes(32)).toString('hex')
    const outputs = [{ address: payment.address, sats: payment.sats }]
    const { minedConfirmations } = payment
    await this.add({ txid, outputs, feeSats: 0n, minedConfirmations, direction: 'in' })
    return txid
  }

  /** What was paid to an address from outside, oldest first. */
  async outputsTo(address: string): Promise<ChainOutput[]> {
    const rows = await this.#db.run(findOutputsTo, [address])
    return rows.map(({ outpoint, sats, at, minedConfirmations }) => {
      const confirmations = confirmationsAt(at, minedConfirmations, this.#now())
      const output = { outpoint, sats, at, confirmations }
      return confirmations === 0 ? output : { ...output, minedAt: minedConfirmations > 0 ? at : nextBlockAt(at) }
    })
  }

  /** Confirmations of a transaction, null if the chain does not know it. */
  async confirmations(txid: string): Promise<number | null> {
    const row = await this.#db.maybeOne(findTransaction, [txid])
    return row === null ? null : confirmationsAt(row.at, row.minedConfirmations, this.#now())
  }

  /** Confirmed sats of the test wallet: what it opened with, and what came and left since. */
  async balanceSats(): Promise<bigint> {
    const currentBlockAt = nextBlockAt(this.#now()) - BLOCK_SECONDS
    const { inSats, outSats } = await this.#db.one(sumMoney, [currentBlockAt])
    return OPENING_SATS + inSats - outSats
  }

  /** Everything that ever came in from outside, confirmed or not, in sats. */
  async receivedSats(): Promise<bigint> {
    return (await this.#db.one(sumReceived, [])).sats
  }

  /** What went out at a moment or later, each transaction once, oldest first. */
  async outgoingSince(at: number): Promise<{ txid: string; at: number }[]> {
    return this.#db.run(listOutgoing, [at])
  }

  /** The wallet's movements in one direction, newest first. */
  async movements(direction: 'in' | 'out'): Promise<ChainMovement[]> {
    return this.#db.run(listTransactions, [direction, LISTED_MOVEMENTS])
  }
}
