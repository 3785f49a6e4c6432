import { assert } from '../assert.ts'
import { beaconPublicKey, beaconSecretKey, type Chain, localChain, roundOf, signRound } from './beacon.ts'
import type { Bundle, OwnReceipt } from './bundle.ts'
import { concatBytes, fromHex, toHex } from './bytes.ts'
import {
  type DrawFixture,
  drawOf,
  fixedBytes,
  gameOf,
  honestResult,
  type PlayFixture,
  startOf,
} from './draw-fixture.ts'
import { ENTRY_KIND, leafHash } from './entry.ts'
import { textOf } from './resigned-fixture.ts'
import { seedHash } from './sampler.ts'
import {
  noteOf,
  signatureLine,
  signingPublicKey,
  signNote,
  signText,
  witnessedText,
  witnessSignatureLine,
} from './signed-note.ts'
import {
  type LoggedStatement,
  NO_HASH,
  parseStatement,
  parseStatementOf,
  rulesText,
  statementHash,
  type StatementOf,
  statementText,
} from './statements.ts'
import { MerkleTree } from './tree.ts'

type Distribute<T, K extends string> = T extends unknown ? Omit<T, K> : never
/** A statement without what its place in the log adds. */
export type LoggedFields = Distribute<LoggedStatement, 'operator' | 'seq' | 'prev' | 'time'>

/** What the fixture's seals say of money, where nothing else is asked for; the stake follows from the paid entries. */
const FIGURES = {
  pool: 25_147_000n,
  bankroll: 50_000_000n,
  floor: 1_200_000_000n,
  rate: { currency: 'GBP', amount: 1200n },
}

/** How a draw is opened where it is not as usual. */
export interface OpenFixture {
  readonly game?: string
  readonly witness?: StatementOf<'open'>['witness']
  /** 32 bytes */
  readonly seed?: Uint8Array
  readonly startAt?: number
  readonly time?: number
  /** their text; those of the game when left out */
  readonly rules?: string
}

const GENESIS_AT = 1_799_000_001
const CLOSES_BEFORE = 600

/**
 * An operator for tests, with keys, seeds and secrets that are the same in every run: makes an honest log with real
 * signatures, on a local chain or a given one. What dishonest operators do is changed afterwards, by `resigned`.
 */
export class OperatorFixture {
  readonly name: string
  readonly notes: string[] = []
  readonly chain: Chain
  /** texts of rules by their hash */
  readonly rules = new Map<string, string>()
  #keySeed: Uint8Array
  #time: number
  readonly #chainSecret = beaconSecretKey(fixedBytes('chain', 48))

  constructor(options: { name?: string; chain?: Chain; keySeed?: Uint8Array; time?: number } = {}) {
    const { name = 'lottery.example', chain, keySeed, time = startOf(0) - 30 * 86_400 } = options
    this.name = name
    this.#time = time
    this.#keySeed = keySeed ?? fixedBytes('operator key')
    this.chain = chain ?? localChain({ publicKey: beaconPublicKey(this.#chainSecret), genesisAt: GENESIS_AT })
    this.append({ type: 'log', key: toHex(this.publicKey) })
    this.append(chainFields(this.chain))
  }

  get publicKey(): Uint8Array {
    return signingPublicKey(this.#keySeed)
  }

  get keySeed(): Uint8Array {
    return this.#keySeed
  }

  /** Appends a statement. @returns its hash */
  append(fields: LoggedFields, time = this.#time): string {
    this.#time = time
    const last = this.notes.at(-1)
    const prev = last === undefined ? NO_HASH : statementHash(textOf(last))
    const text = statementText({ ...fields, operator: this.name, seq: this.notes.length, prev, time })
    this.notes.push(this.sign(text))
    return statementHash(text)
  }

  /** Signs a text as a note with the key in force. */
  sign(text: string): string {
    return signNote(text, { name: this.name, secretSeed: this.#keySeed })
  }

  /** Changes the key; the statement is signed by both. */
  changeKey(keySeed: Uint8Array, time = this.#time): void {
    const last = this.notes.at(-1) ?? ''
    const [old, renewed] = [this.#keySeed, keySeed]
    const key = toHex(signingPublicKey(renewed))
    const seq = this.notes.length
    const text = statementText({ type: 'key', operator: this.name, seq, prev: statementHash(textOf(last)), time, key })
    const lines = [old, renewed].map((secret) =>
      signatureLine({ name: this.name, publicKey: signingPublicKey(secret) }, signText(text, secret)),
    )
    this.notes.push(noteOf(text, lines))
    this.#keySeed = keySeed
    this.#time = time
  }

  /** Opens a draw and knows already who plays in it. */
  open(number: number, plays: readonly PlayFixture[], options: OpenFixture = {}): DrawFixture {
    const { game: key = 'bitcoin-lotto', witness = { required: 0, list: [] }, startAt = startOf(number) } = options
    const { time, rules = rulesText(gameOf(key)) } = options
    const { pick, pool } = parseStatementOf('rules', rules)
    this.rules.set(statementHash(rules), rules)
    const seed = options.seed ?? fixedBytes(`seed of ${key} ${number}`)
    const fields = {
      type: 'open',
      game: key,
      draw: number,
      pick,
      pool,
      close: startAt - CLOSES_BEFORE,
      start: startAt,
      chain: this.chain.hash,
      round: roundOf(startAt, this.chain),
      seedhash: toHex(seedHash(seed)),
      rules: statementHash(rules),
      witness,
    } as const
    const openHash = this.append(fields, time)
    return drawOf({ game: key, number, openHash, seed }, plays)
  }

  /** Seals a draw, some seconds after its sales closed. @returns the close hash */
  close(
    draw: DrawFixture,
    options: Partial<Pick<StatementOf<'close'>, 'round' | 'time' | 'stake' | keyof typeof FIGURES>> = {},
  ): string {
    const { time, ...figures } = options
    const open = this.openOf(draw)
    return this.append(
      {
        type: 'close',
        open: draw.openHash,
        round: open.round,
        entries: draw.entries.length,
        free: draw.free,
        root: draw.root,
        seed: toHex(draw.seed),
        stake: 12_000n * BigInt(draw.entries.length - draw.free),
        ...FIGURES,
        ...figures,
      },
      time ?? open.close + 4,
    )
  }

  /** Postpones a draw at a moment, by the rules. @returns the new round */
  postpone(draw: DrawFixture, reason: 'outage' | 'witness', time: number): bigint {
    const start = Math.ceil((time + 900) / 60) * 60
    const round = roundOf(start, this.chain)
    this.append({ type: 'postpone', open: draw.openHash, reason, start, round }, time)
    return round
  }

  /** The signature of a round of the local chain, hex. */
  signatureOf(round: bigint): string {
    return signRound(this.#chainSecret, round)
  }

  /** Draws and settles a sealed draw. */
  result(draw: DrawFixture, closeHash: string, options: { signature?: string; time?: number } = {}): string {
    const close = parseStatementOf('close', this.textOf(closeHash))
    const open = this.openOf(draw)
    const signature = options.signature ?? this.signatureOf(close.round)
    const time = options.time ?? Math.max(this.#time, open.start) + 125
    const rules = this.rulesOf(draw)
    return this.append(honestResult({ open, close, rules, signature, entries: draw.entriesBytes }), time)
  }

  /** Everything from the seal to the result of a draw that goes as planned. @returns the close hash */
  settle(draw: DrawFixture): string {
    const closeHash = this.close(draw)
    this.result(draw, closeHash)
    return closeHash
  }

  /** A play's receipt as `GET /plays/{play_id}/receipt` answers it: with its path once a close hash is given. */
  receipt(draw: DrawFixture, place: number, closeHash: string | null, time = this.openOf(draw).time + 60): OwnReceipt {
    const play = draw.plays[place]
    assert(play !== undefined, `no play ${place}`)
    const entries = play.lines.map((numbers, line) => ({
      id: toHex(play.ids[line] ?? new Uint8Array()),
      kind: line < play.free ? ENTRY_KIND.free : ENTRY_KIND.paid,
      numbers,
    }))
    const receipt = this.sign(
      statementText({
        type: 'receipt',
        operator: this.name,
        time,
        open: draw.openHash,
        order: `order-${draw.number}-${place}`,
        player: play.username,
        secret: toHex(play.secret),
        entries,
      }),
    )
    if (closeHash === null) return { receipt, close: null, entries: [] }
    const tree = new MerkleTree(concatBytes(...draw.entries.map((entry) => leafHash(fromHex(draw.openHash), entry))))
    const proofs = entries.map(({ id }) => {
      const index = draw.entries.findIndex((entry) => toHex(entry.id) === id)
      return { id, index, size: tree.size, path: tree.path(index).map(toHex) }
    })
    return { receipt, close: this.noteOf(closeHash), entries: proofs }
  }

  /** The bundle of a draw as its calls give it now. */
  bundle(draw: DrawFixture, more: Partial<Bundle> = {}): Bundle {
    const texts = this.notes.map((note) => parseStatement(textOf(note)))
    const close = texts.findLast((statement) => statement.type === 'close' && statement.open === draw.openHash)
    const hash = close === undefined ? null : statementHash(statementText(close))
    const result = texts.find((statement) => statement.type === 'result' && statement.close === hash)
    return {
      game: draw.game,
      draw: draw.number,
      log: [...this.notes],
      rules: this.textOfRules(draw),
      witnesses: [],
      beacon:
        result?.type === 'result' && close?.type === 'close'
          ? { round: close.round, signature: result.signature }
          : null,
      entries: close === undefined ? null : draw.entriesBytes,
      own: null,
      ...more,
    }
  }

  openOf(draw: DrawFixture): StatementOf<'open'> {
    return parseStatementOf('open', this.textOf(draw.openHash))
  }

  rulesOf(draw: DrawFixture): StatementOf<'rules'> {
    return parseStatementOf('rules', this.textOfRules(draw))
  }

  /** The note of a statement by its hash. */
  noteOf(hash: string): string {
    const note = this.notes.find((one) => statementHash(textOf(one)) === hash)
    assert(note !== undefined, `no statement ${hash}`)
    return note
  }

  /** Signs what this log does not hold yet, and somebody may have already. @param make adds it @returns its note */
  unpublished(make: () => string): string {
    const length = this.notes.length
    const note = this.noteOf(make())
    this.notes.splice(length)
    return note
  }

  textOf(hash: string): string {
    return textOf(this.noteOf(hash))
  }

  textOfRules(draw: DrawFixture): string {
    return this.rules.get(this.openOf(draw).rules) ?? ''
  }
}

/** A witness for tests. */
export class WitnessFixture {
  readonly name: string
  readonly #secret: Uint8Array

  constructor(name: string) {
    this.name = name
    this.#secret = fixedBytes(`witness ${name}`)
  }

  /** hex, as the `witness` line of an open statement has it */
  get publicKey(): string {
    return toHex(signingPublicKey(this.#secret))
  }

  /** The signature line over a note's text. */
  line(note: string, at: number): string {
    const signature = signText(witnessedText(textOf(note), at), this.#secret)
    return witnessSignatureLine({ name: this.name, publicKey: signingPublicKey(this.#secret) }, at, signature)
  }
}

function chainFields(chain: Chain): LoggedFields {
  return {
    type: 'chain',
    name: chain.name,
    hash: chain.hash,
    public_key: chain.publicKey,
    period: chain.periodSeconds,
    genesis: chain.genesisAt,
    group_hash: chain.groupHash,
    beacon_id: chain.beaconId,
    scheme: chain.scheme,
  }
}
