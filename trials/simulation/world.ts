import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import { OWN, standInWallet } from '@fairball/server/testing/fixtures'
import type { LotteryDeps } from '@fairball/server/testing/lottery'
import {
  type Bitcoin,
  FIXED_RATES,
  fixedRates,
  type FollowedWallet,
  type InvoiceSnapshot,
  type Mailer,
  MailNotTaken,
  type Movements,
  NodeWatch,
  type PaymentProvider,
  type Rates,
  type SeenOutput,
  type Wallet,
  type WalletOutput,
} from '@fairball/server/testing/ports'
import { depositAddress } from './addresses.ts'
import { relayFetch, simulatedChain } from './beacon-relays.ts'
import type { Faults, Outage } from './faults.ts'
import { type LightningFaults, SimulatedLightning, type WrapNode } from './lightning.ts'
import { Down } from './outages.ts'
import type { ShownReceipt } from './papers.ts'
import type { Actor, TakeStep } from './scheduler.ts'
import { createWitnesses, type WitnessedLog } from './witnesses.ts'

/** 50 BTC in coins of several sizes, matching the ledger's opening bankroll. */
const COINS = [3_000_000_000n, 1_000_000_000n, 500_000_000n, 300_000_000n, 200_000_000n]
/** Sats per 1,000 virtual bytes. */
const FEE_RATE = 2_000n
/** Fee of an insider's transaction. */
const INSIDER_FEE_SATS = 700n
/** The payment provider's name. */
const PROVIDER = 'stand-in'
/** The sources of live rates named by the draws of the template. */
const SOURCES = fixedRates.sources
/** Polling interval for a provider that sends no messages, in seconds. */
const ASK_SECONDS = 300
/**
 * How long the source of rates is right after it was wrong. What it says twice within a quarter of an hour is believed,
 * and a process that crashes may lose the right answer in between.
 */
const ABSURD_PAUSE_SECONDS = 20 * 60

function unknownLog(): never {
  throw new Error('no witness knows the log yet')
}

export type World = ReturnType<typeof createWorld>

/** The outside world: the chain with both wallets, the payment provider, the beacon's relays and mail. */
export function createWorld(options: {
  readonly seed: number
  readonly startAt: number
  readonly faults: Faults
  /** what goes wrong with Lightning; null if the operator has no node */
  readonly lightningFaults: LightningFaults | null
  readonly step: TakeStep
  /** epoch seconds */
  readonly now: () => number
  readonly chance: (probability: number) => boolean
  readonly wrapProvider: (provider: PaymentProvider) => PaymentProvider
  readonly wrapWallet: (wallet: Wallet, now: () => number) => Wallet
  readonly wrapNode: WrapNode
  /** called when the wallet has signed a payout */
  readonly onSigned: () => void
  readonly onFault: (what: string) => void
}) {
  const { faults, step, now, chance, onFault } = options
  const node = standInWallet(COINS)
  node.setRate(FEE_RATE)
  const { seed, lightningFaults } = options
  const lightning =
    lightningFaults === null ? null : new SimulatedLightning({ seed, faults: lightningFaults, now, onFault })
  const lightningNode = lightning === null ? null : options.wrapNode(lightning.node())
  const { chain } = node
  const beaconChain = simulatedChain(options.startAt)
  const refOfOrder = new Map<string, string>()
  const deposits = new Set<string>()
  const seenAt = new Map<string, number>()
  /** when the newest block with a transaction came, by its id */
  const minedAt = new Map<string, number>()
  /** addresses of orders paid in full and in time */
  const promised = new Set<string>()
  /** start times of players' exclusions, by player id */
  const excluded = new Map<bigint, number>()
  /** transactions in which the insider spent our coins */
  const spentByInsider: string[] = []
  /** transactions that no miner takes */
  const passedOver = new Set<string>()
  /** invoices that changed, in order */
  const changed: string[] = []
  const mails: string[] = []
  /** ids of the mails that their server has taken */
  const takenMails = new Set<bigint>()
  const isDown: Record<Outage, boolean> = {
    wallet: false,
    provider: false,
    mail: false,
    rates: false,
    witnesses: false,
  }
  const receipts: ShownReceipt[] = []
  let absurdAt = -Infinity
  /** the log as its witnesses know it */
  let log: WitnessedLog | null = null

  const holderOf = (address: string): FollowedWallet | null =>
    address === OWN ? 'payouts' : deposits.has(address) ? 'deposits' : null
  const holdersOfInputs = (txid: string): (FollowedWallet | null)[] =>
    chain.txOf(txid).inputs.map((outpoint) => holderOf(chain.coinOf(outpoint)?.address ?? ''))
  const spendsOurs = (txid: string): boolean => holdersOfInputs(txid).some((holder) => holder !== null)
  const allTxids = (): string[] => [...chain.blocks.flat(), ...chain.mempool]

  function isCounted(txid: string, holder: FollowedWallet): boolean {
    const least = holder === 'payouts' ? 1 : faults.requiredConfirmations
    return chain.depthOf(txid) >= least || holdersOfInputs(txid).includes(holder)
  }

  function heldBy(holder: FollowedWallet): bigint {
    let sats = 0n
    for (const txid of allTxids()) {
      if (!isCounted(txid, holder)) continue
      for (const [place, output] of chain.txOf(txid).outputs.entries()) {
        if (holderOf(output.address) !== holder) continue
        const outpoint = `${txid}:${place}`
        const isSpent = chain.minedSpender(outpoint) !== undefined || chain.waitingSpender(outpoint) !== undefined
        if (!isSpent) sats += output.sats
      }
    }
    return sats
  }

  function outputsTo(address: string): SeenOutput[] {
    return allTxids().flatMap((txid) =>
      chain.txOf(txid).outputs.flatMap((output, place) => {
        if (output.address !== address) return []
        const outpoint = `${txid}:${place}`
        const first = seenAt.get(outpoint) ?? now()
        seenAt.set(outpoint, first)
        const { sats } = output
        const confirmations = chain.depthOf(txid)
        const blockAt = faults.providerTells && confirmations > 0 ? minedAt.get(txid) : undefined
        const spent = faults.providerTells ? { inputs: chain.txOf(txid).inputs } : {}
        const told = { ...spent, ...(blockAt === undefined ? {} : { minedAt: blockAt }) }
        return [{ outpoint, sats, confirmations, seenAt: first, network: 'ONCHAIN' as const, ...told }]
      }),
    )
  }

  const addressesOf = (txid: string): string[] => chain.txOf(txid).outputs.map((output) => output.address)

  function assertUp(what: keyof typeof isDown): void {
    if (isDown[what]) throw new Down(what)
  }

  const witnesses = createWitnesses({
    faults,
    step,
    now,
    isDown: () => isDown.witnesses,
    log: () => log ?? unknownLog(),
    onFault,
  })

  const movements: Movements = {
    async list(cursor) {
      assertUp('wallet')
      // The first block holds the opening coins.
      const ids = [...chain.blocks.slice(Number(cursor ?? 1)).flat(), ...chain.mempool].filter(
        (txid) => spendsOurs(txid) || chain.txOf(txid).outputs.some(({ address }) => address === OWN),
      )
      const isFinal = (txid: string): boolean => chain.depthOf(txid) >= FINAL_CONFIRMATIONS
      return {
        cursor: String(Math.max(1, chain.blocks.length - FINAL_CONFIRMATIONS + 1)),
        final: ids.filter(isFinal),
        young: ids.filter((txid) => !isFinal(txid)),
      }
    },
    async find(txid) {
      assertUp('wallet')
      if (chain.depthOf(txid) === 0 && !chain.mempool.has(txid)) return null
      const { inputs, outputs, feeSats } = chain.txOf(txid)
      const outSats = outputs.reduce((sum, output) => sum + output.sats, 0n)
      const own = inputs.map((outpoint) => chain.coinOf(outpoint)).filter((coin) => coin !== undefined)
      return {
        txid,
        confirmations: chain.depthOf(txid),
        isCoinbase: false,
        ownInSats: own.reduce((sum, coin) => (holderOf(coin.address) === null ? sum : sum + coin.sats), 0n),
        inSats: chain.depthOf(txid) > 0 ? outSats + feeSats : null,
        outSats,
        outputs: outputs.map(({ address, sats }, place) => {
          const holder = holderOf(address)
          return {
            outpoint: `${txid}:${place}`,
            address,
            sats,
            holder,
            counts: holder !== null && isCounted(txid, holder),
          }
        }),
      }
    },
    spendsOurs: async (txid) => {
      assertUp('wallet')
      return spendsOurs(txid)
    },
  }

  const provider: PaymentProvider = {
    name: PROVIDER,
    tellsBlockTime: faults.providerTells,
    async createCheckout(request) {
      assertUp('provider')
      // A repeated request makes another invoice; the caller keeps the first one it stored.
      const address = depositAddress(deposits.size)
      deposits.add(address)
      refOfOrder.set(request.orderId, address)
      // Lightning is offered on our own page alone.
      const checkoutUrl = `https://pay.example${lightning === null ? '' : `/checkout/${request.orderId}`}`
      return { ref: address, address, checkoutUrl, expiresAt: request.expiresAt }
    },
    async get(ref) {
      assertUp('provider')
      return { outputs: outputsTo(ref) }
    },
    nextLookAt: (at) => (faults.providerTells ? null : (Math.floor(at / ASK_SECONDS) + 1) * ASK_SECONDS),
    assertFit: async () => undefined,
    async follow(cursor) {
      assertUp('provider')
      const from = Number(cursor ?? 0)
      return { cursor: String(changed.length), refs: [...new Set(changed.slice(from))], unknown: [] }
    },
  }

  const signing: Wallet = {
    ...node.wallet,
    async prepare(request) {
      const prepared = await node.wallet.prepare(request)
      options.onSigned()
      return prepared
    },
  }

  const payer = options.wrapWallet(signing, now)
  const payee = options.wrapProvider(provider)

  /** The same object with each method turned into a step of the actor. */
  function stepped<T extends object>(actor: Actor, name: string, port: T, plain: readonly (keyof T)[] = []): T {
    const entries = Object.entries(port).map(([key, member]: [string, unknown]) => {
      if (typeof member !== 'function' || plain.includes(key as keyof T)) return [key, member]
      return [
        key,
        (...args: unknown[]) => step(actor, `${name}.${key}`, async (): Promise<unknown> => member.apply(port, args)),
      ]
    })
    return Object.fromEntries(entries) as T // every member is present, with the same signature
  }

  /**
   * Marks outputs that spend our coins, as our own node does; another provider cannot. It is only asked where that is
   * possible, so seeds in which the coins are not spent take the same steps.
   */
  async function withOwn(
    shown: InvoiceSnapshot,
    isOwnMove: (txid: string) => Promise<boolean>,
  ): Promise<InvoiceSnapshot> {
    if (!faults.providerTells) return shown
    const outputs: SeenOutput[] = []
    for (const output of shown.outputs) {
      const [txid = ''] = output.outpoint.split(':')
      const isOwn = spendsOurs(txid) && (await isOwnMove(txid))
      outputs.push(isOwn ? { ...output, isOwn } : output)
    }
    return { ...shown, outputs }
  }

  /**
   * The bitcoin ports as one process sees them.
   *
   * @param isPayout whether a transaction is a payout of ours, according to the process
   */
  function bitcoinFor(actor: Actor, isPayout: (txid: string) => Promise<boolean>): Bitcoin {
    const seen = stepped(actor, 'movements', movements)
    const isOwnMove = async (txid: string): Promise<boolean> => !(await isPayout(txid)) && (await seen.spendsOurs(txid))
    const { follow, ...asked } = stepped(actor, 'provider', payee, ['nextLookAt'])
    const untold = { ...asked, get: async (ref: string) => await withOwn(await asked.get(ref), isOwnMove) }
    const wallet: Wallet = stepped(actor, 'wallet', payer)
    const read = (name: FollowedWallet) => async () => {
      return await step(actor, `read ${name}`, async () => {
        assertUp('wallet')
        return [{ name, sats: heldBy(name) }]
      })
    }
    return {
      provider: faults.providerTells && follow !== undefined ? { ...untold, follow } : untold,
      wallet,
      testChain: null,
      sources: [
        { name: PROVIDER, read: read('deposits') },
        { name: 'payouts', read: read('payouts') },
      ],
      movements: seen,
      assertFitToTake: async () => undefined,
      assertFit: async () => undefined,
    }
  }

  /** The Lightning node and the wallets of players as one process sees them; nothing without a node. */
  function overLightning(actor: Actor): Partial<Pick<LotteryDeps, 'chooseLightning' | 'payees'>> {
    if (lightning === null || lightningNode === null) return {}
    const asked = stepped(actor, 'lightning', lightningNode)
    const seen: typeof asked = {
      ...asked,
      async waitSettled(cursor, signal) {
        const { hashes } = await asked.settledSince(cursor)
        if (hashes.length === 0) await lightning.nextPayment(signal)
      },
    }
    return {
      chooseLightning: async ({ db, runtime, chainHeight }) => ({
        node: seen,
        watch: new NodeWatch({ db, runtime, node: seen, chainHeight }),
        test: null,
      }),
      payees: stepped(actor, 'wallet of a player', lightning.payees()),
    }
  }

  /**
   * Live rates as one process reads them. They are never tenfold twice in a row: agreeing sources would make such a
   * rate true.
   */
  function ratesFor(actor: Actor): Rates {
    const read = () =>
      step(actor, 'read rates', async () => {
        assertUp('rates')
        const isAbsurd = now() > absurdAt + ABSURD_PAUSE_SECONDS && chance(faults.absurdRate)
        if (isAbsurd) {
          absurdAt = now()
          onFault('absurd rates')
        }
        const times = isAbsurd ? 10n : 1n
        const rates = FIXED_RATES.map(({ currency, satsPerUnit }) => ({ currency, satsPerUnit: satsPerUnit * times }))
        return { rates, quotes: SOURCES.flatMap((source) => rates.map((rate) => ({ source, ...rate }))) }
      })
    return { isFixed: false, sources: SOURCES, read }
  }

  function mailerFor(actor: Actor): Mailer {
    return {
      isOutboxKept: true,
      send: (mail) =>
        step(actor, 'send mail', async () => {
          if (isDown.mail) throw new MailNotTaken('mail is down')
          mails.push(mail.text)
          takenMails.add(mail.id)
        }),
      close: () => undefined,
    }
  }

  return {
    node,
    chain,
    beaconChain,
    requiredConfirmations: faults.requiredConfirmations,
    mails,
    takenMails,
    isDown,
    promised,
    excluded,
    spentByInsider,
    now,
    refOfOrder,
    lightning,
    bitcoinFor,
    overLightning,
    /** The network of one process: the beacon's relays and the witnesses. */
    fetchFor(actor: Actor): typeof globalThis.fetch {
      const relays = relayFetch(actor, { faults, step, now, chain: beaconChain })
      const toWitnesses = witnesses.fetchFor(actor)
      return (input, init) => (witnesses.isOneOf(input) ? toWitnesses : relays)(input, init)
    },
    mailerFor,
    ratesFor,
    hasLiveRates: faults.hasLiveRates,

    /** receipts as players were shown them */
    receipts,
    /** The log as players and witnesses know it. */
    log: () => log ?? unknownLog(),

    /** Makes the log known from now on. */
    introduce(known: WitnessedLog): void {
      log = known
    },

    /** Mines a block. */
    mine(): void {
      node.mine(1, passedOver)
      for (const txid of chain.blocks.at(-1) ?? []) minedAt.set(txid, now())
    },

    /**
     * Spends the last of the payouts' opening coins with our keys, unless a payout has locked it. The change returns to
     * us.
     *
     * @param paid what the coin pays for; null if it only moves
     * @returns whether the coin was spent
     */
    spendAsInsider(paid: WalletOutput | null): boolean {
      const coin = `${chain.blocks[0]?.at(-1) ?? ''}:0`
      if (node.lockedCoins().includes(coin)) return false
      if (chain.minedSpender(coin) !== undefined || chain.waitingSpender(coin) !== undefined) return false
      const change = { address: OWN, sats: (chain.coinOf(coin)?.sats ?? 0n) - (paid?.sats ?? 0n) - INSIDER_FEE_SATS }
      const outputs = paid === null ? [change] : [paid, change]
      spentByInsider.push(node.put({ inputs: [coin], outputs, feeSats: INSIDER_FEE_SATS }))
      return true
    },

    /** No miner takes the transaction until it is let go. */
    passOver: (txid: string) => void passedOver.add(txid),
    waitingFor: (address: string) => [...chain.mempool].find((txid) => addressesOf(txid).includes(address)),
    letGo: (txid: string) => void passedOver.delete(txid),

    addressesInNewestBlock: () => (chain.blocks.at(-1) ?? []).flatMap(addressesOf),
    addressesWaiting: () => [...chain.mempool].flatMap(addressesOf),

    /** What both wallets hold, in sats. */
    heldSats: () => heldBy('deposits') + heldBy('payouts'),

    /** Marks these addresses as changed: the provider notifies its followers. */
    touch(addresses: readonly string[]): string[] {
      const refs = addresses.filter((address) => deposits.has(address))
      for (const ref of refs) outputsTo(ref) // the provider sees it now
      changed.push(...refs)
      return refs
    },

    setReachable(isReachable: boolean): void {
      isDown.wallet = !isReachable
      node.setReachable(isReachable)
    },
  }
}
