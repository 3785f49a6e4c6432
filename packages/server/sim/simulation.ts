import type pg from 'pg'
import { createLottery } from '../src/lottery.ts'
import { fundDemoBankroll } from '../src/modules/demo/bankroll.ts'
import type { Db } from '../src/db/pool.ts'
import { registeredStatements } from '../src/db/sql.ts'
import { localOutbox } from '../src/ports/mail/local-outbox.ts'
import { fixedRates } from '../src/ports/rates/fixed-rates.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { TEST_BITCOIN } from '../test/lottery.ts'
import { playerAddress } from './addresses.ts'
import { assertInvariants, assertLiveness, assertSealedDraws, Broken, isWatched } from './checks.ts'
import { prepareServer, type SeedDatabase, seedDatabase, type SimulationServer } from './database.ts'
import { endFaults, type FaultName, faultsOf, PROCESSES } from './faults.ts'
import { createPlayers } from './players.ts'
import { NOTHING_PLANTED, type PlantedBug } from './planted-bugs.ts'
import { createPrng } from './prng.ts'
import { Process, PUBLIC_URL, SECRET_KEY } from './processes.ts'
import { type Actor, Scheduler, Stuck } from './scheduler.ts'
import { createWorld, simulatedChain } from './world.ts'

/** Wednesday 1 January 2025, 16:44 UTC: the demo's first draw is a quarter of an hour later, the next one at 18:00. */
const START_AT = 1_735_749_840
/** Things go wrong for so long: past the first draw, or past the second. */
const FAULTY_SECONDS = { one: 1900, two: 4800 }
/** Then nothing does, for so long: an hour for every prize, and the time in which an order may still be undecided. */
const QUIET_SECONDS = 4200
const QUIET_BLOCK_SECONDS = 120
const MOST_PLAYERS = 4

/** What of a seed may be changed to make a failure smaller, or to plant a bug. */
export interface SeedOptions {
  readonly players?: number
  readonly without?: ReadonlySet<FaultName>
  readonly bug?: PlantedBug
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
  #hasWritten = false
  #isQuiet = false
  #failure: Error | null = null

  constructor(database: SeedDatabase, seed: number, options: SeedOptions) {
    const name = String(seed)
    const { without, bug = NOTHING_PLANTED, trace } = options
    this.#database = database
    this.#seed = seed
    this.#options = options
    this.#faults = faultsOf(name, without)
    this.#chances = createPrng(`${name} world`)
    this.#scheduler = new Scheduler({
      seed: name,
      startMs: START_AT * 1000,
      slip: () => this.#faults.slip,
      oracle: { countBlocked: () => countBlocked(database.observer), nextJob: () => this.#nextJob() },
      fateOf: (actor) => this.#fateOf(actor),
      kill: (actor) => this.#killOf(actor),
      afterStep: () => this.#afterStep(),
      ...(trace === undefined ? {} : { trace: (line) => trace(`${this.#clock()} ${line}`) }),
    })
    this.#world = createWorld({
      startAt: START_AT,
      faults: this.#faults,
      step: (actor, label, act) => this.#scheduler.step(actor, label, act),
      now: () => this.#now(),
    })
    const texts = new Map(registeredStatements().map((statement) => [statement.name, statement.text]))
    this.#processes = PROCESSES.map(
      (process) =>
        new Process(process, {
          scheduler: this.#scheduler,
          world: this.#world,
          url: database.url,
          seed: name,
          offsetSeconds: (of) => this.#faults.clockOffsets.get(of) ?? 0,
          rewrite: bug.rewrite,
          wrapProvider: bug.wrapProvider,
          onWork: (names) => {
            if (names.some((one) => isWatched(texts.get(one) ?? ''))) this.#hasWritten = true
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
    const players = await this.#insertPlayers(this.#options.players ?? this.#chances.between(2, MOST_PLAYERS))
    try {
      for (const process of this.#processes) process.start()
      this.#inBackground(() => this.#mineBlocks())
      this.#inBackground(() => this.#watchOver())
      for (const outage of this.#faults.outages) this.#inBackground(() => this.#breakDown(outage))
      const people = createPlayers({
        prng: this.#chances,
        faults: this.#faults,
        world: this.#world,
        webs: this.#webs,
        pause: (seconds) => this.#pause(seconds),
        onChain: (addresses) => this.#tell(addresses),
      })
      for (const player of players) this.#inBackground(() => people.live(player, this.#chances.chance(0.4) ? 2 : 1))
      const faulty = this.#chances.chance(0.3) ? FAULTY_SECONDS.two : FAULTY_SECONDS.one
      await this.#runUntil(START_AT + faulty)
      await assertSealedDraws(this.#database)
      await this.#endFaults()
      await this.#runUntil(START_AT + faulty + QUIET_SECONDS)
      await assertSealedDraws(this.#database)
      await assertLiveness(this.#database, this.#world, this.#now())
      this.#assertNoSeedLogged(await seedsOf(observer))
      await this.#countFacts()
    } catch (error) {
      this.#failure ??= asError(error)
    }
    for (const process of this.#processes) {
      process.kill()
      await terminate(observer, process.connectionsName)
    }
    const { traceHash, steps } = { traceHash: this.#scheduler.traceHash(), steps: this.#scheduler.steps }
    return { seed: this.#seed, failures: failuresIn(this.#failure), steps, traceHash, seen: this.#seen }
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
    // Somebody waits for that moment, so that time comes to it.
    void this.#scheduler.sleepUntil(this.#outside, at * 1000, 'moment')
    await this.#scheduler.runUntil(() => this.#failure !== null || this.#now() >= at)
    if (this.#failure !== null) throw this.#failure
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
    const { node } = this.#world
    for (;;) {
      await this.#pause(this.#isQuiet ? QUIET_BLOCK_SECONDS : this.#chances.between(60, 900))
      if (this.#chances.chance(this.#faults.reorganisation)) {
        const depth = this.#chances.between(1, this.#faults.deepestReorganisation)
        node.reorganise(depth)
        this.#count('reorganisations')
        this.#scheduler.note(`reorganisation of ${depth}`)
        for (const txid of node.mempool()) this.#maybeRespend(txid)
        this.#tell(this.#world.addressesWaiting())
        for (let again = 1; again < depth; again += 1) node.mineEmpty()
      }
      node.mine()
      this.#tell(this.#world.addressesInNewestBlock())
      this.#scheduler.note('block')
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

  /** The provider tells that something changed about some invoices: late, several times, or never. */
  #tell(addresses: readonly string[]): void {
    for (const ref of this.#world.touch(addresses)) {
      if (this.#chances.chance(this.#faults.webhookLoss)) continue
      const key = `${ref} ${this.#chances.next()}`
      for (let times = this.#chances.between(1, this.#faults.webhookRepeats); times > 0; times -= 1)
        this.#inBackground(() => this.#deliver({ ref, key }))
    }
  }

  async #deliver(hint: { ref: string; key: string }): Promise<void> {
    await this.#pause(this.#chances.between(0, this.#faults.webhookDelay))
    // A provider tries again for a while where it is not told that its message was taken.
    for (let tried = 0; tried < 3; tried += 1) {
      try {
        await this.#chances.pick(this.#webs).ask(({ lottery }) => lottery.payments.takeMessage(hint))
        return this.#count('messages')
      } catch {
        await this.#pause(60)
      }
    }
  }

  async #breakDown({ what, from, until }: { what: 'wallet' | 'provider' | 'mail'; from: number; until: number }) {
    await this.#pause(from)
    if (this.#isQuiet) return
    this.#setDown(what, true)
    this.#count(`${what} down`)
    await this.#pause(until - from)
    this.#setDown(what, false)
  }

  #setDown(what: 'wallet' | 'provider' | 'mail', isDown: boolean): void {
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
    for (const what of ['wallet', 'provider', 'mail'] as const) this.#setDown(what, false)
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
    if (!this.#hasWritten) return
    this.#hasWritten = false
    this.#count('commits')
    await assertInvariants(this.#database).catch((error: unknown) => (this.#failure ??= asError(error)))
  }

  async #nextJob(): Promise<{ ms: number; kind: string } | null> {
    const working = this.#processes.filter((process) => process.isWorker && process.isReady)
    if (working.length === 0) return null
    const ahead = Math.max(...working.map(({ name }) => this.#faults.clockOffsets.get(name) ?? 0))
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
  await observer.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and application_name = $1`,
    [connectionsName],
  )
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
