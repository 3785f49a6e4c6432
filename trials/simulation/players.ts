import { LotteryError } from '@fairball/domain/errors'
import { Unauthorized, Unreachable } from '@fairball/server/testing/http'
import {
  allPapersOf,
  checkoutOf,
  createOrder,
  moneyOf,
  openInvoice,
  type OrderRequest,
  refreshPayments,
} from '@fairball/server/testing/lottery'
import { strangerAddress } from './addresses.ts'
import { Broken } from './checks.ts'
import { onErrand } from './errands.ts'
import type { Faults } from './faults.ts'
import { lightningFault, promiseFault, secretOf } from './papers.ts'
import type { Prng } from './prng.ts'
import { isLost, type Process } from './processes.ts'
import { Down } from './outages.ts'
import type { World } from './world.ts'

/** Share of orders that are paid over Lightning, where it is offered. */
const OVER_LIGHTNING = 0.6
const MSAT = 1_000n
/** What people do with an invoice over Lightning. */
const LIGHTNING_WAYS = [
  'full',
  'full',
  'full',
  'too little',
  'too much',
  'both ways',
  'twice',
  'late',
  'never',
] as const
type LightningWay = (typeof LIGHTNING_WAYS)[number]
const GENEROUS_WAYS: readonly LightningWay[] = ['full', 'too much', 'too much', 'both ways']
/** The most orders of a player who pays too much over Lightning. */
const MOST_OVERPAID = 4
/** Attempts after which a player's browser gives up. */
const TRIES = 6
/** Players of a crowd come at multiples of this, in seconds. */
const CROWD_SECONDS = 600
const GAME = 'bitcoin-hero'
/** A little more than the fee of one payout. */
const LEAST_LEFT_SATS = 300n
/** Wednesday and Thursday. */
const DAYS = [[3], [3, 4], [4]] as const
const FIRST_DAYS = [3]

/** Times that a player asks for a game that does not sell. */
const NEW_GAME_TRIES = 20

/** A little more than half a year. */
const EXCLUSION_SECONDS = 200 * 86_400

/** A player's story orders the first draw and another, with enough lines that almost always one wins a prize. */
const STORY_DAYS = [3, 4]
const STORY_LINES = 400
const STORY_REFUNDED_LINES = 5
/** A story runs to its end: its player does not give up while a crashed process restarts. */
const STORY_TRIES = 60
/** By then the first draw is over, and the plays of both orders have their places. */
const STORY_PAPERS_SECONDS = 1000

/** What a player's script needs. */
interface PlayersDeps {
  readonly prng: Prng
  /** whose coins pay: no two groups of players spend the same coin */
  readonly coinsOf: string
  readonly faults: Faults
  readonly world: World
  readonly webs: readonly Process[]
  /** sleeps for this many seconds of the simulation */
  readonly pause: (seconds: number) => Promise<void>
  /** called when a transaction of the player appears: the provider sees it */
  readonly onChain: (addresses: readonly string[]) => void
  readonly onFault: (what: string) => void
}

/** A player, as the script knows them. */
export interface Player {
  readonly id: bigint
  readonly name: string
  /** where prizes go */
  readonly address: string
}

/** A refusal that a browser shows: the player learns the reason, and nothing is wrong. */
function isRefusal(error: unknown): boolean {
  return error instanceof LotteryError || error instanceof Unreachable || error instanceof Unauthorized
}

/** Players visit as real ones do: they order, pay or do not, send a request twice, and have several tabs open. */
export function createPlayers(deps: PlayersDeps) {
  const { prng, coinsOf, faults, world, webs, pause, onChain } = deps
  let coins = 0
  let hasPassedOver = false

  /**
   * Asks a random process, and retries another with the same key if the answer is lost.
   *
   * @returns null if it gives up
   */
  async function insist<T>(question: (web: Process) => Promise<T>, tries = TRIES): Promise<T | null> {
    for (let tried = 0; tried < tries; tried += 1) {
      try {
        return await question(faults.isCrowded && tried === 0 ? (webs[0] ?? prng.pick(webs)) : prng.pick(webs))
      } catch (error) {
        if (isRefusal(error)) return null
        if (!isLost(error)) throw error
        await pause(prng.between(1, 30))
      }
    }
    return null
  }

  /** Pays an address from an outside coin. @returns the spent coin, so that it can be spent again */
  function pay(address: string, sats: bigint): string {
    coins += 1
    const coin = `${coinsOf} ${coins}`
    world.node.put({ inputs: [coin], outputs: [{ address, sats }], feeSats: 500n })
    onChain([address])
    return coin
  }

  function randomLines(count: number): OrderRequest['tickets'] {
    return Array.from({ length: count }, () => {
      const numbers = new Set<number>()
      while (numbers.size < 5) numbers.add(prng.between(1, 36))
      return { numbers: [...numbers].toSorted((a, b) => a - b), isLuckyDip: false }
    })
  }

  /** An order as a browser requests it. Repeats with the same key are the same order. */
  function ordering(
    player: Player,
    key: string,
    wanted: Pick<OrderRequest, 'days' | 'tickets'> & Partial<Pick<OrderRequest, 'gameKey'>>,
  ) {
    const secret = secretOf(`${player.name} ${key}`)
    const request: OrderRequest = {
      playerId: player.id,
      gameKey: GAME,
      weeks: 1,
      idempotencyKey: key,
      secret,
      ...wanted,
    }
    return async (web: Process) => {
      const { orderId } = await web.ask(({ lottery }) => createOrder(lottery.orders, request))
      const { promise } = await web.ask(({ lottery }) => openInvoice(lottery.payments, orderId))
      const money = await web.ask(({ lottery }) => moneyOf(lottery.payments, orderId))
      const lines = wanted.tickets.map(({ numbers }) => numbers)
      const fault = promiseFault(promise, { secret, lines, payto: player.address }, world.log(), money)
      // If the promise names another address, the player notices that it was changed.
      if (fault === 'address') deps.onFault('promises to another address')
      else if (fault !== null) throw new Broken([`a promise that a browser refuses: ${fault}`])
      return { orderId, money, promise }
    }
  }

  /** Opens the papers of all plays, and keeps them. */
  async function keepPapers(player: Player, tries = TRIES): Promise<void> {
    const shown = await insist((web) => web.ask(({ lottery }) => allPapersOf(lottery.payments, player.id)), tries)
    for (const { receipts } of shown?.papers ?? []) world.receipts.push(...receipts)
  }

  /** Orders some lines. @returns the order and its payment address; null if there is none */
  async function place(player: Player, key: string) {
    const days = prng.pick(DAYS)
    const order = ordering(player, key, { days, tickets: randomLines(prng.pick([1, 5, 60, 250])) })
    const clicks = prng.chance(faults.doubleClick) ? [insist(order), insist(order)] : [insist(order)]
    const [placed] = (await Promise.all(clicks)).filter((one) => one !== null)
    const address = placed?.money.address ?? null
    if (placed === undefined || address === null) return null
    return { orderId: placed.orderId, address, dueSats: placed.money.dueSats, promise: placed.promise }
  }

  /** One order, from the numbers to the payment. */
  async function visit(player: Player, key: string): Promise<void> {
    const placed = await place(player, key)
    if (placed === null) return
    const isExcluded = prng.chance(faults.exclusion)
    const isOverLightning = world.lightning !== null && prng.chance(OVER_LIGHTNING)
    await Promise.all([
      isOverLightning ? settleOverLightning(placed) : settle(placed.address, placed.dueSats),
      isExcluded ? exclude(player, placed.orderId) : null,
    ])
    if (prng.chance(faults.doubleClick)) await lookTwice(placed.orderId)
  }

  /** Begins an exclusion at about the time the payment is seen. From then on, uncovered entries must not be played. */
  async function exclude(player: Player, orderId: string): Promise<void> {
    await pause(prng.between(1, 250))
    const caller = { address: '127.0.0.1', userAgent: 'simulated', device: null, keepDevice: () => undefined }
    const isDone = await insist(async (web) => {
      await web.ask(({ sessions }) => sessions.exclude(player.id, caller, EXCLUSION_SECONDS))
      return await web.ask(({ lottery }) => moneyOf(lottery.payments, orderId))
    })
    if (isDone === null) return
    deps.onFault('exclusions')
    world.excluded.set(player.id, world.now())
  }

  /** Checks an order's payments twice at once, as the jobs of two messages do. */
  async function lookTwice(orderId: string): Promise<void> {
    await pause(prng.between(1, 900))
    await Promise.all([look(orderId), look(orderId)])
  }

  /** Checks an order's payments, as the job of a message does. */
  async function look(orderId: string): Promise<void> {
    await insist((web) =>
      web
        .ask(({ lottery }) => refreshPayments(lottery.payments, orderId))
        .catch((error: unknown) => {
          if (!(error instanceof Down)) throw error
          return null
        }),
    )
  }

  /** Orders some lines of the first draw and pays. @returns null if there is no order */
  async function buyFirst(player: Player) {
    const order = ordering(player, player.name, { days: FIRST_DAYS, tickets: randomLines(prng.pick([1, 5, 60])) })
    const bought = await insist(order)
    const address = bought?.money.address ?? null
    if (bought === null || address === null) return null
    return { orderId: bought.orderId, address, coin: pay(address, bought.money.dueSats) }
  }

  /** Orders lines of a game that may not be there yet, as soon as it can be had, and pays as people do. */
  async function buyNew(player: Player, gameKey: string): Promise<void> {
    for (let tried = 1; tried <= NEW_GAME_TRIES; tried += 1) {
      const wanted = { gameKey, days: FIRST_DAYS, tickets: randomLines(prng.pick([1, 60])) }
      const bought = await insist(ordering(player, `${player.name} ${tried}`, wanted))
      const address = bought?.money.address ?? null
      if (bought !== null && address !== null) return await settle(address, bought.money.dueSats)
      await pause(prng.between(30, 90))
    }
  }

  /** Pays an order as people do. */
  async function settle(address: string, dueSats: bigint): Promise<void> {
    await pause(prng.between(1, 200))
    const part = (dueSats * BigInt(prng.between(10, 90))) / 100n + 1n
    switch (
      prng.pick([
        'full',
        'full',
        'full',
        'full',
        'parts',
        'too little',
        'too much',
        'all that the payouts have',
        'twice',
        'late',
        'never',
        'taken back',
        'dearer',
      ])
    ) {
      case 'full':
        pay(address, dueSats)
        return await maybePassOver(address)
      case 'parts':
        pay(address, part)
        await pause(prng.between(1, 400))
        if (dueSats > part) pay(address, dueSats - part)
        return
      case 'too little':
        return void pay(address, part < dueSats ? part : 1n)
      case 'too much':
        return void pay(address, dueSats + part)
      case 'all that the payouts have':
        // Refunding the surplus would leave the prize wallet with less than any prize.
        deps.onFault('overpaid by the whole hot wallet')
        return void pay(address, dueSats + world.node.spendableSats() - LEAST_LEFT_SATS)
      case 'twice':
        pay(address, dueSats)
        await pause(prng.between(1, 1500))
        return void pay(address, dueSats)
      case 'late':
        await pause(prng.between(800, 1500))
        return void pay(address, dueSats)
      case 'taken back': {
        const coin = pay(address, dueSats)
        await pause(prng.between(1, 300))
        respend(coin, address)
        return
      }
      case 'dearer': {
        const coin = pay(address, dueSats)
        const txid = world.waitingFor(address)
        if (txid !== undefined) world.passOver(txid) // its fee is too low
        // A payment that vanishes while the provider cannot be read was never seen.
        if (faults.reorganisation === 0 && !faults.outages.some(({ what }) => what === 'provider'))
          world.promised.add(address)
        await pause(prng.between(1, 2400))
        raiseFee(coin, address, dueSats)
        return
      }
      case 'never':
        return
    }
  }

  /** Pays an order over Lightning as people do; on the chain if that is not offered. */
  async function settleOverLightning(
    placed: NonNullable<Awaited<ReturnType<typeof place>>>,
    ways: readonly LightningWay[] = LIGHTNING_WAYS,
  ): Promise<void> {
    const { lightning } = world
    const { orderId, address, dueSats, promise } = placed
    await pause(prng.between(1, 120))
    const shown = await insist((web) =>
      web
        .ask(({ lottery }) => checkoutOf(lottery.payments, orderId))
        .catch((error: unknown) => {
          if (!(error instanceof Down)) throw error
          return null
        }),
    )
    const offered = shown?.lightning ?? null
    if (lightning === null || offered === null || offered.bolt11 === null || offered.state !== 'open')
      return await settle(address, dueSats)
    const fault = lightningFault(promise, offered.bolt11, { hash: offered.payment_hash, dueSats })
    if (fault !== null) throw new Broken([`a Lightning invoice that a browser refuses: ${fault}`])
    const { isSteady } = lightning // until the faults end
    const give = (msat: bigint): void => {
      const isTaken = lightning.pay(offered.payment_hash, msat)
      deps.onFault(isTaken ? 'paid over Lightning' : 'payments refused by the Lightning node')
      // What nobody can ask the node for until the draws are over is given back.
      if (isTaken && isSteady) world.promised.add(address)
    }
    const dueMsat = dueSats * MSAT
    switch (prng.pick(ways)) {
      case 'full':
        give(dueMsat)
        break
      case 'too little':
        give(dueMsat - 1n)
        break
      case 'too much':
        give((dueMsat * BigInt(prng.between(101, 210))) / 100n + 1n)
        break
      case 'both ways':
        pay(address, dueSats)
        if (prng.chance(0.5)) await pause(prng.between(1, 300))
        give(dueMsat)
        break
      case 'twice':
        give(dueMsat)
        give(dueMsat)
        break
      case 'late':
        await pause(prng.between(100, 1500))
        give(dueMsat)
        break
      case 'never':
        return
    }
    if (prng.chance(0.5)) await look(orderId)
  }

  /** In seeds with this fault, miners pass over one payment: for half an hour, or for ever. */
  async function maybePassOver(address: string): Promise<void> {
    if (!faults.minersPassOver || hasPassedOver) return
    const txid = world.waitingFor(address)
    if (txid === undefined) return
    hasPassedOver = true
    world.passOver(txid)
    deps.onFault('payments passed over')
    if (prng.chance(0.6)) return
    await pause(1800)
    world.letGo(txid)
  }

  /** Spends a coin elsewhere, unless a block already holds it. */
  function respend(coin: string, address: string): void {
    if (world.chain.minedSpender(coin) !== undefined) return
    world.node.put({ inputs: [coin], outputs: [{ address: strangerAddress(0), sats: 1000n }], feeSats: 900n })
    onChain([address])
  }

  /** Replaces a waiting payment with one of the same amount and a higher fee. */
  function raiseFee(coin: string, address: string, sats: bigint): void {
    if (world.chain.minedSpender(coin) !== undefined) return
    world.node.put({ inputs: [coin], outputs: [{ address, sats }], feeSats: 900n })
    deps.onFault('replaced fees')
    onChain([address])
  }

  /**
   * Tabs that share one session: each refreshes it, sometimes two at once, and sometimes the player has logged out
   * elsewhere.
   */
  async function browse(player: Player): Promise<void> {
    const caller = { address: '127.0.0.1', userAgent: 'simulated', device: null, keepDevice: () => undefined }
    const open = (web: Process) => web.ask(({ sessions }) => sessions.openFor(player.id, caller))
    const token = await insist(open)
    if (token === null) return
    let shared: string = token
    for (let rounds = prng.between(1, 4); rounds > 0; rounds -= 1) {
      await pause(prng.between(60, 500))
      if (prng.chance(0.25)) await insist((web) => web.ask(({ sessions }) => sessions.logOut(player.id)))
      const used = shared
      const tabs = Array.from({ length: prng.chance(0.4) ? 2 : 1 }, () =>
        insist((web) => web.ask(({ sessions }) => sessions.refresh(used))),
      )
      const tokens = (await Promise.all(tabs)).find((one) => one !== null)
      if (tokens === undefined || tokens === null) return
      shared = tokens.refresh_token
    }
  }

  return {
    /**
     * A story without quirks. One order is paid, with so many lines that one of them wins; another is underpaid and
     * refunded.
     */
    async follow(player: Player): Promise<void> {
      const orders = [
        { key: 'paid', lines: STORY_LINES, paidOf: (dueSats: bigint) => dueSats },
        { key: 'refunded', lines: STORY_REFUNDED_LINES, paidOf: (dueSats: bigint) => dueSats - 1n },
      ]
      for (const { key, lines, paidOf } of orders) {
        await pause(prng.between(1, 60))
        const order = ordering(player, key, { days: STORY_DAYS, tickets: randomLines(lines) })
        const money = (await onErrand('purchase', () => insist(order, STORY_TRIES)))?.money
        if (money === undefined || money.address === null) throw new Error(`the order to be ${key} could not be placed`)
        await pause(prng.between(1, 60))
        pay(money.address, paidOf(money.dueSats))
      }
      await pause(STORY_PAPERS_SECONDS)
      await onErrand('receipt', () => keepPapers(player, STORY_TRIES))
    },

    /** Everything one player does, order by order. */
    async live(player: Player, visits: number): Promise<void> {
      const tabs = prng.chance(0.4) ? browse(player) : Promise.resolve()
      for (let number = 1; number <= visits; number += 1) {
        // A returning player may have won in the meantime.
        const seconds = number > 1 && prng.chance(0.6) ? prng.between(700, 1000) : prng.between(1, 400)
        await pause(faults.isCrowded ? untilCrowd(world.now(), seconds) : seconds)
        const key = `${player.name} ${number}`
        // The player's second device places another order at the same time, for the same free tickets.
        if (prng.chance(faults.secondDevice)) await Promise.all([visit(player, key), visit(player, `${key} again`)])
        else await visit(player, key)
      }
      await tabs
      await keepPapers(player)
    },

    /** Orders early, again and again, and pays over Lightning: mostly too much, so that something is given back. */
    async overpay(player: Player): Promise<void> {
      for (let number = prng.between(2, MOST_OVERPAID); number > 0; number -= 1) {
        await pause(prng.between(1, 150))
        const placed = await place(player, `${player.name} over Lightning ${number}`)
        if (placed !== null) await settleOverLightning(placed, GENEROUS_WAYS)
      }
      await keepPapers(player)
    },

    keepPapers,
    place,
    buyFirst,
    buyNew,
    look,
    respend,
  }
}

/** How long somebody waits at least `seconds` from `now` until the others come too. */
function untilCrowd(now: number, seconds: number): number {
  return Math.ceil((now + seconds) / CROWD_SECONDS) * CROWD_SECONDS - now
}
