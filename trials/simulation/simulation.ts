import { ADDRESS_SEALS } from '@fairball/server/testing/fixtures'
import {
  assertAllInvariants,
  assertInvariants,
  assertLiveness,
  assertMailsTaken,
  assertNobodyHeldUp,
  assertNobodyPlaysExcluded,
  assertNoSeedTold,
  assertNothingEarly,
  assertPrices,
  assertPromisesKept,
  assertStoryTold,
  assertTriedAgain,
  Broken,
  invariantsOf,
  isAllDone,
  writtenTables,
} from './checks.ts'
import { type SeedDatabase, seedDatabase, type SimulationServer } from './database.ts'
import type { Errand } from './errands.ts'
import { Events, plansOf } from './events.ts'
import {
  endFaults,
  type FaultName,
  faultsOf,
  NEARLY_RIGHT_SECONDS,
  noFaultsOf,
  PROCESSES,
  standingFaults,
} from './faults.ts'
import { assertOwnCoinsPayNothing } from './insider.ts'
import { assertNothingStolen } from './intruder.ts'
import {
  countBlocked,
  countDone,
  countFacts,
  firstCloseAt,
  firstJob,
  hastenBatches,
  insertPlayers,
  publishedSeeds,
  terminate,
} from './observing.ts'
import { assertNothingSoldPaused } from './game-changes.ts'
import { type LightningFaults, lightningFaultsOf, type SimulatedLightning } from './lightning.ts'
import { assertDecided, assertPaidOnce, saveWallets } from './lightning-checks.ts'
import { createOutside, type Outside } from './outside.ts'
import { NOTHING_PLANTED, type PlantedBug } from './planted-bugs.ts'
import { createPlayers, type Player } from './players.ts'
import { createPrng, type Prng } from './prng.ts'
import { Process } from './processes.ts'
import { type Actor, type Fate, Scheduler, Stuck } from './scheduler.ts'
import { START_AT } from './server.ts'
import { type Call, type Death, type Story, StoryCrashes } from './story.ts'
import { assertPapersHold } from './papers.ts'
import { assertDrawsVerify, FollowedLog } from './verifying.ts'
import { witnessedLog } from './witnesses.ts'
import { createWorld } from './world.ts'

/** How long faults occur, in seconds: past the first draw, or past the second. */
const FAULTY_SECONDS = { one: 1500, two: 4800 }
const SECOND_DRAW = 0.2
/**
 * Share of seeds in which batches of plays come early instead of after five minutes. The first draw is open for ten
 * minutes.
 */
const EARLY_BATCHES = 0.5
const EARLY_BATCH_SECONDS = 40
/** Share of seeds in which draws are settled in parts, of a leaf each, as large ones are. */
const SETTLED_IN_PARTS = 0.25
/** Share of seeds in which a block arrives just as the first draw closes, and confirms whatever was still unpaid. */
const RUSH = 0.5
/**
 * How long the faultless phase lasts after that, in seconds. It covers an hour for every prize, the time in which an
 * order may still be undecided, and the ten minutes by which a draw is postponed if slipped time delays its
 * cosignatures.
 */
const QUIET_SECONDS = 5400
/**
 * The same if a payment never enters a block: until its order is no longer held. Each late check adds to that time.
 */
const HOLD_QUIET_SECONDS = 12_000
/** Interval between checks whether everything is done, in seconds. */
const QUIET_LOOK_SECONDS = 300
/** Once nothing is down any more, every failed job has been retried after this many seconds. */
const RETRIED_SECONDS = 90
/** Identifies the statement that postpones a failed job. */
const PUT_OFF = 'last_error = $4'
const MAX_PLAYERS = 3
/** Players who come in addition where the operator has a Lightning node. */
const LIGHTNING_PLAYERS = 2
/** Share of players who are paid over Lightning first, where the operator has a node. */
const PAID_OVER_LIGHTNING = 0.8

/** Options of a seed, to shrink a failure or to plant a bug. */
export interface SeedOptions {
  readonly players?: number
  readonly without?: ReadonlySet<FaultName>
  readonly bug?: PlantedBug
  /** one player's story without faults, in place of the seed's players */
  readonly story?: Story
  /**
   * continues without faults even when everything is done; until then a long seed takes the same steps as a short one
   */
  readonly isLong?: boolean
  readonly trace?: (line: string) => void
}

/** The outcome of a seed. */
export interface SeedResult {
  readonly seed: number
  /** what broke; empty when nothing did */
  readonly failures: readonly string[]
  readonly steps: number
  readonly traceHash: string
  /** how often each event happened, as evidence that the simulation did something */
  readonly seen: ReadonlyMap<string, number>
  /** of a story: every call of a process, in order */
  readonly calls: readonly Call[]
  /** of a story: the crashes that happened */
  readonly deaths: readonly Death[]
}

/** Plays one seed on its own database. */
export async function runSeed(server: SimulationServer, seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const database = await seedDatabase(server)
  try {
    return await new Simulation(database, seed, options).run()
  } finally {
    await database.drop()
  }
}

class Simulation {
  readonly #database: SeedDatabase
  readonly #seed: number
  readonly #options: SeedOptions
  readonly #faults
  readonly #scheduler: Scheduler
  readonly #world
  readonly #processes: Process[]
  readonly #webs: Process[]
  /** everyone who acts outside the processes */
  readonly #others: Actor = { name: 'world', isAlive: true, looksFor: [] }
  readonly #outside: Outside
  readonly #chances
  readonly #seen = new Map<string, number>()
  readonly #logged: string[] = []
  /** the crashes of a story; null in a seed's own mixture */
  readonly #crashes: StoryCrashes | null
  /** of a story, in epoch seconds; 0 before its first crash */
  #lastCrashAt = 0
  /** tables written since the last check of the invariants; at first these, as if all had been written */
  readonly #written = new Set<string>(['orders', 'draws', 'postings', 'payments', 'wins', 'sessions'])
  #isQuiet = false
  /** how much time had slipped when the faults ended */
  #slippedMsInFaults = 0
  /** how many payments the Lightning node had made when they were last compared */
  #paidCount = 0
  /** whether a job was postponed since that was last checked */
  #hasPutOff = false
  readonly #lightningFaults: LightningFaults | null
  readonly #events: Events
  /** whether the clock of any process is slow at first */
  readonly #wasSlow: boolean
  #log: FollowedLog | null = null
  #failure: Error | null = null

  constructor(database: SeedDatabase, seed: number, options: SeedOptions) {
    const name = String(seed)
    const { without, bug = NOTHING_PLANTED, story, trace } = options
    this.#database = database
    this.#seed = seed
    this.#options = options
    this.#crashes = story === undefined ? null : new StoryCrashes(story)
    this.#faults = story === undefined ? faultsOf(name, without) : noFaultsOf(name)
    this.#wasSlow = [...this.#faults.clockOffsets.values()].some((offset) => offset < -NEARLY_RIGHT_SECONDS)
    this.#chances = createPrng(`${name} world`)
    this.#scheduler = new Scheduler({
      seed: name,
      startMs: START_AT * 1000,
      slip: () => this.#faults.slip,
      oracle: { countBlocked: () => countBlocked(database.observer), nextJob: () => this.#nextJob() },
      fateOf: (actor, label, errand) =>
        this.#crashes === null ? this.#fateOf(actor) : this.#fateInStory(this.#crashes, actor, label, errand),
      kill: (actor) => this.#killOf(actor),
      afterStep: () => this.#afterStep(),
      ...(trace === undefined ? {} : { trace: (line) => trace(`${this.#clock()} ${line}`) }),
    })
    const isAsUsual = story !== undefined || without?.has('lightning') === true
    this.#lightningFaults = isAsUsual ? null : lightningFaultsOf(seed)
    const plans = plansOf(seed, { isStory: story !== undefined, without, providerTells: this.#faults.providerTells })
    this.#world = createWorld({
      seed,
      startAt: START_AT,
      faults: this.#faults,
      step: (actor, label, act) => this.#scheduler.step(actor, label, act),
      now: () => this.#now(),
      chance: (probability) => this.#chances.chance(probability),
      wrapProvider: bug.wrapProvider,
      lightningFaults: this.#lightningFaults,
      wrapWallet: bug.wrapWallet,
      wrapNode: bug.wrapNode ?? ((node) => node),
      onSigned: () => {
        this.#events.noteSigned()
        this.#outside.maybeLoseWallet()
      },
      onFault: (what) => this.#count(what),
    })
    this.#processes = PROCESSES.map(
      (process) =>
        new Process(process, {
          scheduler: this.#scheduler,
          world: this.#world,
          url: database.url,
          connections: database.connections,
          seed: name,
          offsetSeconds: (of) => this.#faults.clockOffsets.get(of) ?? 0,
          comparesClocks: bug.comparesClocks ?? true,
          approvalSats: () => this.#events.approvalSats,
          linesAPart: story === undefined && createPrng(`${seed} parts`).chance(SETTLED_IN_PARTS) ? 1 : undefined,
          portionsAtOnce: this.#faults.isCrowded ? 1 : undefined,
          wrapRandom: bug.wrapRandom ?? ((random) => random),
          rewrite: bug.rewrite,
          commitsBefore: bug.commitsBefore ?? null,
          onWork: (texts) => {
            for (const text of texts) for (const table of writtenTables(text)) this.#written.add(table)
            if (texts.some((text) => text.includes(PUT_OFF))) this.#hasPutOff = true
          },
          onLog: (line) => {
            this.#logged.push(line)
            trace?.(`${this.#clock()} ${line.trimEnd()}`)
          },
        }),
    )
    this.#webs = this.#processes.filter((process) => !process.isWorker)
    this.#outside = createOutside({
      seed,
      prng: this.#chances,
      faults: this.#faults,
      world: this.#world,
      webs: this.#webs,
      isQuiet: () => this.#isQuiet,
      pause: (seconds) => this.#pause(seconds),
      inBackground: (act) => this.#inBackground(act),
      note: (line) => this.#scheduler.note(line),
      onFault: (what) => this.#count(what),
    })
    this.#events = new Events(plans, {
      seed,
      database,
      world: this.#world,
      processes: this.#processes,
      outside: this.#outside,
      isQuiet: () => this.#isQuiet,
      now: () => this.#now(),
      workedMs: () => this.#scheduler.nowMs - this.#scheduler.slippedMs,
      pause: (seconds) => this.#pause(seconds),
      step: (label, act) => this.#scheduler.step(this.#others, label, act),
      inBackground: (act) => this.#inBackground(act),
      restart: (process) => this.#restart(process),
      people: (prng, coinsOf) => this.#people(prng, coinsOf),
      note: (line) => this.#scheduler.note(line),
      count: (what) => this.#count(what),
      fail: (why) => (this.#failure ??= new Broken([why])),
    })
  }

  async run(): Promise<SeedResult> {
    const { observer } = this.#database
    await this.#options.bug?.plant?.(observer)
    const log = await witnessedLog(observer)
    this.#world.introduce(log)
    this.#log = new FollowedLog(log.origin)
    for (const what of standingFaults(this.#faults)) this.#count(what)
    const isStory = this.#options.story !== undefined
    const count = isStory
      ? 1
      : (this.#options.players ?? this.#chances.between(this.#faults.isCrowded ? MAX_PLAYERS : 2, MAX_PLAYERS))
    const payers = this.#lightningFaults === null ? 0 : LIGHTNING_PLAYERS
    const everyone = await insertPlayers(observer, count + this.#events.newcomers + payers, START_AT)
    const players = everyone.slice(0, count)
    const cast = this.#events.castOf(everyone.slice(count))
    await this.#database.db.transaction((tx) => ADDRESS_SEALS.sealAll(tx))
    if (this.#world.lightning !== null) {
      const prng = createPrng(`${this.#seed} Lightning players`)
      const paid = everyone.filter(() => prng.chance(PAID_OVER_LIGHTNING))
      await saveWallets(this.#database, paid, START_AT)
    }
    try {
      for (const process of this.#processes) process.start()
      this.#inBackground(() => this.#outside.mineBlocks())
      this.#inBackground(() => this.#watchOver())
      if (!isStory && this.#chances.chance(RUSH)) {
        const closeAt = await firstCloseAt(observer)
        this.#inBackground(() => this.#outside.rushToClose(closeAt - START_AT))
      }
      if (!isStory && (this.#events.takesBack || createPrng(`${this.#seed} batches`).chance(EARLY_BATCHES)))
        this.#inBackground(() => this.#hastenBatches())
      for (const outage of this.#faults.outages) this.#inBackground(() => this.#outside.breakDown(outage))
      this.#events.begin()
      for (const jump of this.#faults.clockJumps) this.#inBackground(() => this.#outside.setClock(jump))
      const people = this.#people(this.#chances, 'outside')
      this.#events.enter(cast)
      for (const player of players)
        this.#inBackground(() =>
          isStory ? people.follow(player) : people.live(player, this.#chances.chance(0.4) ? 2 : 1),
        )
      const faulty = !isStory && this.#chances.chance(SECOND_DRAW) ? FAULTY_SECONDS.two : FAULTY_SECONDS.one
      await this.#runUntil(START_AT + faulty)
      await assertAllInvariants(this.#database)
      await this.#countBesideFast()
      await this.#endFaults()
      if (this.#events.hasHarmed) this.#inBackground(() => this.#events.mend())
      if (this.#world.lightning !== null) this.#inBackground(() => this.#events.tendLightning())
      await this.#runUntil(START_AT + faulty + RETRIED_SECONDS)
      await assertTriedAgain(observer, this.#now())
      await this.#runQuietly(START_AT + faulty)
      await assertLiveness(this.#database, this.#world, this.#now())
      await this.#keepPapers([...players, ...cast.doubleSpenders, ...cast.curious, ...cast.overLightning])
      await assertAllInvariants(this.#database)
      await assertOwnCoinsPayNothing(this.#database, this.#world)
      await assertMailsTaken(observer, this.#world.takenMails)
      assertNoSeedTold(await publishedSeeds(observer), [...this.#logged, ...this.#world.mails])
      if (!this.#wasSlow) assertNobodyHeldUp(this.#logged)
      await this.#log.follow(observer)
      for (const [outcome, times] of await assertDrawsVerify(this.#database))
        this.#seen.set(`draws that verify: ${outcome}`, times)
      await assertPapersHold(observer, this.#world.receipts)
      await assertPrices(observer)
      await assertPromisesKept(observer, this.#world)
      await assertNothingStolen(this.#database, this.#world)
      await assertNobodyPlaysExcluded(observer, this.#world)
      await this.#events.assertRulesKept()
      await assertNothingSoldPaused(this.#database)
      if (isStory) await assertStoryTold(observer)
      for (const { what, times } of await countFacts(observer)) this.#seen.set(what, times)
    } catch (error) {
      this.#failure ??= asError(error)
    }
    for (const process of this.#processes) process.kill() // their connections end with the database
    return {
      seed: this.#seed,
      failures: failuresIn(this.#failure),
      steps: this.#scheduler.steps,
      traceHash: this.#scheduler.traceHash(),
      seen: this.#seen,
      calls: this.#crashes?.calls ?? [],
      deaths: this.#crashes?.deaths ?? [],
    }
  }

  #now(): number {
    return Math.floor(this.#scheduler.nowMs / 1000)
  }

  #clock(): string {
    return new Date(this.#scheduler.nowMs).toISOString().slice(11, 23)
  }

  #count(what: string): void {
    this.#seen.set(what, (this.#seen.get(what) ?? 0) + 1)
  }

  async #runUntil(at: number): Promise<void> {
    // A sleeper makes time reach that moment.
    void this.#scheduler.sleepUntil(this.#others, at * 1000, 'moment')
    await this.#scheduler.runUntil(() => this.#failure !== null || this.#now() >= at)
    if (this.#failure !== null) throw this.#failure
  }

  /**
   * Runs without faults until everything is done, or for the whole quiet phase if a long seed is requested. A story can
   * crash during that phase, which then starts again.
   */
  async #runQuietly(fromAt: number): Promise<void> {
    const { lightning } = this.#world
    const most = this.#faults.minersPassOver || lightning !== null ? HOLD_QUIET_SECONDS : QUIET_SECONDS
    for (
      let at = fromAt + QUIET_LOOK_SECONDS;
      at <= Math.max(fromAt, this.#lastCrashAt) + most;
      at += QUIET_LOOK_SECONDS
    ) {
      await this.#runUntil(at)
      if (lightning !== null) await this.#assertDecided(lightning, fromAt)
      if (this.#options.isLong !== true && (await isAllDone(this.#database, this.#world, this.#now()))) return
    }
  }

  /** Payouts over Lightning are decided in their time, apart from what slipped since the faults ended. */
  async #assertDecided(lightning: SimulatedLightning, fromAt: number): Promise<void> {
    const slippedSeconds = Math.ceil((this.#scheduler.slippedMs - this.#slippedMsInFaults) / 1000)
    await assertDecided(this.#database.observer, lightning, this.#now() - slippedSeconds, fromAt)
  }

  /** Makes batches come soon after the plays, so that more happens to plays that already have their places. */
  async #hastenBatches(): Promise<void> {
    while (!this.#isQuiet) {
      await this.#pause(EARLY_BATCH_SECONDS)
      const { observer } = this.#database
      await this.#scheduler.step(this.#others, 'batches come now', () => hastenBatches(observer, this.#now()))
    }
  }

  /** Every player checks the papers of all plays once more. */
  async #keepPapers(players: readonly Player[]): Promise<void> {
    const people = this.#people(createPrng(`${this.#seed} papers`), 'nobody')
    let left = players.length
    for (const player of players) this.#inBackground(() => people.keepPapers(player).then(() => void (left -= 1)))
    await this.#scheduler.runUntil(() => this.#failure !== null || left === 0)
    if (this.#failure !== null) throw this.#failure
  }

  #pause(seconds: number): Promise<void> {
    return this.#scheduler.sleepUntil(this.#others, this.#scheduler.nowMs + seconds * 1000, 'moment')
  }

  /** Runs an outside actor. An unexpected error ends the seed. */
  #inBackground(act: () => Promise<void>): void {
    act().catch((error: unknown) => (this.#failure ??= asError(error)))
  }

  /** Restarts crashed processes, as a supervisor does. */
  async #watchOver(): Promise<void> {
    for (;;) {
      await this.#pause(this.#isQuiet ? 1 : this.#chances.between(1, 90))
      for (const process of this.#processes) if (process.actor === null) process.start()
      // No worker begins while the Lightning node is away.
      for (const process of this.#processes.filter(({ hasExited }) => hasExited && this.#lightningFaults !== null))
        await this.#scheduler.step(this.#others, `restart ${process.name}`, () => this.#restart(process))
      if (this.#isQuiet) await this.#pause(300)
    }
  }

  #people(prng: Prng, coinsOf: string) {
    return createPlayers({
      prng,
      coinsOf,
      faults: this.#faults,
      world: this.#world,
      webs: this.#webs,
      pause: (seconds) => this.#pause(seconds),
      onChain: (addresses) => this.#outside.tell(addresses),
      onFault: (what) => this.#count(what),
    })
  }

  async #endFaults(): Promise<void> {
    this.#isQuiet = true
    this.#slippedMsInFaults = this.#scheduler.slippedMs
    endFaults(this.#faults)
    this.#world.lightning?.calm()
    this.#outside.endOutages()
    this.#scheduler.note('faults end')
    for (const process of this.#processes) {
      if (!process.isReady) await this.#restart(process)
    }
  }

  #fateOf(actor: Actor) {
    const faults = this.#faults
    if (actor === this.#others) return 'lives' as const
    if (faults.lossesLeft > 0 && this.#chances.chance(faults.connectionLoss)) {
      faults.lossesLeft -= 1
      this.#inBackground(() => this.#cutOff(actor))
    }
    if (faults.crashesLeft === 0 || !this.#chances.chance(faults.crash)) return 'lives' as const
    faults.crashesLeft -= 1
    this.#count('crashes')
    return this.#chances.chance(0.5) ? ('dies-before' as const) : ('dies-after' as const)
  }

  #fateInStory(crashes: StoryCrashes, actor: Actor, label: string, errand: Errand | null): Fate {
    const fate = actor === this.#others ? 'lives' : crashes.fateOf(actor.name, label, errand)
    if (fate !== 'lives') {
      this.#count('crashes')
      this.#lastCrashAt = this.#now()
    }
    return fate
  }

  /** Disconnects a process from its database for a moment. The process stays alive. */
  async #cutOff(actor: Actor): Promise<void> {
    await this.#scheduler.step(this.#others, `cut off ${actor.name}`, async () => {
      const process = this.#processes.find((one) => one.actor === actor)
      if (process !== undefined) await terminate(this.#database.observer, process.connections.held)
    })
    this.#count('lost connections')
  }

  async #killOf(actor: Actor): Promise<void> {
    const process = this.#processes.find((one) => one.actor === actor)
    if (process !== undefined) await this.#stop(process)
  }

  async #stop(process: Process): Promise<void> {
    const { actor } = process
    process.kill()
    if (actor !== null) this.#scheduler.drop(actor)
    await terminate(this.#database.observer, process.connections.held)
    process.connections.drop()
  }

  async #restart(process: Process): Promise<void> {
    await this.#stop(process)
    if (process.actor === null) process.start() // unless it was restarted in the meantime
  }

  /** After each commit that may have changed something, every invariant that one statement can check must hold. */
  async #afterStep(): Promise<void> {
    // Up to its first crash a story repeats the steps it took without one, which were checked then. The checks resume after it.
    if (this.#options.bug === undefined && this.#crashes?.isStillAsTold() === true) return
    if (this.#hasPutOff) await this.#afterPutOff()
    await this.#afterPaid()
    if (invariantsOf(this.#written).length === 0) return this.#written.clear()
    this.#count('commits')
    const tables = [...this.#written]
    this.#written.clear()
    try {
      await assertInvariants(this.#database, tables)
      if (tables.includes('log_leaves')) {
        await assertNothingEarly(this.#database.observer, this.#now())
        await this.#log?.follow(this.#database.observer)
      }
    } catch (error) {
      this.#failure ??= asError(error)
    }
  }

  /** Whenever the node has paid something, or that is booked, it may have paid nothing twice. */
  async #afterPaid(): Promise<void> {
    const { lightning } = this.#world
    const count = lightning?.paid().length ?? 0
    if (lightning === null || (count === this.#paidCount && !this.#written.has('ln_attempts'))) return
    this.#paidCount = count
    try {
      await assertPaidOnce(this.#database.observer, lightning)
    } catch (error) {
      this.#failure ??= asError(error)
    }
  }

  async #afterPutOff(): Promise<void> {
    this.#hasPutOff = false
    try {
      await assertTriedAgain(this.#database.observer, this.#now())
    } catch (error) {
      this.#failure ??= asError(error)
    }
  }

  async #nextJob(): Promise<{ ms: number; kind: string } | null> {
    const working = this.#processes.filter((process) => process.isWorker && process.isReady)
    if (working.length === 0) return null
    const offsets = working.map(({ name }) => this.#faults.clockOffsets.get(name) ?? 0)
    // A fast worker takes no work, unless its clock goes unnoticed.
    const isNoticed = this.#options.bug?.comparesClocks ?? true
    const ahead = Math.max(...offsets.filter((offset) => !isNoticed || offset <= NEARLY_RIGHT_SECONDS))
    if (ahead === -Infinity) return null
    const job = await firstJob(
      this.#database.observer,
      working.every((process) => process.holdsMoney),
    )
    return job === null ? null : { ms: (job.at - ahead) * 1000, kind: job.kind }
  }

  /** Counts what the others sold and drew while one worker's clock was fast. */
  async #countBesideFast(): Promise<void> {
    if (![...this.#faults.clockOffsets.values()].some((offset) => offset > NEARLY_RIGHT_SECONDS)) return
    const { paid, drawn } = await countDone(this.#database.observer)
    this.#seen.set('orders PAID beside a fast worker', paid)
    this.#seen.set('draws drawn beside a fast worker', drawn)
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('a value that is not an error was thrown', { cause: thrown })
}

function failuresIn(failure: Error | null): string[] {
  if (failure === null) return []
  if (failure instanceof Broken) return [...failure.what]
  return [failure instanceof Stuck ? `stuck: ${failure.message}` : (failure.stack ?? failure.message)]
}
