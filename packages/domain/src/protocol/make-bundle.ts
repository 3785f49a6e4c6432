import { assert } from '../assert.ts'
import type { Bundle, BundleDraw, BundlePaper, BundleStatement, Seal, Tail } from './bundle.ts'
import { toHex } from './bytes.ts'
import { readCheckpoint } from './checkpoint.ts'
import type { Hash } from './hash.ts'
import type { Logged } from './known-log.ts'
import type { StatementOf } from './statements.ts'
import { consistencyNodes, foldPeaks, inclusionNodes, peakNodes, type TreeNode } from './tree.ts'

/** Makes bundles (section 12) from a log in a database, in files or served by an operator. */

/** The log that a bundle is made from. */
export interface LogSource {
  /** note of the checkpoint that is the bundle's head */
  readonly head: string
  statement(index: number): Promise<string>
  /** the root of a perfect subtree that the head contains completely */
  node(node: TreeNode): Promise<Uint8Array>
}

/** The contents of a bundle that the log does not supply. */
interface BundleRequest {
  /** indexes of statements, from `chooseStatements` */
  readonly statements: readonly number[]
  readonly texts: readonly string[]
  readonly draws: readonly DrawRequest[]
  readonly papers: readonly BundlePaper[]
}

export interface DrawRequest extends Pick<BundleDraw, 'open' | 'beacon' | 'plays'> {
  /** as served, with empty `consistency` */
  readonly postpones: readonly Seal[]
  readonly seal: Seal | null
  /** of the result or void; null if there is none yet */
  readonly final: number | null
}

/** Makes a bundle: the paths of its statements, the tails, and a proof from each checkpoint to the head. */
export async function makeBundle(source: LogSource, request: BundleRequest, hash: Hash): Promise<Bundle> {
  const log = new Prover(source, hash)
  const statements: BundleStatement[] = []
  for (const index of request.statements.toSorted((one, other) => one - other)) {
    statements.push({ index, text: await source.statement(index), path: await log.path(index) })
  }
  const draws: BundleDraw[] = []
  for (const draw of request.draws) draws.push(await drawOf(log, draw))
  return { head: source.head, statements, texts: request.texts, draws, papers: request.papers }
}

/**
 * Makes the seal of a checkpoint: the range of statements from a start up to its size. `consistency` stays empty, as in
 * a served seal.
 */
export async function makeSeal(source: LogSource, checkpoint: string, start: number, hash: Hash): Promise<Seal> {
  const size = sizeOf(checkpoint)
  const log = new Prover(source, hash)
  return {
    checkpoint,
    start,
    left: await log.left(start),
    statements: await log.statements(start, size),
    consistency: [],
  }
}

/**
 * Chooses the statements of a bundle (section 12): `log` and all `key`; for each draw its `game`, `chain`, `open`, the
 * `sold` that is named, its closes, its result or void, and the statement that `last` names with those that determine
 * its game; all `paid` that name the draws.
 *
 * @param log all statements, or at least those of the draws and those they name
 * @param opens hashes of the draws' `open`
 * @returns indexes, ascending
 */
export function chooseStatements(log: readonly Logged[], opens: readonly string[]): number[] {
  const chosen = new Set<number>()
  const byHash = new Map(log.map((logged) => [logged.hash, logged]))
  const take = (hash: string): Logged | undefined => {
    const logged = byHash.get(hash)
    if (logged !== undefined) chosen.add(logged.index)
    return logged
  }
  const takeWithGame = (hash: string): void => {
    const statement = take(hash)?.statement
    if (statement?.type === 'result') takeWithGame(statement.close)
    else if (statement?.type === 'close' || statement?.type === 'void') take(statement.open)
  }
  const draws = log.flatMap(({ hash, statement }) =>
    statement.type === 'open' && opens.includes(hash) ? [statement] : [],
  )
  for (const logged of log) {
    const { statement } = logged
    if (!isOfBundle(logged, draws, opens, byHash)) continue
    chosen.add(logged.index)
    if (statement.type === 'close') take(statement.sold)
    if ('last' in statement) takeWithGame(statement.last)
  }
  return [...chosen].toSorted((one, other) => one - other)
}

/** Whether a bundle of these draws needs a statement that none of them names. */
function isOfBundle(
  { hash, statement }: Logged,
  draws: readonly StatementOf<'open'>[],
  opens: readonly string[],
  byHash: ReadonlyMap<string, Logged>,
): boolean {
  switch (statement.type) {
    case 'log':
    case 'key':
      return true
    case 'chain':
      return draws.some((draw) => draw.chain === statement.chain)
    case 'game':
      // Other rules too: without newer rules nobody can see that the draw ignored them.
      return draws.some((draw) => draw.game === statement.game)
    case 'open':
      return opens.includes(hash)
    case 'close':
    case 'void':
      return opens.includes(statement.open)
    case 'result': {
      const close = byHash.get(statement.close)?.statement
      return close?.type === 'close' && opens.includes(close.open)
    }
    case 'paid':
      return statement.draw.some(({ open }) => opens.includes(open))
    case 'sold':
    case 'postpone':
    case 'solvency':
    case 'code':
      return false
  }
}

async function drawOf(log: Prover, { final, seal, postpones, ...draw }: DrawRequest): Promise<BundleDraw> {
  const sealed = seal === null ? null : await log.continued(seal)
  const delays: Seal[] = []
  for (const postpone of postpones) delays.push(await log.continued(postpone))
  return { ...draw, postpones: delays, seal: sealed, tail: await tailOf(log, seal, final) }
}

/** The statements from a seal to the one that ends the draw; null without either, or if the seal contains it. */
async function tailOf(log: Prover, seal: Seal | null, final: number | null): Promise<Tail | null> {
  if (seal === null || final === null) return null
  const end = sizeOf(seal.checkpoint)
  return final < end ? null : await log.tail(end, final + 1)
}

/** Makes proofs towards the head of one log. */
class Prover {
  readonly #source: LogSource
  readonly #hash: Hash
  readonly #size: number

  constructor(source: LogSource, hash: Hash) {
    this.#source = source
    this.#hash = hash
    this.#size = sizeOf(source.head)
  }

  async path(index: number): Promise<string[]> {
    return this.#fold(inclusionNodes(index, this.#size))
  }

  /** The hashes to the left of a range. */
  async left(start: number): Promise<string[]> {
    return this.#fold(peakNodes(0, start).map((node) => [node]))
  }

  async statements(start: number, end: number): Promise<string[]> {
    const texts: string[] = []
    for (let index = start; index < end; index += 1) texts.push(await this.#source.statement(index))
    return texts
  }

  async continued(seal: Seal): Promise<Seal> {
    return { ...seal, consistency: await this.#consistency(sizeOf(seal.checkpoint)) }
  }

  async tail(start: number, end: number): Promise<Tail> {
    return {
      left: await this.left(start),
      statements: await this.statements(start, end),
      consistency: await this.#consistency(end),
    }
  }

  async #consistency(size: number): Promise<string[]> {
    return this.#fold(consistencyNodes(size, this.#size))
  }

  async #fold(path: readonly (readonly TreeNode[])[]): Promise<string[]> {
    const hashes: string[] = []
    for (const nodes of path) {
      const peaks = await Promise.all(nodes.map((node) => this.#source.node(node)))
      hashes.push(toHex(foldPeaks(this.#hash, peaks)))
    }
    return hashes
  }
}

function sizeOf(note: string): number {
  const checkpoint = readCheckpoint(note)
  assert(checkpoint !== null, 'not a checkpoint')
  return checkpoint.size
}
