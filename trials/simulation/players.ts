import { LotteryError } from '@fairball/domain/errors'
import { Unauthorized, Unreachable } from '@fairball/server/testing/http'
import {
  allPapersOf,
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
import { promiseFault, secretOf } from './papers.ts'
import type { Prng } from './prng.ts'
import { isLost, type Process } from './processes.ts'
import { Down } from './outages.ts'
import type { World } from './world.ts'

/** How a player's browser gives up for good. */
const TRIES = 6
const GAME = 'bitcoin-hero'
/** What the fee of one payout takes, and a little more. */
const LEAST_LEFT_SATS = 300n
/** The days of Wednesday and Thursday. */
const DAYS = [[3], [3, 4], [4]] as const
const FIRST_DAYS = [3]

/** Half a year and a bit. */
const EXCLUSION_SECONDS = 200 * 86_400

/** Of the story of one player: the first draw and another, and so many lines that hardly ever none wins a prize. */
const STORY_DAYS = [3, 4]
const STORY_LINES = 400
const STORY_REFUNDED_LINES = 5
/** A story runs to its end: its player does not give up while a process that died restarts. */
const STORY_TRIES = 60
/** By then the first draw is over, and the plays of both have their places. */
const STORY_PAPERS_SECONDS = 1000

/** What a player's script may use. */
interface PlayersDeps {
  readonly prng: Prng
  readonly faults: Faults
  readonly world: World
  readonly webs: readonly Process[]
  /** sleeps so many seconds of the simulation */
  readonly pause: (seconds: number) => Promise<void>
  /** a transaction of the player's appeared: the provider sees it */
  readonly onChain: (addresses: readonly string[]) => void
  readonly onFault: (what: string) => void
}

/** What somebody knows who plays. */
export interface Player {
  readonly id: bigint
  readonly name: string
  /** where prizes go */
  readonly address: string
}

/** A refusal that a browser shows: the player is told, and nothing is wrong. */
function isRefusal(error: unknown): boolean {
  return error instanceof LotteryError || error instanceof Unreachable || error instanceof Unauthorized
}

/** Players as they come by: they order, pay or do not, come twice at once, and have several tabs open. */
export function createPlayers(deps: PlayersDeps) {
  const { prng, faults, world, webs, pause, onChain } = deps
  let coins = 0
  let hasPassedOver = false

  /** Asks a process, and any again where that one is lost, with the same key. @returns null once it is given up */
  async function insist<T>(question: (web: Process) => Promise<T>, tries = TRIES): Promise<T | null> {
    for (let tried = 0; tried < tries; tried += 1) {
      try {
        return await question(prng.pick(webs))
      } catch (error) {
        if (isRefusal(error)) return null
        if (!isLost(error)) throw error
        await pause(prng.between(1, 30))
      }
    }
    return null
  }

  /** Somebody outside pays an address. @returns the coin that was spent, for who wants to spend it again */
  function pay(address: string, sats: bigint): string {
    coins += 1
    const coin = `outside ${coins}`
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

  /** An order as a browser asks for it, however often: the same key is the same order. */
  function ordering(player: Player, key: string, wanted: Pick<OrderRequest, 'days' | 'tickets'>) {
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
      // Who pays although the promise names another's address finds out that somebody changed it.
      if (fault === 'address') deps.onFault('promises to another address')
      else if (fault !== null) throw new Broken([`a promise that a browser refuses: ${fault}`])
      return { orderId, money }
    }
  }

  /** Has the papers of all plays shown, and keeps them. */
  async function keepPapers(player: Player, tries = TRIES): Promise<void> {
    const shown = await insist((web) => web.ask(({ lottery }) => allPapersOf(lottery.payments, player.id)), tries)
    for (const { receipts } of shown?.papers ?? []) world.receipts.push(...receipts)
  }

  /** Orders some lines. @returns the order and where it is to be paid; null where there is none */
  async function place(player: Player, key: string) {
    const days = prng.pick(DAYS)
    const order = ordering(player, key, { days, tickets: randomLines(prng.pick([1, 5, 60, 250])) })
    const clicks = prng.chance(faults.doubleClick) ? [insist(order), insist(order)] : [insist(order)]
    const [placed] = (await Promise.all(clicks)).filter((one) => one !== null)
    const address = placed?.money.address ?? null
    if (placed === undefined || address === null) return null
    return { orderId: placed.orderId, address, dueSats: placed.money.dueSats }
  }

  /** One order, from the numbers to the payment. */
  async function visit(player: Player, key: string): Promise<void> {
    const placed = await place(player, key)
    if (placed === null) return
    const isExcluded = prng.chance(faults.exclusion)
    await Promise.all([settle(placed.address, placed.dueSats), isExcluded ? exclude(player, placed.orderId) : null])
    if (prng.chance(faults.doubleClick)) await lookTwice(placed.orderId)
  }

  /** Begins an exclusion about when a payment is seen. What nothing covers then is not to be played. */
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

  /** Two who look at an order's payments at once, as jobs of two messages do. */
  async function lookTwice(orderId: string): Promise<void> {
    await pause(prng.between(1, 900))
    await Promise.all([look(orderId), look(orderId)])
  }

  /** A look at an order's payments, as the job of a message has it. */
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

  /** Orders some lines of the first draw and pays. @returns null where there is no order */
  async function buyFirst(player: Player) {
    const order = ordering(player, player.name, { days: FIRST_DAYS, tickets: randomLines(prng.pick([1, 5, 60])) })
    const bought = await insist(order)
    const address = bought?.money.address ?? null
    if (bought === null || address === null) return null
    return { orderId: bought.orderId, address, coin: pay(address, bought.money.dueSats) }
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
        // What comes back of it would leave the wallet of the prizes with less than any prize.
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
        // What vanishes while nobody can read the provider was never seen.
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

  /** Once in a seed in which they do, miners pass over a payment: for half an hour, or for ever. */
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

  /** Spends a coin otherwise, unless a block holds it already. */
  function respend(coin: string, address: string): void {
    if (world.chain.minedSpender(coin) !== undefined) return
    world.node.put({ inputs: [coin], outputs: [{ address: strangerAddress(0), sats: 1000n }], feeSats: 900n })
    onChain([address])
  }

  /** Pays the same with a higher fee, in place of a payment that waits. */
  function raiseFee(coin: string, address: string, sats: bigint): void {
    if (world.chain.minedSpender(coin) !== undefined) return
    world.node.put({ inputs: [coin], outputs: [{ address, sats }], feeSats: 900n })
    deps.onFault('replaced fees')
    onChain([address])
  }

  /** Tabs with one session: each refreshes it, sometimes two at once, and sometimes the player has logged out elsewhere. */
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
    /** A story without quirks: an order that is paid, with so many lines that one wins, and one that gets too little and is refunded. */
    async follow(player: Player): Promise<void> {
      const orders = [
        { key: 'paid', lines: STORY_LINES, paidOf: (dueSats: bigint) => dueSats },
        { key: 'refunded', lines: STORY_REFUNDED_LINES, paidOf: (dueSats: bigint) => dueSats - 1n },
      ]
      for (const { key, lines, paidOf } of orders) {
        await pause(prng.between(1, 60))
        const order = ordering(player, key, { days: STORY_DAYS, tickets: randomLines(lines) })
        const money = (await onErrand('purchase', () => insist(order, STORY_TRIES)))?.money
        if (money === undefined || money.address === null) throw new Error(`no order could be placed to be ${key}`)
        await pause(prng.between(1, 60))
        pay(money.address, paidOf(money.dueSats))
      }
      await pause(STORY_PAPERS_SECONDS)
      await onErrand('receipt', () => keepPapers(player, STORY_TRIES))
    },

    /** Everything one player does, one order after the other. */
    async live(player: Player, visits: number): Promise<void> {
      const tabs = prng.chance(0.4) ? browse(player) : Promise.resolve()
      for (let number = 1; number <= visits; number += 1) {
        // A player who comes back may have won in the meantime.
        await pause(number > 1 && prng.chance(0.6) ? prng.between(700, 1000) : prng.between(1, 400))
        const key = `${player.name} ${number}`
        // A second device of the same player's: another order at the same time, for the same free tickets.
        if (prng.chance(faults.secondDevice)) await Promise.all([visit(player, key), visit(player, `${key} again`)])
        else await visit(player, key)
      }
      await tabs
      await keepPapers(player)
    },

    keepPapers,
    place,
    buyFirst,
    look,
    respend,
  }
}
