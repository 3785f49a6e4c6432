import type { SimulationServer } from './database.ts'
import type { Errand } from './errands.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { runSeed, type SeedResult } from './simulation.ts'
import type { Call, Death } from './story.ts'

/** The operations of which every call is a place to die at. */
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
] as const
export type Operation = (typeof OPERATIONS)[number]

/** What each errand of a story belongs to; what is not here (mail, rates, checkpoints of the ledger) is no such operation. */
const OPERATION_OF: Readonly<Record<string, Operation>> = {
  purchase: 'purchase',
  message: 'confirm',
  'payments.refresh': 'confirm',
  'draws.append': 'append',
  receipt: 'receipt',
  'draws.close': 'close',
  'fairness.witness': 'witness',
  'draws.draw': 'draw',
  'draws.settle': 'settle',
  'draws.tell-winners': 'settle',
  'payouts.make': 'payout',
  'payouts.return': 'refund',
  'payouts.sign': 'payout',
  'payouts.send': 'payout',
  'payouts.confirm': 'payout',
}
/** A look at an order's payments that gives them back. */
const REFUNDS = 'orders.insert-refund'

/** One place to die at. */
export interface CrashPoint extends Death {
  readonly operation: Operation
  /** the job or request, and the how manieth of its calls this is, from 1 */
  readonly errand: string
  readonly place: number
  readonly process: string
}

/** The story of one seed as it goes without a death, and everywhere it can be cut short. */
export interface StoryOfSeed {
  readonly seed: number
  readonly told: SeedResult
  readonly points: readonly CrashPoint[]
}

/**
 * Follows the story of a seed without a death, and lists every call of every operation twice: to die before it, and after it.
 * A call that comes after the very same calls as in an earlier run of that operation in the story (a look that sees nothing new) is
 * listed once.
 *
 * @returns null where the story does not hold all operations, because no line of this seed wins
 */
export async function storyOf(server: SimulationServer, seed: number): Promise<StoryOfSeed | null> {
  const told = await runSeed(server, seed, { story: {} })
  const points = pointsIn(told.calls)
  const isWhole = OPERATIONS.every((operation) => points.some((point) => point.operation === operation))
  const hasWon = (told.seen.get('wins') ?? 0) > 0
  return told.failures.length > 0 || (isWhole && hasWon) ? { seed, told, points } : null
}

/** What comes of a story whose process dies at a point. It has no failures where it still came to its end. */
export function dieAt(server: SimulationServer, seed: number, point: Death, bug?: PlantedBug): Promise<SeedResult> {
  return runSeed(server, seed, { story: { death: point }, ...(bug === undefined ? {} : { bug }) })
}

/** A point in words: `settle: draws.settle 12 of worker-1, after ledger.insert-transfer`. */
export function nameOf({ operation, errand, place, process, when, label }: CrashPoint): string {
  return `${operation}: ${errand} ${place} of ${process}, ${when} ${label}`
}

/** Every point in the order of the story, the two of one call together. */
function pointsIn(calls: readonly Call[]): CrashPoint[] {
  const runs = new Map<Errand, number[]>()
  for (const [number, { errand }] of calls.entries())
    if (errand !== null && errand.name !== null) runs.set(errand, [...(runs.get(errand) ?? []), number])
  const known = new Set<string>()
  const points: CrashPoint[] = []
  for (const [{ name }, numbers] of runs) {
    const labels = numbers.map((number) => calls[number]?.label ?? '')
    const operation = labels.includes(REFUNDS) ? 'refund' : OPERATION_OF[name ?? '']
    if (operation === undefined) continue
    for (const [index, call] of numbers.entries()) {
      const soFar = `${operation} ${name}: ${labels.slice(0, index + 1).join(' ')}`
      if (known.has(soFar)) continue
      known.add(soFar)
      const { process = '', label = '' } = calls[call] ?? {}
      for (const when of ['before', 'after'] as const)
        points.push({ operation, errand: name ?? '', place: index + 1, process, call, label, when })
    }
  }
  return points
}
