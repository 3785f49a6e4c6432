import type { SimulationServer } from './database.ts'
import { inLanes } from './lanes.ts'
import type { Errand } from './errands.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { runSeed, type SeedResult } from './simulation.ts'
import type { Call, Death } from './story.ts'

/** The operations in which every call is a point to crash at. */
export const OPERATIONS = [
  'purchase',
  'confirm',
  'append',
  'receipt',
  'close',
  'witness',
  'draw',
  'settle',
  'payout',
  'refund',
  'announce',
] as const
export type Operation = (typeof OPERATIONS)[number]

/** The operation of each errand of a story. Others (mail, rates, ledger checkpoints) belong to none. */
const OPERATION_OF: Readonly<Record<string, Operation>> = {
  purchase: 'purchase',
  announce: 'announce',
  'draws.open': 'announce',
  message: 'confirm',
  'payments.refresh': 'confirm',
  'draws.append': 'append',
  receipt: 'receipt',
  'draws.close': 'close',
  'fairness.witness': 'witness',
  'draws.draw': 'draw',
  'draws.settle': 'settle',
  'draws.count-part': 'settle',
  'draws.write-part': 'settle',
  'draws.finish-settling': 'settle',
  'draws.tell-winners': 'settle',
  'payouts.make': 'payout',
  'payouts.return': 'refund',
  'payouts.sign': 'payout',
  'payouts.send': 'payout',
  'payouts.confirm': 'payout',
}
/** A check of an order's payments with this statement is a refund. */
const REFUNDS = 'orders.insert-refund'

/** One point to crash at. */
export interface CrashPoint extends Death {
  readonly operation: Operation
  /** the job or request, and the position of this call in it, from 1 */
  readonly errand: string
  readonly place: number
  readonly process: string
}

/** The story of one seed without a crash, and every point at which it can be interrupted. */
export interface StoryOfSeed {
  readonly seed: number
  readonly told: SeedResult
  readonly points: readonly CrashPoint[]
}

/**
 * Runs the story of a seed without a crash, and lists every call of every operation twice: to crash before it, and
 * after it. A call is listed once if an earlier run of the same operation made exactly the same calls up to it, such as
 * a check that finds nothing new.
 *
 * @returns null if the story lacks an operation, because no line of this seed wins
 */
export async function storyOf(server: SimulationServer, seed: number): Promise<StoryOfSeed | null> {
  const told = await runSeed(server, seed, { story: { deaths: [] } })
  const points = pointsIn(told.calls)
  const isWhole = OPERATIONS.every((operation) => points.some((point) => point.operation === operation))
  const hasWon = (told.seen.get('wins') ?? 0) > 0
  return told.failures.length > 0 || (isWhole && hasWon) ? { seed, told, points } : null
}

/**
 * The result of a story with these crashes. The first always happens, each later one only if its trail still occurs
 * after it. The story has no failures if it still completes.
 */
export function dieAt(
  server: SimulationServer,
  seed: number,
  deaths: readonly Death[],
  bug?: PlantedBug,
): Promise<SeedResult> {
  return runSeed(server, seed, { story: { deaths }, ...(bug === undefined ? {} : { bug }) })
}

/**
 * Crashes at each of the points. One story contains several points of each kind of work, so that few stories cover them
 * all. A point that a story misses, because an earlier crash changed it, is left to another story.
 *
 * @param onStory called with each story's result and points; no further story starts after it returns true
 */
export async function dieAtEach(
  server: SimulationServer,
  seed: number,
  points: readonly CrashPoint[],
  onStory: (result: SeedResult, chain: readonly CrashPoint[]) => boolean,
): Promise<void> {
  let left = points
  while (left.length > 0) {
    let isOver = false
    const missed: CrashPoint[] = []
    const follow = async (chain: readonly CrashPoint[]): Promise<void> => {
      const result = await dieAt(server, seed, chain)
      if (onStory(result, chain)) isOver = true
      missed.push(...chain.filter((point) => !result.deaths.includes(point)))
    }
    await inLanes(chainsOf(left), follow, () => isOver)
    left = isOver ? [] : missed
  }
}

/** Crashes per kind of work in a story: with more, the interrupted work takes another path. */
const DEATHS_OF_A_KIND = 3

/**
 * Groups all points into chains, ordered by call. Each chain starts with the earliest remaining point; the others have
 * trails and come after it.
 */
function chainsOf(points: readonly CrashPoint[]): CrashPoint[][] {
  const left = new Set(points.toSorted((one, other) => one.call - other.call))
  const chains: CrashPoint[][] = []
  for (const first of left) {
    const chain = [first]
    const times = new Map([[kindOf(first), 1]])
    for (const point of left) {
      const time = times.get(kindOf(point)) ?? 0
      if (point.trail === null || point.call <= first.call || time === DEATHS_OF_A_KIND) continue
      times.set(kindOf(point), time + 1)
      chain.push(point)
    }
    for (const point of chain) left.delete(point)
    chains.push(chain)
  }
  return chains
}

function kindOf({ operation, errand }: CrashPoint): string {
  return `${operation} ${errand}`
}

/** A point in words: `settle: draws.settle 12 of worker-1, after ledger.insert-transfer`. */
export function nameOf({ operation, errand, place, process, when, label }: CrashPoint): string {
  return `${operation}: ${errand} ${place} of ${process}, ${when} ${label}`
}

/** Every point in the order of the story, with the two of one call together. */
function pointsIn(calls: readonly Call[]): CrashPoint[] {
  const runs = new Map<Errand, number[]>()
  for (const [number, { errand }] of calls.entries())
    if (errand !== null && errand.name !== null) runs.set(errand, [...(runs.get(errand) ?? []), number])
  const known = new Set<string>()
  const operations = new Map<string, Set<Operation>>()
  const points: CrashPoint[] = []
  for (const [{ name }, numbers] of runs) {
    const labels = numbers.map((number) => calls[number]?.label ?? '')
    const operation = labels.includes(REFUNDS) ? 'refund' : OPERATION_OF[name ?? '']
    if (operation === undefined) continue
    for (const [index, call] of numbers.entries()) {
      const soFar = `${operation} ${name}: ${labels.slice(0, index + 1).join(' ')}`
      if (known.has(soFar)) continue
      known.add(soFar)
      const { process = '', label = '', trail = null } = calls[call] ?? {}
      if (trail !== null) operations.set(trail, (operations.get(trail) ?? new Set()).add(operation))
      for (const when of ['before', 'after'] as const)
        points.push({ operation, errand: name ?? '', place: index + 1, process, call, label, when, trail })
    }
  }
  // A trail that two operations share identifies neither.
  const isPlain = (trail: string): boolean => operations.get(trail)?.size === 1
  return points.map((point) => (point.trail === null || isPlain(point.trail) ? point : { ...point, trail: null }))
}
