import type { Bundle } from '@fairball/domain/protocol/bundle'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { QUICKNET, randomnessOf, roundDueAt } from '@fairball/domain/protocol/chain'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { textHash } from '@fairball/domain/protocol/hash'
import { cosignedAt } from '@fairball/domain/protocol/note'
import { COSIGNED_BEFORE_SECONDS, SEALED_BEFORE_DUE_SECONDS } from '@fairball/domain/protocol/numbers'
import { type Policy, readPolicy } from '@fairball/domain/protocol/policy'
import { readOrNull } from '@fairball/domain/protocol/read-or-null'
import type { DrawReport } from '@fairball/domain/protocol/report'
import { readRules, type Rules } from '@fairball/domain/protocol/rules'
import { drawKey, type SampledByte, sampleNumbers, streamBytes } from '@fairball/domain/protocol/sampler'
import type { ResultTier } from '@fairball/domain/protocol/statement-codecs'
import {
  isStatementError,
  type LogStatement,
  readLogStatement,
  type StatementOf,
} from '@fairball/domain/protocol/statements'

/** A statement and its hash. */
interface Named<S> {
  readonly hash: string
  readonly statement: S
}

/** The log of a bundle. */
export interface LogFacts {
  readonly origin: string
  readonly size: number
  /** hex, in the order of the log */
  readonly keys: readonly string[]
}

/** One ball, and the bytes of the stream it used. */
export interface DerivedBall {
  /** Its place among the remaining balls, from 0. */
  readonly place: number
  readonly number: number
  readonly bytes: readonly SampledByte[]
}

/** The derivation of the numbers from seed and randomness; all but round and pool are hex. */
export interface Derivation {
  readonly seed: string
  readonly openHash: string
  readonly closeHash: string
  readonly round: number
  readonly signature: string
  readonly randomness: string
  readonly key: string
  readonly pool: number
  readonly balls: readonly DerivedBall[]
}

/** The round of the random number that decides. */
interface RoundFacts {
  readonly number: number
  /** epoch seconds */
  readonly dueAt: number
  /** Whether it is of the public beacon, and not of one that the operator runs. */
  readonly isPublic: boolean
}

/** The content of a draw's statements, to show beside the report. Only the report verifies it. */
export interface DrawFacts {
  readonly log: LogFacts | null
  readonly game: string | null
  readonly number: number | null
  /**
   * When sales close and the draw starts, by its newest postponement, epoch seconds; null if it is not announced here.
   */
  readonly closesAt: number | null
  readonly startAt: number | null
  /** When its rules were fixed, and when it ended with its result or void, by the statements, epoch seconds. */
  readonly openedAt: number | null
  readonly endedAt: number | null
  readonly round: RoundFacts | null
  /** Names of the witnesses whose signatures on the sealed list were verified and are in time. */
  readonly witnesses: readonly string[]
  readonly close: { readonly hash: string; readonly at: number; readonly size: number; readonly lines: number } | null
  readonly isVoid: boolean
  /** The numbers in the order drawn, as the operator signed them; null before the result. */
  readonly published: readonly number[] | null
  /** As the operator signed them; null before the result. */
  readonly tiers: readonly ResultTier[] | null
  /** Null if there are no numbers. */
  readonly derivation: Derivation | null
}

/** Reads the facts of one draw from a bundle. */
export function drawFacts(
  bundle: Bundle,
  { open: openHash, numbers }: Pick<DrawReport, 'open' | 'numbers'>,
  trusted: Policy | null,
): DrawFacts {
  const draw = bundle.draws.find(({ open }) => open === openHash)
  const texts = [
    ...bundle.statements.map(({ text }) => text),
    ...(draw?.seal?.statements ?? []),
    ...(draw?.tail?.statements ?? []),
  ]
  const statements = texts.flatMap(namedOf)
  const open = ofType(statements, 'open').find(({ hash }) => hash === openHash)
  const result = ofType(statements, 'result').find(({ statement }) =>
    ofType(statements, 'close').some((close) => close.hash === statement.close && close.statement.open === openHash),
  )
  const closes = ofType(statements, 'close').filter(({ statement }) => statement.open === openHash)
  const close = closes.find(({ hash }) => hash === result?.statement.close) ?? closes.at(-1)
  const postpone = ofType(statements, 'postpone').findLast(({ statement }) => statement.open === openHash)
  const end = ofType(statements, 'void').find(({ statement }) => statement.open === openHash)
  const rules = rulesIn(bundle, open?.statement.rules)
  const round = open === undefined ? null : roundFacts(statements, open.statement, close ?? postpone ?? open)
  return {
    log: logFacts(bundle, statements),
    game: open?.statement.game ?? null,
    number: open?.statement.draw ?? null,
    closesAt: open?.statement.close ?? null,
    startAt: postpone?.statement.start ?? open?.statement.start ?? null,
    openedAt: open?.statement.time ?? null,
    endedAt: (result ?? end)?.statement.time ?? null,
    round,
    witnesses:
      close === undefined || round === null
        ? []
        : witnessesOf(draw?.seal?.checkpoint, [trusted, policyIn(bundle, open?.statement.policy)], {
            from: close.statement.time - COSIGNED_BEFORE_SECONDS,
            until: round.dueAt - SEALED_BEFORE_DUE_SECONDS,
          }),
    close:
      close === undefined
        ? null
        : {
            hash: close.hash,
            at: close.statement.time,
            size: close.statement.size,
            lines: close.statement.lines,
          },
    isVoid: end !== undefined,
    published: result?.statement.numbers ?? null,
    tiers: result?.statement.tier ?? null,
    derivation:
      numbers === null || close === undefined || draw?.beacon == null
        ? null
        : derivationOf(close, draw.beacon.signature, rules),
  }
}

function roundFacts(
  statements: readonly Named<LogStatement>[],
  { chain: chainHash }: StatementOf<'open'>,
  { statement: { round } }: { readonly statement: { readonly round: number } },
): RoundFacts | null {
  const isPublic = chainHash === QUICKNET.hash
  const chain = isPublic
    ? QUICKNET
    : ofType(statements, 'chain').find(({ statement }) => statement.chain === chainHash)?.statement
  return chain === undefined ? null : { number: round, dueAt: roundDueAt(chain, round), isPublic }
}

/** Names the witnesses of some policies that signed a checkpoint in time, each once. */
function witnessesOf(
  checkpoint: string | undefined,
  policies: readonly (Policy | null)[],
  { from, until }: { readonly from: number; readonly until: number },
): string[] {
  const note = checkpoint === undefined ? null : readCheckpoint(checkpoint)?.note
  if (note == null) return []
  const signed = policies
    .flatMap((policy) => policy?.witnesses ?? [])
    .filter((witness) => cosignedAt(note, witness).some((at) => at >= from && at <= until))
  return [...new Set(signed.map(({ name }) => name))]
}

function policyIn({ texts }: Bundle, hash: string | undefined): Policy | null {
  const text = textIn(texts, hash)
  return text === undefined ? null : readOrNull(() => readPolicy(text))
}

function logFacts({ head }: Bundle, statements: readonly Named<LogStatement>[]): LogFacts | null {
  const checkpoint = readCheckpoint(head)
  if (checkpoint === null) return null
  const keys = statements.flatMap(({ statement }) =>
    statement.type === 'log' || statement.type === 'key' ? [statement.key] : [],
  )
  return { origin: checkpoint.origin, size: checkpoint.size, keys: [...new Set(keys)] }
}

function derivationOf(
  { hash, statement: close }: Named<StatementOf<'close'>>,
  signature: string,
  rules: Rules | null,
): Derivation | null {
  if (rules === null) return null
  const randomness = randomnessOf(fromHex(signature))
  const key = drawKey({
    seed: fromHex(close.seed),
    openHash: fromHex(close.open),
    closeHash: fromHex(hash),
    round: close.round,
    randomness,
  })
  return {
    seed: close.seed,
    openHash: close.open,
    closeHash: hash,
    round: close.round,
    signature,
    randomness: toHex(randomness),
    key: toHex(key),
    pool: rules.pool,
    balls: ballsOf(key, rules),
  }
}

function ballsOf(key: Uint8Array, rules: Rules): DerivedBall[] {
  const steps: SampledByte[] = []
  const numbers = sampleNumbers(streamBytes(key), rules, (step) => steps.push(step))
  const balls: DerivedBall[] = []
  let bytes: SampledByte[] = []
  for (const step of steps) {
    bytes.push(step)
    if (!step.used) continue
    balls.push({ place: step.byte % step.remaining, number: numbers[balls.length] ?? 0, bytes })
    bytes = []
  }
  return balls
}

function rulesIn({ texts }: Bundle, hash: string | undefined): Rules | null {
  const text = textIn(texts, hash)
  return text === undefined ? null : readOrNull(() => readRules(text))
}

function textIn(texts: readonly string[], hash: string | undefined): string | undefined {
  return texts.find((one) => /^[\x00-\x7f]*$/.test(one) && textHash(one) === hash)
}

function namedOf(text: string): Named<LogStatement>[] {
  try {
    const statement = readLogStatement(text)
    return [{ hash: textHash(text), statement }]
  } catch (error) {
    if (isStatementError(error)) return [] // the report says so
    throw error
  }
}

function ofType<T extends LogStatement['type']>(
  statements: readonly Named<LogStatement>[],
  type: T,
): Named<StatementOf<T> & LogStatement>[] {
  return statements.filter((one): one is Named<StatementOf<T> & LogStatement> => one.statement.type === type)
}
