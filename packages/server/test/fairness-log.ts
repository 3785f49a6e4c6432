import { beaconPublicKey } from '@fairball/domain/protocol/beacon'
import { asciiBytes, equalBytes, toHex } from '@fairball/domain/protocol/bytes'
import { roundOf } from '@fairball/domain/protocol/chain'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { nobleHash, textHash } from '@fairball/domain/protocol/hash'
import { isSignedAt, keyOf, type Logged } from '@fairball/domain/protocol/known-log'
import { LogReader, textsNamedBy } from '@fairball/domain/protocol/read-log'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import { readLogStatement } from '@fairball/domain/protocol/statements'
import { leafHash, TreeFolder } from '@fairball/domain/protocol/tree'
import type pg from 'pg'
import { DatabaseClock } from '../src/db/database-clock.ts'
import type { Db, Tx } from '../src/db/pool.ts'
import { keptLog } from '../src/modules/fairness/keys.ts'
import { appendStatement, type Appended, type FairnessContext, keepText } from '../src/modules/fairness/service.ts'
import { localChain } from '../src/ports/beacon/chains.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { createSeal } from '../src/runtime/seal.ts'

/** The secret under which the logs of these tests keep their keys. */
export const SECRET_KEY = new Uint8Array(32).fill(7)
const TEST_CHAIN = localChain({
  publicKey: beaconPublicKey(new Uint8Array(32).fill(5)),
  genesis: 1_700_000_000,
})
const QUORUM_NONE = 'quorum none\n'

/** The log of an operator on a database, without the lottery around it: its jobs only wait. */
export async function testLog(options: {
  db: Db
  runtime: Runtime
  policy?: string
  headFile?: string | null
  jobs?: FairnessContext['jobs']
}): Promise<FairnessContext> {
  const { db, runtime, policy = QUORUM_NONE, headFile = null } = options
  const seal = createSeal(SECRET_KEY, runtime.random)
  const log = await keptLog({ db, runtime, seal }, 'https://lottery.example')
  return {
    db,
    runtime,
    databaseClock: new DatabaseClock(runtime),
    jobs: options.jobs ?? {
      add: async () => undefined,
      addUnlessWaiting: async () => undefined,
      wake: async () => undefined,
    },
    ...log,
    seal,
    chain: TEST_CHAIN,
    policy,
    headFile,
    after: null,
  }
}

/** A draw of bitcoin-hero whose sales end an hour after the tests begin, and a day later for each further number. */
export function closeAtOf(number: number): number {
  return 1_735_736_400 + (number - 1) * 86_400
}

/** Announces the number-th draw of bitcoin-hero. @returns its statement */
export async function openDraw(ctx: FairnessContext, tx: Tx, number: number): Promise<Appended> {
  const close = closeAtOf(number)
  return await appendStatement(ctx, tx, {
    type: 'open',
    game: 'bitcoin-hero',
    version: 1,
    draw: number,
    close,
    start: close + 300,
    chain: TEST_CHAIN.hash,
    round: roundOf(TEST_CHAIN, close + 300),
    seedhash: textHash(`seed ${number}`),
    rules: NO_HASH,
    rate: { currency: 'GBP', value: 3300 },
    sources: ['one.example', 'two.example'],
    band: 5,
    policy: await keepText(tx, ctx.policy),
  })
}

/** Seals a draw without plays. @returns the close */
export async function closeDraw(ctx: FairnessContext, tx: Tx, openHash: string, round: number): Promise<Appended> {
  const nothing = toHex(nobleHash())
  return await appendStatement(ctx, tx, {
    type: 'close',
    open: openHash,
    round,
    sold: NO_HASH,
    size: 0,
    root: nothing,
    lines: 0,
    free: 0,
    carried: 0,
    revoked: { count: 0, list: nothing },
    seed: NO_HASH,
    stake: 0n,
    rate: { currency: 'GBP', value: 3300 },
    quotes: [{ source: 'one.example', rate: 3300, at: 1_735_732_800 }],
    added: 0n,
    pool: 0n,
    floor: 0n,
    cover: 0n,
    short: 0n,
    last: NO_HASH,
    state: { closed: 1, settled: 0, pot: 0n, won: 0, used: 0, carried: 0 },
  })
}

/** All statements, each checked against the grammar, the ones before it, and its checkpoint. */
export async function checkedLog(client: pg.Client, origin: string): Promise<Logged[]> {
  return await new LogWatch(client, origin).log()
}

/** Reads a log as it grows: each statement once, however often it is called. */
export class LogWatch {
  readonly #client: pg.Client
  readonly #origin: string
  readonly #log: Logged[] = []
  readonly #tree = new TreeFolder(nobleHash)
  readonly #reader: LogReader
  readonly #breaches: { readonly rule: string; readonly text: string }[] = []
  #read = 0

  constructor(client: pg.Client, origin: string) {
    this.#client = client
    this.#origin = origin
    this.#reader = new LogReader(origin)
  }

  /** All statements, as `checkedLog` gives them. */
  async log(): Promise<Logged[]> {
    const { rows } = await this.#client.query<{ index: string; text: string; hash: string; note: string }>(
      `select index, text, hash, note from log_leaves join checkpoints on size = index + 1 where index >= $1 order by index`,
      [this.#log.length],
    )
    for (const row of rows) this.#check(row)
    return [...this.#log]
  }

  /** What a reader of the whole log finds that the operator must never have signed (docs/fairness.md, section 16). */
  async breaches(): Promise<string[]> {
    const log = await this.log()
    const kept = await this.#client.query<{ hash: string; text: string }>(`select hash, text from texts`)
    const texts = new Map(kept.rows.map(({ hash, text }) => [hash, text]))
    for (const { text } of log.slice(this.#read)) {
      const named = textsNamedBy(text).flatMap((hash) => texts.get(hash) ?? [])
      this.#breaches.push(...this.#reader.add(text, named).filter(({ grade }) => grade === 'breach'))
    }
    this.#read = log.length
    // Tickets that a test gives away were never won: no state has them.
    const given = await this.#client.query(
      `select from free_tickets f where won > (select count(*) from wins w join draws d on d.id = w.draw_id
        where w.player_id = f.player_id and d.game_key = f.game_key and w.win_type = 'FREE_TICKET')`,
    )
    const held = this.#breaches.filter(({ rule }) => !(rule === 'money.free' && given.rows.length > 0))
    return held.map((fault) => `${fault.rule}: ${fault.text}`)
  }

  #check({ index, text, hash, note }: { index: string; text: string; hash: string; note: string }): void {
    const place = this.#log.length
    const statement = readLogStatement(text)
    const before = this.#log.at(-1)?.statement.time ?? 0
    this.#tree.add(leafHash(nobleHash, asciiBytes(text)))
    this.#log.push({ index: place, text, hash, statement })
    const keys = this.#log.flatMap((logged) =>
      logged.statement.type === 'log' || logged.statement.type === 'key'
        ? [keyOf({ ...logged, statement: logged.statement })]
        : [],
    )
    const checkpoint = readCheckpoint(note)
    const isWhole =
      Number(index) === place &&
      textHash(text) === hash &&
      checkpoint?.origin === this.#origin &&
      statement.log === this.#origin &&
      checkpoint.size === place + 1 &&
      equalBytes(checkpoint.root, this.#tree.root()) &&
      isSignedAt(keys, this.#origin, checkpoint.note, place + 1) &&
      statement.time >= before
    if (!isWhole) throw new Error(`statement ${place} does not continue the log`)
  }
}
