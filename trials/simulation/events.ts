import type { SeedDatabase } from './database.ts'
import { MISSING_SECONDS, PLACE_LOOK_SECONDS, type TakingBack, takingBackOf } from './double-spender.ts'
import type { FaultName } from './faults.ts'
import { changeGames, changesOf, type GameChanges, NEW_GAME, STORY_CHANGES } from './game-changes.ts'
import { acceptWhatWasSpent, type InsideJob, insideJobOf, UNNOTICED_SECONDS } from './insider.ts'
import { changeAddresses, intrusionOf, releaseSetAside, restoreAddresses } from './intruder.ts'
import { tendLightning } from './lightning-checks.ts'
import { hasPlace } from './observing.ts'
import type { Outside } from './outside.ts'
import type { createPlayers, Player } from './players.ts'
import { assertNothingSoldUncarried, withdrawalOf, withdrawBankroll } from './poor-operator.ts'
import { createPrng, type Prng } from './prng.ts'
import type { Process } from './processes.ts'
import {
  approvePrizes,
  assertLimitKept,
  compareSettings,
  NEW_LIMIT_SATS,
  newLimitOf,
  NOTICED_SECONDS,
} from './settings.ts'
import { approvesInConsole, assertDoneOnce, TwoPeople } from './two-people.ts'
import type { World } from './world.ts'

// What a few people do in a seed while its players live: the operator changes things, thieves try theirs, and a player
// takes a payment back.

/** Interval at which the operator looks at what waits over Lightning once the faults are over, in seconds. */
const LIGHTNING_LOOK_SECONDS = 300
/** Interval at which the operator checks the players set aside and the detected spends of our coins, in seconds. */
const OPERATOR_LOOK_SECONDS = 600

/** What will happen in a seed; null for what will not. Times are in seconds from the start. */
interface Plans {
  /** when an intruder changes addresses in the database */
  readonly intrusionAfter: number | null
  readonly insideJob: InsideJob | null
  readonly takingBack: TakingBack | null
  /** when a worker starts with another approval limit */
  readonly newLimitAfter: number | null
  /** when the operator takes the free bankroll */
  readonly withdrawnAfter: number | null
  readonly gameChanges: GameChanges | null
}

/** What the people of the events need of the seed. */
interface Stage {
  readonly seed: number
  readonly database: SeedDatabase
  readonly world: World
  readonly processes: readonly Process[]
  readonly outside: Outside
  /** whether the faults have ended */
  isQuiet(): boolean
  /** epoch seconds */
  now(): number
  /** the time without what slipped during work, epoch ms */
  workedMs(): number
  pause(seconds: number): Promise<void>
  /** Does something as somebody outside the processes. Work that takes real time must be a step: it holds the seed's time. */
  step<T>(label: string, act: () => Promise<T>): Promise<T>
  inBackground(act: () => Promise<void>): void
  restart(process: Process): Promise<void>
  people(prng: Prng, coinsOf: string): ReturnType<typeof createPlayers>
  note(line: string): void
  count(what: string): void
  /** Ends the seed as broken. */
  fail(why: string): void
}

/** Those who come in addition to the players whose lives a seed plays. */
interface Cast {
  readonly insiders: readonly Player[]
  readonly doubleSpenders: readonly Player[]
  /** they buy lines of a new game */
  readonly curious: readonly Player[]
  readonly overLightning: readonly Player[]
}

/** What will happen in a seed, without what was left out; in a story only the operator changes games. */
export function plansOf(
  seed: number,
  options: { isStory: boolean; without: ReadonlySet<FaultName> | undefined; providerTells: boolean },
): Plans {
  const { isStory, without, providerTells } = options
  const isOut = (name: FaultName): boolean => isStory || without?.has(name) === true
  return {
    intrusionAfter: isOut('intruder') ? null : intrusionOf(seed),
    insideJob: isOut('insider') ? null : insideJobOf(seed, providerTells),
    takingBack: isOut('double-spender') ? null : takingBackOf(seed),
    newLimitAfter: isOut('settings') ? null : newLimitOf(seed),
    withdrawnAfter: isOut('poor-operator') ? null : withdrawalOf(seed),
    gameChanges: isStory ? STORY_CHANGES : isOut('game-changes') ? null : changesOf(seed),
  }
}

/** The events of one seed, and what has come of them so far. */
export class Events {
  readonly #plans: Plans
  readonly #stage: Stage
  #hasIntruded = false
  #withdrawnAt: number | null = null
  /** the amount above which payouts need approval, for processes that start from now on */
  #approvalSats: bigint | null = null
  /**
   * when the new limit takes effect, epoch seconds; from then on no payout above it leaves without approval; null under
   * the old limit
   */
  #limitedFrom: number | null = null
  /**
   * when the insider spent our coins, in epoch ms without slipped time; null again once the operator has accepted the
   * spend
   */
  #spentAtMs: number | null = null
  #isAccepting = false
  /** those who approve in the console, once they are enrolled */
  #people: TwoPeople | null = null

  constructor(plans: Plans, stage: Stage) {
    this.#plans = plans
    this.#stage = stage
  }

  /** The number of people who come for the events. */
  get newcomers(): number {
    const { insideJob, takingBack } = this.#plans
    return (insideJob === null ? 0 : 1) + (takingBack === null ? 0 : 1) + (this.#hasNewGame ? 1 : 0)
  }

  get #hasNewGame(): boolean {
    return this.#plans.gameChanges?.changes.includes('new') === true
  }

  /** Whether a player takes a payment back. */
  get takesBack(): boolean {
    return this.#plans.takingBack !== null
  }

  /** The approval limit of a process that starts now; undefined for that of the product. */
  get approvalSats(): bigint | null | undefined {
    return this.#plans.newLimitAfter === null ? undefined : this.#approvalSats
  }

  /** Whether somebody has done what the operator must mend. */
  get hasHarmed(): boolean {
    return this.#hasIntruded || this.#hasSpent()
  }

  /** Divides the newcomers, and those after them who are paid over Lightning. */
  castOf(people: readonly Player[]): Cast {
    const left = [...people]
    return {
      insiders: left.splice(0, this.#plans.insideJob === null ? 0 : 1),
      doubleSpenders: left.splice(0, this.takesBack ? 1 : 0),
      curious: left.splice(0, this.#hasNewGame ? 1 : 0),
      overLightning: left,
    }
  }

  /** Lets happen what needs no player. */
  begin(): void {
    const { intrusionAfter, newLimitAfter, withdrawnAfter } = this.#plans
    if (intrusionAfter !== null) this.#stage.inBackground(() => this.#intrude(intrusionAfter))
    if (newLimitAfter !== null) this.#stage.inBackground(() => this.#changeLimit(newLimitAfter))
    if (withdrawnAfter !== null) this.#stage.inBackground(() => this.#withdraw(withdrawnAfter))
  }

  /** Lets the cast do their part, and the operator change the games. */
  enter({ insiders, doubleSpenders, curious, overLightning }: Cast): void {
    const { inBackground } = this.#stage
    const { gameChanges } = this.#plans
    for (const insider of insiders) inBackground(() => this.#takeCoins(insider))
    for (const spender of doubleSpenders) inBackground(() => this.#takePaymentBack(spender))
    for (const player of curious) inBackground(() => this.#playNewGame(player))
    for (const player of overLightning) inBackground(() => this.#overpay(player))
    if (gameChanges !== null) inBackground(() => this.#changeGames(gameChanges))
  }

  /** Fails if the new limit was not kept, or something was sold that nobody carries. */
  async assertRulesKept(): Promise<void> {
    const { database } = this.#stage
    if (this.#limitedFrom !== null) await assertLimitKept(database, this.#limitedFrom)
    if (this.#people !== null) await assertDoneOnce(database)
    if (this.#withdrawnAt !== null) await assertNothingSoldUncarried(database, this.#withdrawnAt)
  }

  async #intrude(afterSeconds: number): Promise<void> {
    await this.#stage.pause(afterSeconds)
    if (this.#stage.isQuiet()) return
    this.#hasIntruded = true
    const { url } = this.#stage.database
    await this.#stage.step('somebody changes the addresses', () => changeAddresses(url))
    this.#stage.count('addresses changed by somebody')
  }

  /** An insider with the wallet's keys spends one of our coins, perhaps to pay for their own order. */
  async #takeCoins(insider: Player): Promise<void> {
    const { after, buys } = this.#plans.insideJob ?? { after: 0, buys: false }
    await this.#stage.pause(after)
    const people = this.#stage.people(createPrng(`${this.#stage.seed} insider's order`), 'insider')
    const order = buys ? await people.place(insider, insider.name) : null
    if (this.#stage.isQuiet()) return
    const paid = order === null ? null : { address: order.address, sats: order.dueSats }
    if (!this.#stage.world.spendAsInsider(paid)) return
    this.#spentAtMs = this.#stage.workedMs()
    this.#stage.note(paid === null ? 'somebody moves coins of ours' : 'somebody pays with coins of ours')
    this.#stage.count(paid === null ? 'coins moved by somebody' : 'orders paid with our coins')
    if (paid !== null) this.#stage.outside.tell([paid.address])
  }

  /**
   * A player pays for the first draw. Once the play has its place, the blocks that held the payment are replaced by
   * blocks without it. Then its coin is spent elsewhere, or the payment returns.
   */
  async #takePaymentBack(spender: Player): Promise<void> {
    const { after, wait, comesAgainAfter } = this.#plans.takingBack ?? { after: 0, wait: 0, comesAgainAfter: null }
    await this.#stage.pause(after)
    const people = this.#stage.people(createPrng(`${this.#stage.seed} order of the double spender`), 'double spender')
    const bought = await people.buyFirst(spender)
    if (bought === null) return
    const { orderId, address, coin } = bought
    this.#stage.outside.confirmNow()
    await people.look(orderId)
    const isPlaced = () => hasPlace(this.#stage.database.observer, orderId)
    while (!(await this.#stage.step('look for the place of a play', isPlaced))) {
      if (this.#stage.isQuiet()) return
      await this.#stage.pause(PLACE_LOOK_SECONDS)
    }
    await this.#stage.pause(wait)
    const txid = this.#stage.isQuiet() ? null : this.#stage.outside.takeBack(coin)
    if (txid === null) return
    this.#stage.count(
      comesAgainAfter === null
        ? 'payments of placed plays spent otherwise'
        : 'payments of placed plays gone for a while',
    )
    if (comesAgainAfter === null) people.respend(coin, address)
    this.#stage.outside.mineBlock()
    await people.look(orderId)
    await this.#stage.pause(MISSING_SECONDS)
    await people.look(orderId)
    if (comesAgainAfter === null) return
    await this.#stage.pause(comesAgainAfter)
    this.#stage.world.letGo(txid)
    this.#stage.outside.mineBlock()
    await people.look(orderId)
  }

  /**
   * The operator restarts one worker with another approval limit, the other later or never, and approves what waits.
   */
  async #changeLimit(afterSeconds: number): Promise<void> {
    await this.#stage.pause(afterSeconds)
    this.#approvalSats = NEW_LIMIT_SATS
    const newest = this.#stage.processes.findLast((process) => process.isWorker)
    if (newest === undefined) return
    // This is a step because work that takes real time must hold the seed's time.
    await this.#stage.step(`restart ${newest.name}`, () => this.#stage.restart(newest))
    this.#stage.count('workers with different settings')
    const people = await this.#enrolled()
    while (!newest.isReady) await this.#stage.pause(1)
    for (const worker of this.#stage.processes)
      while (worker.isWorker && worker.isReady && !(await compareSettings(worker))) await this.#stage.pause(1)
    this.#limitedFrom = this.#stage.now() + NOTICED_SECONDS
    for (;;) {
      await this.#stage.pause(OPERATOR_LOOK_SECONDS)
      const workers = this.#stage.processes.filter((process) => process.isWorker && process.isReady)
      const [worker] = workers
      await people?.giveGoodwill(workers)
      if (people !== null) await people.approve(workers)
      else if (worker !== undefined) await approvePrizes(worker)
    }
  }

  /** The people who approve in the console; null in a seed in which the operator's commands do. */
  async #enrolled(): Promise<TwoPeople | null> {
    const { seed, database, now, step, count } = this.#stage
    if (!approvesInConsole(seed)) return null
    const people = new TwoPeople(database, { seed, now, step })
    await step('two people are enrolled', () => people.enrol())
    count('approvals in the console')
    this.#people = people
    return people
  }

  /** The operator takes the free bankroll: what it does not carry is not sold any more. */
  async #withdraw(afterSeconds: number): Promise<void> {
    await this.#stage.pause(afterSeconds)
    await this.#stage.step('the operator withdraws the bankroll', () =>
      withdrawBankroll(this.#stage.database, this.#stage.now()),
    )
    this.#stage.count('bankrolls withdrawn')
    this.#withdrawnAt = this.#stage.now()
  }

  /** A player buys lines of the new game, as soon as it is there. */
  async #playNewGame(player: Player): Promise<void> {
    await this.#stage.people(createPrng(`${this.#stage.seed} order of a new game`), 'curious').buyNew(player, NEW_GAME)
  }

  async #overpay(player: Player): Promise<void> {
    await this.#stage
      .people(createPrng(`${this.#stage.seed} orders of ${player.name} over Lightning`), player.name)
      .overpay(player)
  }

  async #changeGames(changes: GameChanges): Promise<void> {
    await changeGames(
      {
        seed: this.#stage.seed,
        workers: this.#stage.processes.filter((process) => process.isWorker),
        pause: (seconds) => this.#stage.pause(seconds),
        onChange: (what) => this.#stage.count(what),
      },
      changes,
    )
  }

  #hasSpent(): boolean {
    return this.#stage.world.spentByInsider.length > 0
  }

  /** Fails if anything is signed long after the insider spent our coins and before the operator accepted that. */
  noteSigned(): void {
    if (this.#spentAtMs === null || this.#isAccepting) return
    const seconds = Math.floor((this.#stage.workedMs() - this.#spentAtMs) / 1000)
    if (seconds > UNNOTICED_SECONDS)
      this.#stage.fail(`a payout was signed ${seconds} s after an insider spent our coins`)
  }

  /** The operator repairs the damage, and checks regularly for players still set aside and for detected spends. */
  async mend(): Promise<void> {
    const { url } = this.#stage.database
    if (this.#hasIntruded) await this.#stage.step('the addresses are restored', () => restoreAddresses(url))
    for (;;) {
      const worker = this.#stage.processes.find((process) => process.isWorker && process.isReady)
      if (worker !== undefined && this.#hasIntruded) await releaseSetAside(worker)
      if (worker !== undefined && this.#hasSpent()) {
        // Payouts go on from its commit, before the operator has read the answer.
        this.#isAccepting = true
        if (await acceptWhatWasSpent(worker)) this.#spentAtMs = null
        this.#isAccepting = false
      }
      await this.#stage.pause(worker === undefined ? 1 : OPERATOR_LOOK_SECONDS)
    }
  }

  /** The operator looks at what waits over Lightning, and at the node. */
  async tendLightning(): Promise<void> {
    for (;;) {
      const worker = this.#stage.processes.find((process) => process.isWorker && process.isReady)
      if (worker !== undefined) await tendLightning(worker)
      await this.#stage.pause(worker === undefined ? 1 : LIGHTNING_LOOK_SECONDS)
    }
  }
}
