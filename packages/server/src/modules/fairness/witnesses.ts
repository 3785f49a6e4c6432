import { toHex } from '@fairball/domain/protocol/bytes'
import { cosignedAt, readNote } from '@fairball/domain/protocol/note'
import { type PolicyWitness, readPolicy } from '@fairball/domain/protocol/policy'
import type { Queries } from '../../db/pool.ts'
import { addCheckpoint, WitnessFailed } from '../../ports/witness/witness.ts'
import type { FairnessContext } from './context.ts'
import * as logQueries from './queries.ts'
import { consistencyPath, LOG_TREE } from './trees.ts'
import * as queries from './witness-queries.ts'

/**
 * Witnesses (docs/fairness.md, section 3): outsiders that cosign heads of the log that continue the last one they saw.
 */

/** The statements sealed by their own checkpoint: a witness is asked for that one too, as long as it is useful. */
const SEALED_TYPES = ['close', 'postpone', 'void']
const SEALED_WITHIN_SECONDS = 3600

/** A witness has cosigned more of this log than the database holds: published statements are missing. */
export class WitnessAhead extends Error {
  override readonly name = 'WitnessAhead'
  readonly witness: string
  /** statements that it has cosigned */
  readonly size: number
  /** statements that the database holds */
  readonly known: number

  constructor(witness: string, size: number, known: number) {
    super(`it has cosigned ${size} statements`)
    this.witness = witness
    this.size = size
    this.known = known
  }
}

/** What a witness failed to do, and why. */
export interface MissingCosignature {
  readonly witness: string
  readonly error: unknown
}

interface ReachableWitness extends PolicyWitness {
  readonly url: string
}

/**
 * Has all witnesses cosign the newest checkpoint, and those of closes and postponements that they have not seen, each
 * at its own pace. They are not asked again for what they cosigned.
 *
 * @returns those that did not, with the reason
 */
export async function cosign(ctx: FairnessContext): Promise<MissingCosignature[]> {
  const head = await ctx.db.maybeOne(logQueries.findHead, [])
  if (head === null) return []
  const witnesses = await witnessesOf(ctx)
  const outcomes = await Promise.allSettled(witnesses.map((witness) => cosignBy(ctx, witness, head.index + 1)))
  return outcomes.flatMap((outcome, place) =>
    outcome.status === 'rejected' ? [{ witness: witnesses[place]?.name ?? '', error: outcome.reason as unknown }] : [],
  )
}

/** The witnesses of the policy for new draws and of those that open draws name, each once. */
export async function witnessesOf({ db, policy }: FairnessContext): Promise<ReachableWitness[]> {
  const policies = [policy, ...(await db.run(queries.listOpenPolicies, [])).map(({ text }) => text)]
  const named = policies.flatMap((text) => readPolicy(text).witnesses).filter(isReachable)
  return [...new Map(named.map((witness) => [toHex(witness.publicKey), witness])).values()]
}

function isReachable(witness: PolicyWitness): witness is ReachableWitness {
  return witness.url !== null
}

async function cosignBy(ctx: FairnessContext, witness: ReachableWitness, newest: number): Promise<void> {
  const { size: cosigned } = await ctx.db.one(queries.findCosignedSize, [toHex(witness.publicKey)])
  let known = cosigned ?? 0
  for (const size of await sizesFor(ctx, known, newest)) {
    if (size > known) known = await cosignSize(ctx, witness, known, size, newest)
  }
}

/** The heads that a witness is asked for: those that seal something, and the newest one. */
async function sizesFor({ db, runtime }: FairnessContext, known: number, newest: number): Promise<number[]> {
  if (known >= newest) return []
  const since = runtime.clock.now() - SEALED_WITHIN_SECONDS
  const rows = await db.run(queries.listSizesOf, [SEALED_TYPES, since, known])
  return [...new Set([...rows.map(({ size }) => size).filter((size) => size < newest), newest])]
}

/**
 * Asks for a cosignature of one checkpoint, from the size that the witness knows, or else from the one it reports.
 *
 * @returns the size that it knows now
 * @throws WitnessAhead, WitnessFailed
 */
async function cosignSize(
  ctx: FairnessContext,
  witness: ReachableWitness,
  known: number,
  size: number,
  newest: number,
): Promise<number> {
  const { note } = await ctx.db.one(queries.findCheckpoint, [size])
  const ask = async (old: number) => {
    const proof = await consistencyPath(ctx.db, LOG_TREE, old, size)
    return await addCheckpoint(ctx.runtime, witness.url, { old, proof, checkpoint: note })
  }
  let answer = await ask(known)
  if ('knows' in answer) {
    if (answer.knows > newest) throw new WitnessAhead(witness.name, answer.knows, newest)
    if (answer.knows > size) return answer.knows
    answer = await ask(answer.knows)
  }
  if ('knows' in answer) throw new WitnessFailed(`it says now that it knows ${answer.knows} statements`)
  await keepCosignature(ctx.db, witness, { size, note }, answer.lines)
  return size
}

/** Keeps the first line that is this witness's cosignature of the checkpoint. @throws WitnessFailed if there is none */
async function keepCosignature(
  db: Queries,
  witness: PolicyWitness,
  { size, note }: { readonly size: number; readonly note: string },
  lines: readonly string[],
): Promise<void> {
  const text = readNote(note)?.text ?? ''
  for (const line of lines) {
    const cosigned = readNote(`${text}\n${line}\n`)
    const [at] = cosigned === null ? [] : cosignedAt(cosigned, witness)
    if (at === undefined) continue
    await db.execute(queries.insertCosignature, [size, toHex(witness.publicKey), at, line])
    return
  }
  throw new WitnessFailed('its answer has no valid cosignature')
}
