import { SECTION_LEAVES } from '@fairball/domain/protocol/numbers'
import { leavesOfSection, type SectionRecord } from '@fairball/domain/protocol/sections'
import type { StatementOf } from '@fairball/domain/protocol/statements'
import type { Tx } from '../../db/pool.ts'
import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import { readStatementOf } from '../fairness/service.ts'
import type { DrawsContext } from './context.ts'
import { rulesOfDraw } from './guarantee.ts'
import { drawnFigures, type Outcome, outcomeOf, winningOf } from './outcome.ts'
import {
  countPart,
  countPartsLeft,
  countWinsOfParts,
  insertParts,
  insertWinsOfPart,
  listParts,
  markPartWritten,
  type PartRow,
  removeParts,
} from './parts-queries.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'

// A large draw is settled in parts: first all are counted, then, with prizes that are known, their wins are written, each
// part in a job and a transaction of its own. What players see comes in one transaction at the end (decision 112).

const COUNT_PART = 'draws.count-part'
const WRITE_PART = 'draws.write-part'
/** The job that settles a draw whose parts are all written. */
export const FINISH_SETTLING = 'draws.finish-settling'
/** Lines of a part: it takes a fraction of a second, so that other jobs of its lane wait no longer. */
const LINES_A_PART = 250_000
/** Chains of parts, each of which adds its next one: as many as lanes of a process take jobs of draws. */
const CHAINS = 4

/** Which part of a draw is next. */
interface Place {
  readonly drawId: bigint
  readonly part: number
  /** number of parts of the draw */
  readonly parts: number
}

/** A part after it has been counted. */
interface CountedPart extends PartRow {
  readonly lines: number
  readonly free: number
  readonly carried: number
  readonly stakeSats: bigint
  readonly winners: number[]
}

/** The number of leaves in each part of a draw: a power of two, so that no part is in two sections. */
export function leavesOfPart({ leaves, leafLines }: Pick<DrawRow, 'leaves' | 'leafLines'>, linesAPart: number): number {
  const most = Math.max(1, Math.min(SECTION_LEAVES, Math.floor((linesAPart * leaves) / leafLines)))
  return 2 ** Math.floor(Math.log2(most))
}

/** Whether a draw is settled in parts. */
export function isLarge(ctx: DrawsContext, { leafLines }: DrawRow): boolean {
  return leafLines > (ctx.linesAPart ?? LINES_A_PART)
}

/** Divides a draw, and adds the jobs that count its first parts. Nothing if that was done. */
export async function beginParts(ctx: DrawsContext, tx: Tx, row: DrawRow): Promise<void> {
  const parts = await tx.execute(insertParts, [row.id, row.leaves, leavesOfPart(row, ctx.linesAPart ?? LINES_A_PART)])
  if (parts > 0) await startChains(ctx, tx, COUNT_PART, { drawId: row.id, parts })
}

/** The jobs for the parts of a draw. Each adds the next one in its transaction. */
export function partJobs(ctx: DrawsContext): JobHandler[] {
  return [
    { kind: COUNT_PART, mode: 'transaction', run: (tx, payload) => runCount(ctx, tx, placeOf(payload)) },
    { kind: WRITE_PART, mode: 'transaction', run: (tx, payload) => runWrite(ctx, tx, placeOf(payload)) },
  ]
}

/** The sections of a draw whose wins are written, from its parts, which end with this transaction. */
export async function takeSections(
  tx: Tx,
  row: DrawRow,
  close: StatementOf<'close'>,
  roots: readonly Uint8Array[],
): Promise<SectionRecord[]> {
  const parts = countedParts(await tx.run(listParts, [row.id]))
  assertWhole(parts, row, close)
  await tx.execute(removeParts, [row.id])
  const bySection = Map.groupBy(parts, ({ firstLeaf }) => Math.floor(firstLeaf / SECTION_LEAVES))
  return roots.map((root, section) => {
    const own = bySection.get(section) ?? []
    const sum = (of: (part: CountedPart) => number): number => own.reduce((total, part) => total + of(part), 0)
    return {
      section,
      root,
      leaves: leavesOfSection(section, row.leaves),
      lines: sum(({ lines }) => lines),
      free: sum(({ free }) => free),
      carried: sum(({ carried }) => carried),
      stake: own.reduce((total, { stakeSats }) => total + stakeSats, 0n),
      winners: (own[0]?.winners ?? []).map((_, tier) => sum(({ winners }) => winners[tier] ?? 0)),
    }
  })
}

/** @throws Error unless the wins of a draw are as many, and of as much, as its parts say: they were written earlier */
export async function assertWritten(tx: Tx, drawId: bigint, outcome: Outcome): Promise<void> {
  const { matches, winTypes, sats } = winningOf(outcome)
  const winners = outcome.winners.filter((count) => count > 0)
  const written = await tx.run(countWinsOfParts, [drawId])
  const isWhole =
    written.length === matches.length &&
    written.every((tier) => {
      const place = matches.indexOf(tier.matches)
      const isEach = tier.leastSats === sats[place] && tier.mostSats === sats[place]
      return isEach && tier.winType === winTypes[place] && tier.winners === winners[place]
    })
  if (!isWhole) throw new Error(`the wins of draw ${drawId} are not those of its parts`)
}

async function runCount(ctx: DrawsContext, tx: Tx, place: Place): Promise<void> {
  const row = await tx.one(queries.findDraw, [place.drawId])
  if (row.status !== 'drawn') return
  const { drawnMask } = drawnFigures(row)
  const matches = (await rulesOfDraw(tx, row)).tier.map((tier) => tier.matches)
  const counted = await tx.execute(countPart, {
    drawId: row.id,
    part: place.part,
    priceMinor: row.priceMinor,
    drawnMask,
    matches,
  })
  if (counted > 0) await continueChain(ctx, tx, COUNT_PART, place)
}

async function runWrite(ctx: DrawsContext, tx: Tx, place: Place): Promise<void> {
  const row = await tx.one(queries.findDraw, [place.drawId])
  if (row.status !== 'drawn') return
  const { closeHash, drawnMask } = drawnFigures(row)
  const close = await readStatementOf(tx, 'close', closeHash)
  const rules = await rulesOfDraw(tx, row)
  const parts = countedParts(await tx.run(listParts, [row.id]))
  const part = await tx.maybeOne(markPartWritten, [row.id, place.part])
  if (part === null) return
  const { firstLeaf, endLeaf } = part
  const outcome = outcomeOf(rules, close, parts)
  const written = await tx.execute(insertWinsOfPart, {
    drawId: row.id,
    firstLeaf,
    endLeaf,
    drawnMask,
    ...winningOf(outcome),
  })
  const counted = total(part.winners)
  if (written !== counted) throw new Error(`part ${place.part} of draw ${row.id} has ${written} wins, not ${counted}`)
  await continueChain(ctx, tx, WRITE_PART, place)
}

async function startChains(
  ctx: DrawsContext,
  tx: Tx,
  kind: string,
  { drawId, parts }: Omit<Place, 'part'>,
): Promise<void> {
  for (let part = 0; part < Math.min(CHAINS, parts); part += 1) await addPart(ctx, tx, kind, { drawId, part, parts })
}

/** The last job of a chain looks for what the others have left. The lock lets only the last of all find nothing. */
async function continueChain(ctx: DrawsContext, tx: Tx, kind: string, place: Place): Promise<void> {
  const { drawId, part, parts } = place
  if (part + CHAINS < parts) return await addPart(ctx, tx, kind, { drawId, part: part + CHAINS, parts })
  await tx.one(queries.lockDraw, [drawId])
  const left = await tx.one(countPartsLeft, [drawId])
  if (kind === COUNT_PART) {
    if (left.uncounted === 0) await startChains(ctx, tx, WRITE_PART, { drawId, parts })
  } else if (left.unwritten === 0) {
    await ctx.jobs.add(tx, FINISH_SETTLING, { drawId: String(drawId) }, { key: `${FINISH_SETTLING}:${drawId}` })
  }
}

async function addPart(ctx: DrawsContext, tx: Tx, kind: string, { drawId, part, parts }: Place): Promise<void> {
  await ctx.jobs.add(tx, kind, { drawId: String(drawId), part, parts }, { key: `${kind}:${drawId}:${part}` })
}

function placeOf({ drawId, part, parts }: JobPayload): Place {
  return { drawId: BigInt(String(drawId)), part: Number(part), parts: Number(parts) }
}

function countedParts(rows: readonly PartRow[]): CountedPart[] {
  return rows.map((row) => {
    const { part, lines, free, carried, stakeSats, winners } = row
    if (lines === null || free === null || carried === null || stakeSats === null || winners === null)
      throw new Error(`part ${part} is not counted`)
    return { ...row, lines, free, carried, stakeSats, winners }
  })
}

/** @throws Error unless the parts are written, follow each other from the first leaf to the last, and add up to the close */
function assertWhole(parts: readonly CountedPart[], row: DrawRow, close: StatementOf<'close'>): void {
  const end = parts.reduce((next, { firstLeaf, endLeaf }) => (firstLeaf === next ? endLeaf : NaN), 0)
  const sum = (of: (part: CountedPart) => number): number => total(parts.map(of))
  const stake = parts.reduce((all, { stakeSats }) => all + stakeSats, 0n)
  const isWhole =
    end === row.leaves &&
    parts.every(({ isWritten }) => isWritten) &&
    sum(({ lines }) => lines) === close.lines &&
    sum(({ free }) => free) === close.free &&
    sum(({ carried }) => carried) === close.carried &&
    stake === close.stake
  if (!isWhole) throw new Error(`the parts of draw ${row.id} are not the whole draw`)
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
