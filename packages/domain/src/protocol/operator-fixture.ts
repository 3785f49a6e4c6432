import { assert } from '../assert.ts'
import type { Bundle, BundlePaper, BundlePart, Seal } from './bundle.ts'
import { asciiBytes, fromHex, toHex } from './bytes.ts'
import { checkpointText } from './checkpoint.ts'
import { QUICKNET, roundDueAt, roundOf } from './chain.ts'
import { countSection, countWinners, readPlays, sumOf, sumOfWinners } from './count-plays.ts'
import { nobleHash, textHash } from './hash.ts'
import type { Logged } from './known-log.ts'
import { chooseStatements, type LogSource, makeBundle, makeSeal } from './make-bundle.ts'
import {
  afterClose,
  afterResult,
  afterVoid,
  afterVoidOfClose,
  FIRST_STATE,
  freeTicketsOf,
  poolOf,
  prizesOf,
  satsOf,
} from './money.ts'
import { cosignatureLine, signatureLine, verifierKey, WITNESS_KEY_TYPE, writeNote } from './note.ts'
import { publicKeyOf } from './ed25519.ts'
import { halvesOf, readSection } from './play-tree.ts'
import { maskOf, revokedSummary } from './plays.ts'
import { leafOfPlay, type OrderPlay } from './papers.ts'
import { SECTION_LEAVES } from './numbers.ts'
import { readPolicy } from './policy.ts'
import { type Rules, writeRules } from './rules.ts'
import { randomnessOf } from './chain.ts'
import { drawKey, drawNumbers, seedHash } from './sampler.ts'
import { sectionCount, writeSections } from './sections.ts'
import { type GameState, NO_HASH } from './statement-codecs.ts'
import {
  type LogStatement,
  readLogStatement,
  type StatementOf,
  type StatementType,
  writeStatement,
} from './statements.ts'
import { writeEntries } from './tiles.ts'
import { leafHash, rootOf } from './tree.ts'
import { NO_TRUST, type Trust } from './trust.ts'
import type { VerifyOptions } from './verify.ts'

/** An operator for tests: it keeps a log in memory and makes whole draws, by the rules or against them. */

export const TEST_ORIGIN = 'test.example/fairball'
/** The secret seed of its log key. */
export const TEST_LOG_SEED = new Uint8Array(32).fill(1)
const WITNESS = { name: 'w.example', seed: new Uint8Array(32).fill(9) }
/** Its policy: one witness. */
export const TEST_POLICY = `witness w ${verifierKey({ name: WITNESS.name, publicKey: publicKeyOf(WITNESS.seed) }, WITNESS_KEY_TYPE)}\nquorum w\n`

/** The rules of the operator's only game: 3 of 9, so that there are winners. */
export const TEST_RULES: Rules = {
  game: 'test-game',
  version: 1,
  pick: 3,
  pool: 9,
  price: { currency: 'GBP', value: 100 },
  tier: [
    { matches: 3, kind: 'jackpot', minor: 0 },
    { matches: 2, kind: 'fixed', minor: 300 },
    { matches: 1, kind: 'free', minor: 0 },
  ],
  split: { prizes: 80, donation: 5, fee: 15 },
  floor: 1000,
  cover: 500,
  limit: { play: 100, player: 1000 },
  closes: 300,
  at: [0],
}

/** Trust in the operator's witness. */
export const TEST_TRUST: Trust = {
  ...NO_TRUST,
  policy: readPolicy(TEST_POLICY),
  key: toHex(publicKeyOf(TEST_LOG_SEED)),
}

/** A pairing that accepts the invented signatures of this operator's beacon. */
export const TEST_ROUNDS: VerifyOptions = { isRoundSigned: (_, round, signature) => signature === signatureOf(round) }

/** A play to be sold. */
export interface SoldPlay {
  readonly secret: Uint8Array
  readonly username: string
  readonly lines: OrderPlay['lines']
  readonly free: number
  /** 0 for a play carried over */
  readonly rate: number
}

/** A draw in progress. */
export interface TestDraw {
  readonly open: Logged<StatementOf<'open'>>
  readonly leaves: Uint8Array[]
  readonly seed: Uint8Array
  start: number
  round: number
  sold: Logged<StatementOf<'sold'>> | null
  close: Logged<StatementOf<'close'>> | null
  postpones: Seal[]
  seal: Seal | null
  final: Logged | null
}

export class TestOperator {
  readonly statements: Logged[] = []
  readonly draws: TestDraw[] = []
  now: number
  #state: GameState = FIRST_STATE
  #last = NO_HASH
  readonly #hashes: Uint8Array[] = []

  constructor(now = 1_700_000_000) {
    this.now = now
    this.append('log', { key: toHex(publicKeyOf(TEST_LOG_SEED)), next: textHash('next'), after: null })
    const rules = textHash(writeRules(TEST_RULES))
    this.append('game', { game: 'test-game', version: 1, rules, from: now, reason: 'new', pot_to: null })
  }

  /** Logs a statement at the current time. */
  append<T extends LogStatement['type']>(
    type: T,
    values: Omit<StatementOf<T>, 'type' | 'log' | 'time'>,
  ): Logged<StatementOf<T> & LogStatement> {
    const text = writeStatement({
      type,
      log: TEST_ORIGIN,
      time: this.now,
      ...values,
    } as unknown as StatementOf<StatementType>)
    const statement = readLogStatement(text) as StatementOf<T> & LogStatement
    const logged = { index: this.statements.length, text, hash: textHash(text), statement }
    this.statements.push(logged)
    this.#hashes.push(leafHash(nobleHash, asciiBytes(text)))
    return logged
  }

  /** Opens the next draw, some days ahead. */
  openDraw(): TestDraw {
    this.now += 60
    const week = 604_800
    const start = Math.ceil((this.now + 3600 + 259_200) / week) * week - 259_200
    const seed = nobleHash(asciiBytes(`seed ${this.draws.length}`))
    const round = roundOf(QUICKNET, start)
    const open = this.append('open', {
      game: 'test-game',
      version: 1,
      draw: this.draws.length + 1,
      close: start - TEST_RULES.closes,
      start,
      chain: QUICKNET.hash,
      round,
      seedhash: toHex(seedHash(seed)),
      rules: textHash(writeRules(TEST_RULES)),
      rate: { currency: 'GBP', value: 3000 },
      sources: ['one.example', 'two.example'],
      band: 5,
      policy: textHash(TEST_POLICY),
    })
    const draw: TestDraw = {
      open,
      leaves: [],
      seed,
      start,
      round,
      sold: null,
      close: null,
      postpones: [],
      seal: null,
      final: null,
    }
    this.draws.push(draw)
    return draw
  }

  /** Sells a batch. */
  sell(draw: TestDraw, plays: readonly SoldPlay[]): void {
    this.now += 60
    draw.leaves.push(
      ...plays.map((play) =>
        leafOfPlay(play.secret, { open: draw.open.hash, price: 100, ...play }, play.rate, play.username),
      ),
    )
    const { stake } = this.count(draw)
    const size = draw.leaves.length
    draw.sold = this.append('sold', {
      open: draw.open.hash,
      size,
      root: this.rootOf(draw),
      stake,
      rate: { currency: 'GBP', value: 3000 },
    })
  }

  /** Counts the plays of a draw. */
  count(draw: TestDraw, numbers: readonly number[] | null = null) {
    const sections = partsOf(draw.leaves).map((part) => readSection(part, draw.leaves.length, [], nobleHash))
    assert(
      sections.every((section) => section !== null),
      'no sections',
    )
    const plays = readPlays(sections, fromHex(draw.open.hash), TEST_RULES, 3000)
    const drawn = numbers === null ? null : halvesOf(maskOf(numbers))
    const records = sections.map((section) => {
      const { root, count: leaves } = section
      const { tier, price } = TEST_RULES
      const winners = drawn === null ? tier.map(() => 0) : countWinners({ section, plays, tier, drawn })
      return { section: section.section, root, leaves, ...countSection(section, plays, price.value), winners }
    })
    const winners = sumOfWinners(
      records.map((record) => record.winners),
      TEST_RULES.tier.length,
    )
    return { ...sumOf(records), winners, revoked: revokedSummary(plays.revocations), sections: records }
  }

  /** The sections file of a draw with a result. */
  sectionsFile(draw: TestDraw): Uint8Array {
    assert(draw.final?.statement.type === 'result', 'no result')
    return writeSections(this.count(draw, draw.final.statement.numbers).sections)
  }

  rootOf({ leaves }: TestDraw): string {
    return toHex(
      rootOf(
        nobleHash,
        leaves.map((leaf) => leafHash(nobleHash, leaf)),
      ),
    )
  }

  /** Closes a draw at the end of its sales or, if it was postponed, now. */
  closeDraw(draw: TestDraw, changes: Partial<StatementOf<'close'>> = {}): void {
    this.now = Math.max(this.now + 1, draw.open.statement.close + 2)
    const { lines, free, carried, stake, revoked } = this.count(draw)
    const before = draw.close === null ? { state: this.#state, last: this.#last } : this.#before(draw.close)
    const state = afterClose(before.state, { free, carried })
    draw.close = this.append('close', {
      open: draw.open.hash,
      round: draw.round,
      sold: draw.sold?.hash ?? NO_HASH,
      size: draw.leaves.length,
      root: this.rootOf(draw),
      lines,
      free,
      carried,
      revoked,
      seed: toHex(draw.seed),
      stake,
      rate: { currency: 'GBP', value: 3000 },
      quotes: ['one.example', 'two.example'].map((source) => ({ source, rate: 3000, at: this.now })),
      added: 0n,
      pool: poolOf(before.state, 0n, stake, TEST_RULES.split),
      floor: satsOf(TEST_RULES.floor, 3000),
      cover: satsOf(TEST_RULES.cover, 3000),
      short: 0n,
      last: before.last,
      state,
      ...changes,
    })
    this.#goOn(draw.close)
  }

  /** The state before a postponed close: the further close repeats it. */
  #before(close: Logged<StatementOf<'close'>>): { state: GameState; last: string } {
    const before = this.statements.find(({ hash }) => hash === close.statement.last)?.statement
    return { state: before !== undefined && 'state' in before ? before.state : FIRST_STATE, last: close.statement.last }
  }

  /** Keeps the seal of a draw, as served. @param at time at which the witness saw it, epoch seconds */
  async seal(draw: TestDraw, at = this.now + 1): Promise<void> {
    draw.seal = await this.#sealOf(draw, at)
  }

  /** Postpones a draw. @param seen when the witness saw that, in seconds after it; null if not in time */
  async postpone(draw: TestDraw, seen: number | null = 1): Promise<void> {
    this.now = Math.max(this.now + 1, draw.open.statement.close + 10)
    draw.start = Math.ceil((this.now + 900) / 60) * 60
    draw.round = roundOf(QUICKNET, draw.start)
    this.append('postpone', { open: draw.open.hash, reason: 'outage', start: draw.start, round: draw.round })
    draw.postpones.push(await this.#sealOf(draw, this.now + (seen ?? 1_000_000)))
  }

  /** Draws the numbers and logs the result. */
  settle(draw: TestDraw, changes: Partial<StatementOf<'result'>> = {}): void {
    const { close } = draw
    assert(close !== null, 'not closed')
    this.now = roundDueAt(QUICKNET, draw.round) + 60
    const signature = signatureOf(draw.round)
    const numbers = drawNumbers(
      drawKey({
        seed: draw.seed,
        openHash: fromHex(draw.open.hash),
        closeHash: fromHex(close.hash),
        round: draw.round,
        randomness: randomnessOf(fromHex(signature)),
      }),
      TEST_RULES,
    )
    const { winners, sections } = this.count(draw, numbers)
    const { pool, floor, cover, short } = close.statement
    const { each, left } = prizesOf(TEST_RULES, winners, { rate: 3000, pool, floor, cover, short })
    const final = this.append('result', {
      close: close.hash,
      signature,
      numbers,
      tier: TEST_RULES.tier.map(({ matches, kind }, place) => ({
        matches,
        kind,
        winners: winners[place] ?? 0,
        each: each[place] ?? 0n,
      })),
      left,
      sections: toHex(nobleHash(writeSections(sections))),
      last: this.#last,
      state: afterResult(this.#state, { left, freeTickets: freeTicketsOf(TEST_RULES, winners) }),
      ...changes,
    })
    draw.final = final
    this.#goOn(final)
  }

  /** Makes a draw void. @param close the close in force, if any */
  giveUp(draw: TestDraw, reason: 'beacon' | 'outage', close = draw.close): void {
    this.now += 60
    const before =
      draw.close !== null && close === null ? this.#before(draw.close) : { state: this.#state, last: this.#last }
    const final = this.append('void', {
      open: draw.open.hash,
      close: close?.hash ?? NO_HASH,
      reason,
      last: before.last,
      state: close === null ? afterVoid(before.state) : afterVoidOfClose(before.state, close.statement),
    })
    draw.final = final
    this.#goOn(final)
  }

  /** The bundle of draws. */
  async bundle(draws: readonly TestDraw[] = this.draws, papers: readonly BundlePaper[] = []): Promise<Bundle> {
    this.now += 60
    const opens = draws.map(({ open }) => open.hash)
    return makeBundle(
      this.#source(this.checkpoint(this.now)),
      {
        statements: chooseStatements(this.statements, opens),
        texts: [writeRules(TEST_RULES), TEST_POLICY],
        draws: draws.map((draw) => ({
          open: draw.open.hash,
          postpones: draw.postpones,
          seal: draw.seal,
          final: draw.final?.index ?? null,
          beacon:
            draw.final?.statement.type === 'void' ? null : { round: draw.round, signature: signatureOf(draw.round) },
          plays: { sections: null, parts: partsOf(draw.leaves) },
        })),
        papers,
      },
      nobleHash,
    )
  }

  /** The current head, with the witness's cosignature. @param at epoch seconds */
  checkpoint(at: number): string {
    const text = checkpointText(TEST_ORIGIN, { size: this.#hashes.length, root: rootOf(nobleHash, this.#hashes) })
    return writeNote(text, [
      signatureLine(text, TEST_ORIGIN, TEST_LOG_SEED),
      cosignatureLine(text, WITNESS.name, at, WITNESS.seed),
    ])
  }

  async #sealOf({ open }: TestDraw, at: number): Promise<Seal> {
    const before = this.statements.findLast(({ statement }) => statement.time < open.statement.close)
    const checkpoint = this.checkpoint(at)
    return makeSeal(this.#source(checkpoint), checkpoint, before?.index ?? 0, nobleHash)
  }

  #source(head: string): LogSource {
    const hashes = [...this.#hashes]
    return {
      head,
      statement: async (index) => this.statements[index]?.text ?? '',
      node: async ({ level, index }) => rootOf(nobleHash, hashes.slice(index * 2 ** level, (index + 1) * 2 ** level)),
    }
  }

  #goOn({ hash, statement }: Logged<LogStatement>): void {
    assert('state' in statement, 'no state')
    this.#state = statement.state
    this.#last = hash
  }
}

/** Leaves as the sections of a bundle. */
function partsOf(leaves: readonly Uint8Array[]): BundlePart[] {
  return Array.from({ length: sectionCount(leaves.length) }, (_, section) => ({
    section,
    leaves: writeEntries(leaves.slice(section * SECTION_LEAVES, (section + 1) * SECTION_LEAVES)),
  }))
}

/** The invented signature of a round: 48 bytes as hex. */
const signatureOf = (round: number): string => textHash(`round ${round}`) + 'ab'.repeat(16)
