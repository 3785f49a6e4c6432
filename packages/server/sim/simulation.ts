import type pg from 'pg'
import { createLottery } from '../src/lottery.ts'
import { fundDemoBankroll } from '../src/modules/demo/bankroll.ts'
import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Db } from '../src/db/pool.ts'
import { localOutbox } from '../src/ports/mail/local-outbox.ts'
import { fixedRates } from '../src/ports/rates/fixed-rates.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { TEST_BITCOIN } from '../test/lottery.ts'
import { playerAddress } from './addresses.ts'
import {
  assertAllInvariants,
  assertInvariants,
  assertLiveness,
  assertNothingEarly,
  assertPrices,
  assertStoryTold,
  Broken,
  invariantsOf,
  isAllDone,
  writtenTables,
} from './checks.ts'
import { prepareServer, type SeedDatabase, seedDatabase, type SimulationServer } from './database.ts'
import {
  endFaults,
  type FaultName,
  faultsOf,
  NEARLY_RIGHT_SECONDS,
  noFaultsOf,
  type Outage,
  OUTAGES,
  PROCESSES,
} from './faults.ts'
import { onErrand } from './errands.ts'
import { FORGERIES, forged, messageOf, type ProviderMessage, readMessage } from './provider-messages.ts'
import { createPlayers } from './players.ts'
import { NOTHING_PLANTED, type PlantedBug } from './planted-bugs.ts'
import { createPrng } from './prng.ts'
import { Process, PUBLIC_URL, SECRET_KEY } from './processes.ts'
import { type Actor, type Fate, REAL_LIMIT_MS, Scheduler, Stuck } from './scheduler.ts'
import type { Call, Story } from './story.ts'
import { createWorld, simulatedChain } from './world.ts'

/** Wednesday 1 January 2025, 16:44 UTC: the demo's first draw is a quarter of an hour later, the next one at 18:00. */
const START_AT = 1_735_749_840
/** Things go wrong for so long: past the first draw, or past the second. */
const FAULTY_SECONDS = { one: 1500, two: 4800 }
const SECOND_DRAW = 0.1
/** How often a block comes just when the first draw closes, and with it whatever still waited to be paid. */
const RUSH = 0.5
/** Then nothing does, for so long: an hour for every prize, and the time in which an order may still be undecided. */
const QUIET_SECONDS = 4200
/** So often it is looked whether everything came to its end already. */
const QUIET_LOOK_SECONDS = 300
const QUIET_BLOCK_SECONDS = 120
const MOST_PLAYERS = 3

/** What of a seed may be changed to make a failure smaller, or to plant a bug. */
export interface SeedOptions {
  readonly players?: number
  readonly without?: ReadonlySet<FaultName>
  readonly bug?: PlantedBug
  /** one player's story without faults in place of the seed's players */
  readonly story?: Story
  /** goes on without faults although everything came to its end; until then a long seed takes the same steps as a short one */
  readonly isLong?: boolean
  readonly trace?: (line: string) => void
}

/** How a seed went. */
export interface SeedResult {
  readonly seed: number
  /** what broke; empty when nothing did */
  readonly failures: readonly string[]
  readonly steps: number
  readonly traceHash: string
  /** how often what happened, so that nobody takes a simulation for one in which nothing does */
  readonly seen: ReadonlyMap<string, number>
  /** of a story: every call of a process, in the order they were made */
  readonly calls: readonly Call[]
}

/** Prepares a PostgreSQL for seeds. @param url of its maintenance database */
export function openServer(url: string): Promise<SimulationServer> {
  return prepareServer(url, beginLottery)
}

/** The lottery as its first start leaves it: games, draws, keys, rates and the operator's bankroll. */
async function beginLottery(db: Db): Promise<void> {
  const runtime = testRuntime({ startAt: START_AT, seed: 'simulation' })
  const lottery = await createLottery({
    db,
    runtime,
    secretKey: SECRET_KEY,
    publicUrl: PUBLIC_URL,
    supportEmail: null,
    bitcoin: TEST_BITCOIN,
    rateSource: fixedRates,
    isDemo: true,
    mailer: localOutbox(),
    partners: [],
    beacon: { current: 'drand', relays: [], chain: simulatedChain(START_AT) },
    witnesses: { required: 0, list: [] },
    headFile: null,
    checkMayPlay: async () => undefined,
    onPaid: async () => undefined,
  })
  await lottery.begin()
  await db.transaction((tx) => fundDemoBankroll(tx, lottery.ledger, START_AT))
}

/** Plays one seed on a database of its own. */
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
  readonly #outside: Actor = { name: 'world', isAlive: true, looksFor: [] }
  readonly #chances
  readonly #seen = new Map<string, number>()
  readonly #logged: string[] = []
  readonly #calls: Call[] = []
  /** tables that were written since the invariants were checked; at first as if all were */
  readonly #written = new Set<string>(['orders', 'draws', 'postings', 'payments', 'wins', 'sessions'])
  #isQuiet = false
  /** whether the clock of any process is slow at first */
  readonly #wasSlow: boolean
  #messages = 0
  #failure: Error | null = null

  constructor(database: SeedDatabase, seed: number, options: SeedOptions) {
    const name = String(seed)
    const { without, bug = NOTHING_PLANTED, story, trace } = options
    this.#database = database
    this.#seed = seed
    this.#options = options
    this.#faults = story === undefined ? faultsOf(name, without) : noFaultsOf(name)
    this.#wasSlow = [...this.#faults.clockOffsets.values()].some((offset) => offset < -NEARLY_RIGHT_SECONDS)
    this.#chances = createPrng(`${name} world`)
    this.#scheduler = new Scheduler({
      seed: name,
      startMs: START_AT * 1000,
      slip: () => this.#faults.slip,
      oracle: { countBlocked: () => countBlocked(database.observer), nextJob: () => this.#nextJob() },
      fateOf: (actor, label, errand) =>
        story === undefined ? this.#fateOf(actor) : this.#fateInStory(story, { process: actor.name, label, errand }),
      kill: (actor) => this.#killOf(actor),
      afterStep: () => this.#afterStep(),
      ...(trace === undefined ? {} : { trace: (line) => trace(`${this.#clock()} ${line}`) }),
    })
    this.#world = createWorld({
      startAt: START_AT,
      faults: this.#faults,
      step: (actor, label, act) => this.#scheduler.step(actor, label, act),
      now: () => this.#now(),
      chance: (probability) => this.#chances.chance(probability),
      wrapProvider: bug.wrapProvider,
      wrapWallet: bug.wrapWallet,
      onSigned: () => this.#maybeLoseWallet(),
      onFault: (what) => this.#count(what),
    })
    this.#processes = PROCESSES.map(
      (process) =>
        new Process(process, {
          scheduler: this.#scheduler,
          world: this.#world,
          url: database.url,
          seed: name,
          offsetSeconds: (of) => this.#faults.clockOffsets.get(of) ?? 0,
          comparesClocks: bug.comparesClocks ?? true,
          rewrite: bug.rewrite,
          commitsBefore: bug.commitsBefore ?? null,
          onWork: (texts) => {
            for (const text of texts) for (const table of tablesOf(text)) this.#written.add(table)
          },
          onLog: (line) => {
            this.#logged.push(line)
            trace?.(`${this.#clock()} ${line.trimEnd()}`)
          },
        }),
    )
    this.#webs = this.#processes.filter((process) => !process.isWorker)
  }

  async run(): Promise<SeedResult> {
    const { observer } = this.#database
    await this.#options.bug?.plant?.(observer)
    this.#countFaults()
    const isStory = this.#options.story !== undefined
    const players = await this.#insertPlayers(
      isStory ? 1 : (this.#options.players ?? this.#chances.between(2, MOST_PLAYERS)),
    )
    try {
      for (const process of this.#processes) process.start()
      this.#inBackground(() => this.#mineBlocks())
      this.#inBackground(() => this.#watchOver())
      if (!isStory && this.#chances.chance(RUSH)) this.#inBackground(() => this.#rushToClose())
      for (const outage of this.#faults.outages) this.#inBackground(() => this.#breakDown(outage))
      for (const jump of this.#faults.clockJumps) this.#inBackground(() => this.#setClock(jump))
      const people = createPlayers({
        prng: this.#chances,
        faults: this.#faults,
        world: this.#world,
        webs: this.#webs,
        pause: (seconds) => this.#pause(seconds),
        onChain: (addresses) => this.#tell(addresses),
        onFault: (what) => this.#count(what),
      })
      for (const player of players)
        this.#inBackground(() =>
          isStory ? people.follow(player) : people.live(player, this.#chances.chance(0.4) ? 2 : 1),
        )
      const faulty = !isStory && this.#chances.chance(SECOND_DRAW) ? FAULTY_SECONDS.two : FAULTY_SECONDS.one
      await this.#runUntil(START_AT + faulty)
      await assertAllInvariants(this.#database)
      await this.#countBesideFast()
      await this.#endFaults()
      await this.#runQuietly(START_AT + faulty)
      await assertAllInvariants(this.#database)
      await assertLiveness(this.#database, this.#world, this.#now())
      this.#assertNoSeedLogged(await seedsOf(observer))
      this.#assertNobodyHeldUp()
      await assertPrices(observer)
      if (isStory) await assertStoryTold(observer)
      await this.#countFacts()
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
      calls: this.#calls,
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

  /** What is wrong from the start on. */
  #countFaults(): void {
    const { relays, beaconLateSeconds, clockOffsets, hasLiveRates } = this.#faults
    for (const relay of relays) if (relay !== null) this.#count(`relays: ${relay}`)
    if (beaconLateSeconds > 0) this.#count(`beacon ${beaconLateSeconds} s late`)
    for (const offset of clockOffsets.values())
      if (offset !== 0)
        this.#count(
          offset < -NEARLY_RIGHT_SECONDS
            ? 'clocks slow'
            : offset > NEARLY_RIGHT_SECONDS
              ? 'clocks fast'
              : 'clocks nearly right',
        )
    if (hasLiveRates) this.#count('live rates')
  }

  async #runUntil(at: number): Promise<void> {
    // Somebody waits for that moment, so that time comes to it.
    void this.#scheduler.sleepUntil(this.#outside, at * 1000, 'moment')
    await this.#scheduler.runUntil(() => this.#failure !== null || this.#now() >= at)
    if (this.#failure !== null) throw this.#failure
  }

  /** Without faults: until everything came to its end or, where a long seed is asked for, for as long as that may take. */
  async #runQuietly(fromAt: number): Promise<void> {
    for (let seconds = QUIET_LOOK_SECONDS; seconds <= QUIET_SECONDS; seconds += QUIET_LOOK_SECONDS) {
      await this.#runUntil(fromAt + seconds)
      if (this.#options.isLong !== true && (await isAllDone(this.#database, this.#world, this.#now()))) return
    }
  }

  #pause(seconds: number): Promise<void> {
    return this.#scheduler.sleepUntil(this.#outside, this.#scheduler.nowMs + seconds * 1000, 'moment')
  }

  /** Somebody outside who acts by himself. What he does not expect ends the seed. */
  #inBackground(act: () => Promise<void>): void {
    act().catch((error: unknown) => (this.#failure ??= asError(error)))
  }

  async #insertPlayers(count: number) {
    const { observer } = this.#database
    const players = []
    for (let number = 1; number <= count; number += 1) {
      const name = `player-${number}`
      const { rows } = await observer.query<{ id: bigint }>(
        `insert into players (username, email, created_at, email_verified_at) values ($1, $2, $3, $3) returning id`,
        [name, `${name}@example.org`, START_AT],
      )
      const id = rows[0]?.id ?? 0n
      const address = playerAddress(number)
      await observer.query(
        `insert into player_addresses (player_id, address, usable_from, created_at) values ($1, $2, $3, $3)`,
        [id, address, START_AT],
      )
      players.push({ id, name })
    }
    return players
  }

  /** Blocks come, and sometimes others in their place. */
  async #mineBlocks(): Promise<void> {
    const { node, chain } = this.#world
    for (;;) {
      await this.#pause(this.#isQuiet ? QUIET_BLOCK_SECONDS : this.#chances.between(60, this.#faults.blockSeconds))
      if (this.#chances.chance(this.#faults.reorganisation)) {
        const depth = this.#chances.between(1, this.#faults.deepestReorganisation)
        // What is six deep is taken for final: it may be taken back for a while, and comes again (fairness section 9).
        const final = new Set(chain.blocks.slice(0, -(FINAL_CONFIRMATIONS - 1)).flat())
        node.reorganise(depth)
        this.#count(`reorganisations of ${depth}`)
        this.#scheduler.note(`reorganisation of ${depth}`)
        for (const txid of node.mempool()) if (!final.has(txid)) this.#maybeRespend(txid)
        this.#tell(this.#world.addressesWaiting())
        for (let again = 1; again < depth; again += 1) node.mineEmpty()
      }
      node.mine()
      this.#tell(this.#world.addressesInNewestBlock())
      this.#scheduler.note('block')
    }
  }

  /** What waits for its block gets it in the last seconds before the draw closes: an order joins it while it is closed, or is late. */
  async #rushToClose(): Promise<void> {
    const { rows } = await this.#database.observer.query<{ closes_at: bigint }>(
      `select closes_at from draws where game_key = 'bitcoin-hero' and status = 'open' order by closes_at limit 1`,
    )
    await this.#pause(Number(rows[0]?.closes_at ?? 0) - START_AT - this.#chances.between(0, 2))
    const { node } = this.#world
    node.mine()
    this.#scheduler.note('block')
    for (const ref of this.#world.touch(this.#world.addressesInNewestBlock())) {
      this.#messages += 1
      this.#inBackground(() => this.#deliver(messageOf(ref, `${this.#seed} ${this.#messages}`), 0))
      this.#count('paid at the close')
    }
  }

  /** What a reorganisation put back may be spent otherwise, by whoever had the coins. */
  #maybeRespend(txid: string): void {
    const { node, chain } = this.#world
    const { inputs, outputs } = chain.txOf(txid)
    const [coin] = inputs
    if (coin?.startsWith('outside') !== true || !this.#chances.chance(this.#faults.doubleSpend)) return
    node.put({ inputs: [coin], outputs: outputs.map((output) => ({ ...output, address: 'elsewhere' })), feeSats: 999n })
    this.#count('double spends')
  }

  /** The provider tells that something changed about some invoices: late, several times, or never. Others forge messages. */
  #tell(addresses: readonly string[]): void {
    for (const ref of this.#world.touch(addresses)) {
      this.#messages += 1
      const message = messageOf(ref, `${this.#seed} ${this.#messages}`)
      if (this.#chances.chance(this.#faults.forgery)) this.#forge(ref, message)
      if (this.#chances.chance(this.#faults.webhookLoss)) {
        this.#count('messages lost')
        continue
      }
      const known = { isTaken: false }
      for (let times = this.#chances.between(1, this.#faults.webhookRepeats); times > 0; times -= 1)
        this.#inBackground(() => this.#deliver(message, this.#faults.webhookDelay, known))
    }
  }

  /** What is not signed by the provider is not taken: the door reads each message as the program does. */
  #forge(ref: string, seen: ProviderMessage): void {
    for (const how of FORGERIES) {
      const other = how === 'of another order' ? messageOf('another', `${this.#seed} other`) : seen
      if (readMessage(forged(how, ref, other)) !== null) throw new Broken([`F5: a forged message (${how}) was taken`])
      this.#count('messages forged')
    }
  }

  async #deliver(message: ProviderMessage, delay: number, known = { isTaken: false }): Promise<void> {
    await this.#pause(this.#chances.between(0, delay))
    const hint = readMessage(message)
    if (hint === null) throw new Broken(['F4: a message of the provider was refused'])
    // A provider tries again for a while where it is not told that its message was taken.
    for (let tried = 0; tried < 3; tried += 1) {
      try {
        const isAgain = known.isTaken
        const web = this.#chances.pick(this.#webs)
        const isNew = await onErrand('message', () => web.ask(({ lottery }) => lottery.payments.takeMessage(hint)))
        if (isAgain && isNew) throw new Broken(['F4: a message was taken twice'])
        known.isTaken = true
        return this.#count(isNew ? 'messages' : 'messages repeated')
      } catch (error) {
        if (error instanceof Broken) throw error
        await this.#pause(60)
      }
    }
  }

  /** The wallet has signed and cannot be reached any more: what it signed is sent later. */
  #maybeLoseWallet(): void {
    if (this.#isQuiet || !this.#chances.chance(this.#faults.lossAfterSigning)) return
    this.#count('wallet lost after signing')
    const until = this.#chances.between(30, 600)
    this.#setDown('wallet', true)
    this.#inBackground(async () => {
      await this.#pause(until)
      this.#world.node.restart()
      this.#setDown('wallet', false)
    })
  }

  /** Somebody sets a clock. */
  async #setClock({ after, name, offset }: { after: number; name: string; offset: number }): Promise<void> {
    await this.#pause(after)
    if (this.#isQuiet) return
    this.#faults.clockOffsets = new Map([...this.#faults.clockOffsets, [name, offset]])
    this.#scheduler.note(`the clock of ${name} is ${offset} seconds off`)
    this.#count(offset > NEARLY_RIGHT_SECONDS ? 'clocks set fast' : 'clocks set')
  }

  async #breakDown({ what, from, until }: { what: Outage; from: number; until: number }) {
    await this.#pause(from)
    if (this.#isQuiet) return
    this.#setDown(what, true)
    this.#count(`${what} down`)
    await this.#pause(until - from)
    this.#setDown(what, false)
  }

  #setDown(what: Outage, isDown: boolean): void {
    this.#scheduler.note(`${what} is ${isDown ? 'down' : 'up'}`)
    if (what === 'wallet') this.#world.setReachable(!isDown)
    else this.#world.isDown[what] = isDown
  }

  /** Begins processes anew that died, as whoever watches over them does. */
  async #watchOver(): Promise<void> {
    for (;;) {
      await this.#pause(this.#isQuiet ? 1 : this.#chances.between(1, 90))
      for (const process of this.#processes) if (process.actor === null) process.start()
      if (this.#isQuiet) await this.#pause(300)
    }
  }

  async #endFaults(): Promise<void> {
    this.#isQuiet = true
    endFaults(this.#faults)
    for (const what of OUTAGES) this.#setDown(what, false)
    this.#scheduler.note('faults end')
    for (const process of this.#processes) {
      if (process.isReady) continue
      await this.#stop(process)
      process.start()
    }
  }

  #fateOf(actor: Actor) {
    const faults = this.#faults
    if (actor === this.#outside) return 'lives' as const
    if (faults.lossesLeft > 0 && this.#chances.chance(faults.connectionLoss)) {
      faults.lossesLeft -= 1
      this.#inBackground(() => this.#cutOff(actor))
    }
    if (faults.crashesLeft === 0 || !this.#chances.chance(faults.crash)) return 'lives' as const
    faults.crashesLeft -= 1
    this.#count('crashes')
    return this.#chances.chance(0.5) ? ('dies-before' as const) : ('dies-after' as const)
  }

  /** Of the calls of a story each has its number; at one of them the process dies. */
  #fateInStory({ death }: Story, call: Call): Fate {
    if (call.process === this.#outside.name) return 'lives'
    const number = this.#calls.push(call) - 1
    if (death?.call !== number) return 'lives'
    if (death.label !== call.label)
      throw new Stuck(`call ${number} is ${call.label}, and was ${death.label}: something but the seed decides`)
    this.#count('crashes')
    return death.when === 'before' ? 'dies-before' : 'dies-after'
  }

  /** Cuts a process off from its database for a moment. It lives on. */
  async #cutOff(actor: Actor): Promise<void> {
    await this.#scheduler.step(this.#outside, `cut off ${actor.name}`, async () => {
      const process = this.#processes.find((one) => one.actor === actor)
      if (process !== undefined) await terminate(this.#database.observer, process.connectionsName)
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
    await terminate(this.#database.observer, process.connectionsName)
  }

  /** After each commit that may have changed something, everything that a statement can tell has to hold. */
  async #afterStep(): Promise<void> {
    if (invariantsOf(this.#written).length === 0) return this.#written.clear()
    this.#count('commits')
    const tables = [...this.#written]
    this.#written.clear()
    try {
      await assertInvariants(this.#database, tables)
      if (tables.includes('statements')) await assertNothingEarly(this.#database.observer, this.#now())
    } catch (error) {
      this.#failure ??= asError(error)
    }
  }

  async #nextJob(): Promise<{ ms: number; kind: string } | null> {
    const working = this.#processes.filter((process) => process.isWorker && process.isReady)
    if (working.length === 0) return null
    const offsets = working.map(({ name }) => this.#faults.clockOffsets.get(name) ?? 0)
    // Whoever is fast takes up no work, unless nobody notices.
    const isNoticed = this.#options.bug?.comparesClocks ?? true
    const ahead = Math.max(...offsets.filter((offset) => !isNoticed || offset <= NEARLY_RIGHT_SECONDS))
    if (ahead === -Infinity) return null
    const { rows } = await this.#database.observer.query<{ run_at: bigint; kind: string }>({
      name: 'next-job',
      text: 'select run_at, kind from jobs order by run_at, id limit 1',
    })
    const [job] = rows
    return job === undefined ? null : { ms: (Number(job.run_at) - ahead) * 1000, kind: job.kind }
  }

  /** No log line and no mail names the seed of a draw: it stands in the close statement, and nowhere before. */
  #assertNoSeedLogged(seeds: readonly string[]): void {
    const texts = [...this.#logged, ...this.#world.mails].join('\n')
    const told = seeds.filter((seed) => texts.includes(seed))
    if (told.length > 0) throw new Broken(told.map(() => 'I10: the seed of a draw was logged or mailed'))
  }

  /** A fast worker keeps nobody else from selling and drawing: who has nearly the right time never takes himself for slow. */
  #assertNobodyHeldUp(): void {
    if (this.#wasSlow) return
    const held = this.#logged.filter((line) => line.includes('the clock is slow'))
    if (held.length > 0) throw new Broken(held.map((line) => `F7: ${line.split(' ', 1)[0]} took its clock for slow`))
  }

  /** What the others sold and drew while the clock of one worker was fast. */
  async #countBesideFast(): Promise<void> {
    if (![...this.#faults.clockOffsets.values()].some((offset) => offset > NEARLY_RIGHT_SECONDS)) return
    const { rows } = await this.#database.observer.query<{ paid: number; drawn: number }>(`
      select (select count(*)::int from orders where status = 'PAID') as paid,
        (select count(*)::int from draws where status in ('drawn', 'settled')) as drawn`)
    for (const { paid, drawn } of rows) {
      this.#seen.set('orders PAID beside a fast worker', paid)
      this.#seen.set('draws drawn beside a fast worker', drawn)
    }
  }

  async #countFacts(): Promise<void> {
    const { rows } = await this.#database.observer.query<{ what: string; times: number }>(`
      select 'orders ' || status as what, count(*)::int as times from orders group by status
      union all select 'draws ' || status, count(*)::int from draws where status <> 'open' group by status
      union all select 'plays', count(*)::int from plays
      union all select 'wins', count(*)::int from wins where amount_sats is not null
      union all select 'payout batches ' || state, count(*)::int from payout_batches group by state
      union all select 'reversed payments', count(*)::int from payments where times_reversed > 0
      union all select 'sessions', count(*)::int from sessions`)
    for (const { what, times } of rows) if (times > 0) this.#seen.set(what, times)
  }
}

const known = new Map<string, readonly string[]>()

/** The tables that a statement writes; each text is read once. */
function tablesOf(text: string): readonly string[] {
  const tables = known.get(text) ?? writtenTables(text)
  known.set(text, tables)
  return tables
}

/** How many statements wait for another transaction, by the database's own account. */
async function countBlocked(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query<{ blocked: number }>({
    name: 'count-blocked',
    text: `select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and cardinality(pg_blocking_pids(pid)) > 0`,
  })
  return rows[0]?.blocked ?? 0
}

/** Cuts the connections of a process, and waits until the database has undone what they were doing. */
async function terminate(observer: pg.Client, connectionsName: string): Promise<void> {
  // A connection leaves the list once it has undone its work. The function's own limit would look every 100 ms only.
  const text = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1`
  const begunMs = performance.now()
  while (((await observer.query({ name: 'terminate', text, values: [connectionsName] })).rowCount ?? 0) > 0)
    if (performance.now() - begunMs > REAL_LIMIT_MS) throw new Stuck(`the connections of ${connectionsName} do not end`)
}

/** The seeds that were published, as the close statements have them. */
async function seedsOf(observer: pg.Client): Promise<string[]> {
  const { rows } = await observer.query<{ seed: string | null }>(
    `select substring(text from '\\nseed ([0-9a-f]{64})\\n') as seed from statements where type = 'close'`,
  )
  return rows.flatMap(({ seed }) => seed ?? [])
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('something that is no error was thrown', { cause: thrown })
}

function failuresIn(failure: Error | null): string[] {
  if (failure === null) return []
  if (failure instanceof Broken) return [...failure.what]
  return [failure instanceof Stuck ? `stuck: ${failure.message}` : (failure.stack ?? failure.message)]
}
