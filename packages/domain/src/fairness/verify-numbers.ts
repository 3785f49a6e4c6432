import { fromHex, toHex } from './bytes.ts'
import { randomnessOf } from './chain.ts'
import { failed, type Finding, inputs, passed, StepChecks, timeText, unchecked } from './checks.ts'
import { dueAtOf, type DrawRecord, type KnownChain } from './draw-record.ts'
import type { HashFunctions } from './hash.ts'
import type { LoggedNoteOf } from './log.ts'
import type { DerivedBall, Derivation, Step } from './report.ts'
import { drawKey, sampleNumbers, type SampledByte, streamBytes } from './sampler.ts'

/** The title of step 5, for a report that could not get so far as well. */
export const NUMBERS_TITLE = 'The numbers'

/** The numbers of a draw by this verifier's own arithmetic, or why there are none. */
export interface Derived {
  readonly derivation: Derivation | null
  /** why there is no derivation; empty where there is one */
  readonly reason: string
}

/**
 * Derives the numbers of a draw from its seal and its round (fairness section 8).
 *
 * @param signature a valid one of the round in force, hex; null where none is in hand
 * @param isSeedRight whether the seed in the seal is the one that was fixed when the draw opened
 */
export function deriveNumbers(
  { open, close, isReopened, round }: DrawRecord,
  { signature, isSeedRight }: { readonly signature: string | null; readonly isSeedRight: boolean },
  hash: HashFunctions,
): Derived {
  if (close === null) return { derivation: null, reason: 'The draw was not sealed.' }
  if (isReopened)
    return { derivation: null, reason: 'The draw was postponed after its seal; another seal has to follow.' }
  if (!isSeedRight) return { derivation: null, reason: 'The seed is not the one that was fixed when the draw opened.' }
  if (signature === null) return { derivation: null, reason: 'No valid signature of the round is in hand.' }
  if (close.statement.round !== round) return { derivation: null, reason: 'The seal names another round.' }
  const randomness = randomnessOf(fromHex(signature))
  const { seed } = close.statement
  const sources = {
    seed: fromHex(seed),
    openHash: fromHex(open.hash),
    closeHash: fromHex(close.hash),
    round,
    randomness,
  }
  const key = drawKey(sources, hash)
  const { pick, pool } = open.statement
  const derivation = {
    seed,
    openHash: open.hash,
    closeHash: close.hash,
    round,
    signature,
    randomness: toHex(randomness),
    key: toHex(key),
    pool,
    balls: ballsOf(key, { pick, pool }, hash),
  }
  return { derivation, reason: '' }
}

/** Step 5: the numbers in the result are those that follow (fairness section 10). */
export function verifyNumbersStep(record: DrawRecord, known: KnownChain | null, { derivation, reason }: Derived): Step {
  const step = new StepChecks('numbers', NUMBERS_TITLE)
  const [result] = record.results
  const drawn = derivation?.balls.map(({ number }) => number) ?? null
  step.add(
    'derived',
    'The numbers follow from seed, seal and randomness',
    derivedFinding(record, drawn, reason),
    inputs({
      'numbers by this arithmetic': drawn?.join(', '),
      'numbers in the result': result?.statement.numbers.join(', '),
      'key of the draw': derivation?.key,
    }),
  )
  step.add('result', 'There is one result, made after the round', resultFinding(record, known), [
    ...inputs({ 'result hash': result?.hash, 'result made': result && timeText(result.statement.time) }),
  ])
  return step.step()
}

function derivedFinding(record: DrawRecord, drawn: readonly number[] | null, reason: string): Finding {
  if (drawn === null) return unchecked(reason)
  const [result] = record.results
  if (record.state === 'void') return unchecked('The draw is void: its numbers count for nothing.')
  if (result === undefined) return unchecked('The result is not in the log yet. These are the numbers it has to have.')
  return result.statement.numbers.join() === drawn.join()
    ? passed('They are the same, in the same order.')
    : failed('The result has other numbers.')
}

function resultFinding({ results, close, isReopened }: DrawRecord, known: KnownChain | null): Finding {
  const [result] = results
  if (result === undefined) return unchecked('The result is not in the log yet.')
  if (results.length > 1) return failed(`The log holds ${results.length} results of this draw.`)
  if (close === null || isReopened || !namesLater(result, close)) return failed('It does not name the seal in force.')
  const dueAt = known === null ? null : dueAtOf(close.statement.round, known.chain)
  if (dueAt === null) return unchecked('When its round was due is not known.')
  return result.statement.time < dueAt
    ? failed(`It was made before the round was due, ${timeText(dueAt)}.`)
    : passed('It names the seal in force.')
}

function namesLater({ statement }: LoggedNoteOf<'result'>, close: LoggedNoteOf<'close'>): boolean {
  return statement.close === close.hash && statement.seq > close.statement.seq
}

/** The balls with the bytes that led to each: those thrown away and the one that chose it. */
function ballsOf(
  key: Uint8Array,
  sampling: { readonly pick: number; readonly pool: number },
  hash: HashFunctions,
): DerivedBall[] {
  const bytes: SampledByte[] = []
  const numbers = sampleNumbers(streamBytes(key, hash), sampling, (byte) => bytes.push(byte))
  const uses = bytes.flatMap(({ used }, place) => (used ? [place] : []))
  return numbers.map((number, place) => {
    const last = uses[place] ?? 0
    const first = place === 0 ? 0 : (uses[place - 1] ?? 0) + 1
    const chosen = bytes[last]
    return {
      number,
      bytes: bytes.slice(first, last + 1),
      place: chosen === undefined ? 0 : chosen.byte % chosen.remaining,
    }
  })
}
