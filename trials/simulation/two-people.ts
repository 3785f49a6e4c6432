import { TestPasskey } from '@fairball/server/testing/fixtures'
import { CodedRefusal } from '@fairball/server/testing/http'
import {
  approvalOptions,
  approveRequest,
  bankroll,
  type ConsoleContext,
  listPayouts,
  lookAtRequest,
  makeRequest,
  operatorFee,
  postTransfer,
  relyingAt,
  signRequest,
} from '@fairball/server/testing/lottery'
import { createLogger, seededRandom } from '@fairball/server/testing/runtime'
import { Broken } from './checks.ts'
import type { SeedDatabase } from './database.ts'
import { createPrng } from './prng.ts'
import { CONSOLE_URL, isLost, type Process } from './processes.ts'

// Two people of the staff, who approve what waits and give goodwill. What they sign is written at once, as the console's
// process does; workers carry it out, several at the same moment, and die as they always do.

const LIKELIHOOD = 0.5
/** States of a request that may still be done. */
const OPEN = new Set(['draft', 'proposed', 'approved'])
/** More than any order costs. */
const FEE_SATS = 1_000_000n
/** A time in which every wait is over: nobody waits here for the workers. */
const HURRY_MS = 60_000

/** Whether the operator of a seed approves in the console, if anything has to be approved. */
export function approvesInConsole(seed: number): boolean {
  return createPrng(`${seed} two people`).chance(LIKELIHOOD) // a separate stream, so that the other seeds stay the same
}

/** Does something as somebody outside the processes: work that takes real time holds the seed's time. */
type Step = <T>(label: string, act: () => Promise<T>) => Promise<T>

/** What a request asks for. */
interface Wanted {
  readonly kind: string
  readonly args: object
}

interface Person {
  readonly id: bigint
  readonly name: string
  readonly roles: readonly ('approver' | 'support' | 'treasurer')[]
  readonly keys: readonly [TestPasskey, TestPasskey]
}

/** The two, and what they have asked for. */
export class TwoPeople {
  readonly #database: SeedDatabase
  readonly #ctx: ConsoleContext
  readonly #people: Person[] = []
  /** the newest request for each thing that they want */
  readonly #requests = new Map<string, string>()
  /** the order that goodwill is given for, once there is one */
  #favoured: { readonly order: string; readonly sats: string } | null = null
  readonly #now: () => number
  readonly #step: Step

  /** @param now epoch seconds */
  constructor(database: SeedDatabase, { seed, now, step }: { seed: number; now: () => number; step: Step }) {
    this.#database = database
    this.#now = now
    this.#step = step
    let hurriedMs = 0
    this.#ctx = {
      db: database.db,
      relying: relyingAt(CONSOLE_URL),
      runtime: {
        clock: { now, nowMs: () => now() * 1000 },
        monotonic: { nowMs: () => (hurriedMs += HURRY_MS), sleep: async () => undefined },
        random: seededRandom(`${seed} two people`),
        log: createLogger({ level: 'fatal', format: 'json', nowMs: () => now() * 1000, write: () => undefined }),
      },
    } as unknown as ConsoleContext // requests ask for nothing else
  }

  /** Both have two passkeys, as after their invitations, and the operator's fee holds what goodwill is paid from. */
  async enrol(): Promise<void> {
    const moves = [{ from: bankroll, to: operatorFee, sats: FEE_SATS }]
    await this.#database.db.transaction((tx) =>
      postTransfer(tx, { event: 'simulation.fee', subject: 'two people', at: this.#now(), moves }),
    )
    for (const roles of [['approver', 'support'] as const, ['treasurer'] as const]) {
      const keys = [new TestPasskey(), new TestPasskey()] as const
      const { rows } = await this.#database.observer.query<{ id: string }>(
        `insert into staff (name, email, roles, created_at) values ($1, $1 || '@lottery.example', $3, $2) returning id`,
        [roles[0], this.#now(), roles],
      )
      const id = BigInt(rows[0]?.id ?? 0)
      for (const key of keys)
        await this.#database.observer.query(
          `insert into staff_keys (staff_id, credential_id, public_key, sign_count, transports, backed_up, label, created_at)
           values ($1, $2, $3, 0, '{}', false, 'Key', $4)`,
          [id, key.id, key.publicKey(), this.#now()],
        )
      this.#people.push({ id, name: roles[0], roles, keys })
    }
  }

  /** Approves the prizes that wait. */
  async approve(workers: readonly Process[]): Promise<void> {
    for (const batch of await askFirst(workers))
      await this.#carryThrough(workers, { kind: 'payouts.approve', args: { batch: String(batch) } })
  }

  /** Gives goodwill for one paid order, and asks for it again each time: it is given once. */
  async giveGoodwill(workers: readonly Process[]): Promise<void> {
    this.#favoured ??= await this.#step('an order is chosen', () => this.#paidOrder())
    const { order, sats } = this.#favoured ?? {}
    if (order !== undefined) await this.#carryThrough(workers, { kind: 'orders.goodwill', args: { order, sats } })
  }

  /** A request is signed by one, looked at by all workers, signed by the other, and carried out. */
  async #carryThrough(workers: readonly Process[], wanted: Wanted): Promise<void> {
    const subject = JSON.stringify(wanted)
    const open = this.#requests.get(subject)
    const isOpen = open !== undefined && OPEN.has(await this.#stateOf(open))
    const id = isOpen ? open : await this.#step('a request is signed', () => this.#propose(wanted))
    this.#requests.set(subject, id)
    await lookAtOnce(workers, id)
    if ((await this.#stateOf(id)) !== 'proposed') return
    await this.#step('a request is signed again', () => this.#second(id))
    await lookAtOnce(workers, id)
  }

  async #propose(wanted: Wanted): Promise<string> {
    const [first] = this.#people
    if (first === undefined) throw new Error('two people are enrolled')
    const made = await makeRequest(this.#ctx, this.#signedIn(first), { ...wanted, reason: 'As both of us agreed.' })
    if (!('options' in made)) throw new Error('such requests are signed')
    const response = first.keys[0].sign(made.options as Record<string, unknown>, CONSOLE_URL)
    await signRequest(this.#ctx, this.#signedIn(first), made.id, response)
    return made.id
  }

  /** What has changed meanwhile is refused, and asked for again. */
  async #second(id: string): Promise<void> {
    const treasurer = this.#people[1]
    if (treasurer === undefined) throw new Error('two people are enrolled')
    try {
      const { options } = await approvalOptions(this.#ctx, this.#signedIn(treasurer), id)
      await approveRequest(this.#ctx, this.#signedIn(treasurer), id, treasurer.keys[1].sign(options, CONSOLE_URL))
    } catch (error) {
      if (!(error instanceof CodedRefusal)) throw error
    }
  }

  /** An order whose plays stand, and half of what it cost in sats, as text; null while there is none. */
  async #paidOrder(): Promise<{ readonly order: string; readonly sats: string } | null> {
    const { rows } = await this.#database.observer.query<{ order: string; sats: string }>(
      `select id as order, (due_sats / 2)::text as sats from orders where status = 'PAID' and due_sats > 1 order by paid_at, id limit 1`,
    )
    return rows[0] ?? null
  }

  #signedIn({ id, name, roles }: Person) {
    return { sessionId: 0n, id, name, roles, expiresAt: this.#now() + 3600 }
  }

  async #stateOf(id: string): Promise<string> {
    const { rows } = await this.#step('look at a request', () =>
      this.#database.observer.query<{ state: string }>(
        `select case when expires_at <= $2 then 'expired' else state end as state from operator_requests where id = $1`,
        [id, this.#now()],
      ),
    )
    return rows[0]?.state ?? 'missing'
  }
}

/** The batches of prizes that wait, as the first worker sees them; none if it dies meanwhile. */
async function askFirst([worker]: readonly Process[]): Promise<bigint[]> {
  if (worker === undefined) return []
  const asked = worker.ask(async ({ desk }) => (await listPayouts(desk)).batches)
  const batches = await asked.catch(noneIfLost)
  return batches.flatMap(({ id, class: kind, state }) =>
    kind === 'prizes' && state === 'WAITING_APPROVAL' ? [id] : [],
  )
}

function noneIfLost(error: unknown): never[] {
  if (isLost(error)) return []
  throw error
}

/** Every worker hears of a request at once. One that dies leaves it to the others, or to the next look. */
async function lookAtOnce(workers: readonly Process[], id: string): Promise<void> {
  await Promise.all(
    workers.map((worker) =>
      worker.ask(({ carryOut }) => lookAtRequest(carryOut, id, { attempts: 0 })).catch(noneIfLost),
    ),
  )
}

/**
 * A request is done once, with one row in the audit log, or not at all.
 *
 * @throws Broken
 */
export async function assertDoneOnce({ observer }: SeedDatabase): Promise<void> {
  const { rows } = await observer.query<{ what: string }>(
    `select 'request ' || r.id || ' is ' || r.state || ' with ' || count(a.id) || ' actions' as what
     from operator_requests r left join operator_actions a on a.request_id = r.id
     group by r.id having count(a.id) <> (r.state = 'done')::int
     union all select 'batch ' || b.id || ' left without approval' from payout_batches b
     where b.needs_approval and b.sent_at is not null and not exists (
       select from operator_actions a join operator_requests r on r.id = a.request_id where r.args ->> 'batch' = b.id::text)`,
  )
  if (rows.length > 0) throw new Broken(rows.map(({ what }) => what))
}
