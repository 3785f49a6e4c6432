// Evaluates the runs of Lighthouse on a page, and the limits they miss: arithmetic only, tested in
// scripts/bench-lighthouse.test.mjs.

/** Lighthouse's categories with the minimum score of each, in hundredths. */
export const LEAST_SCORES = { performance: 95, accessibility: 100, 'best-practices': 95, seo: 100 } as const
/** Limit for the layout shift of a page while it loads. */
const MAX_LAYOUT_SHIFT = 0.02
/** Limit for the scripts of a first visit to home after gzip, in bytes; a kB is 1000 bytes. */
export const MAX_SCRIPT_BYTES = 130_000

type Category = keyof typeof LEAST_SCORES

/** The parts of Lighthouse's report that are read. */
export interface Report {
  readonly categories: Readonly<
    Record<Category, { readonly score: number | null; readonly auditRefs: readonly { readonly id: string }[] }>
  >
  readonly audits: Readonly<Record<string, Audit>>
  /** set if the page could not be measured at all */
  readonly runtimeError?: { readonly message: string }
}

interface Audit {
  readonly id: string
  readonly title: string
  /** from 0 to 1; null if the audit did not apply, or is only informative */
  readonly score: number | null
  readonly numericValue?: number
  readonly displayValue?: string
  readonly details?: { readonly items?: readonly unknown[] }
}

/** An audit below 1. */
interface Fault {
  readonly id: string
  readonly title: string
}

/** The figures of one run, or the medians of several. */
export interface Figures {
  /** in hundredths */
  readonly scores: Readonly<Record<Category, number>>
  readonly firstPaintMs: number
  readonly largestPaintMs: number
  readonly layoutShift: number
  readonly blockedMs: number
  /** bytes of all scripts of the visit on the wire */
  readonly scriptBytes: number
  readonly faults: readonly Fault[]
}

const CATEGORIES = Object.keys(LEAST_SCORES) as Category[] // by its type

/**
 * The figures of one run.
 *
 * @throws Error if Lighthouse could not measure the page
 */
export function figuresOf(report: Report): Figures {
  if (report.runtimeError !== undefined) throw new Error(report.runtimeError.message)
  const { audits } = report
  const ids = new Set(CATEGORIES.flatMap((category) => report.categories[category].auditRefs.map(({ id }) => id)))
  const requests = (audits['network-requests']?.details?.items ?? []) as readonly Request[] // as Lighthouse lists them
  return {
    scores: byCategory((category) => Math.round((report.categories[category].score ?? 0) * 100)),
    firstPaintMs: valueOf(audits, 'first-contentful-paint'),
    largestPaintMs: valueOf(audits, 'largest-contentful-paint'),
    layoutShift: valueOf(audits, 'cumulative-layout-shift'),
    blockedMs: valueOf(audits, 'total-blocking-time'),
    scriptBytes: requests
      .filter(({ resourceType }) => resourceType === 'Script')
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
    faults: [...ids].flatMap((id) => {
      const audit = audits[id]
      if (audit === undefined || audit.score === null || audit.score >= 1) return []
      const shown = audit.displayValue === undefined ? '' : ` (${audit.displayValue})`
      return { id, title: `${audit.title}${shown}` }
    }),
  }
}

interface Request {
  readonly resourceType?: string
  readonly transferSize: number
}

function valueOf(audits: Report['audits'], id: string): number {
  const value = audits[id]?.numericValue
  if (value === undefined) throw new Error(`Lighthouse reports no ${id}`)
  return value
}

/**
 * The medians of the runs of one page, each figure separately. A fault counts if it occurred in any run, with the title
 * of the last one.
 */
export function mediansOf(runs: readonly Figures[]): Figures {
  const median = (of: (run: Figures) => number): number => {
    const sorted = runs.map(of).toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? NaN
  }
  return {
    scores: byCategory((category) => median(({ scores }) => scores[category])),
    firstPaintMs: median(({ firstPaintMs }) => firstPaintMs),
    largestPaintMs: median(({ largestPaintMs }) => largestPaintMs),
    layoutShift: median(({ layoutShift }) => layoutShift),
    blockedMs: median(({ blockedMs }) => blockedMs),
    scriptBytes: median(({ scriptBytes }) => scriptBytes),
    faults: [...new Map(runs.flatMap(({ faults }) => faults).map((fault) => [fault.id, fault])).values()],
  }
}

/** The limits a page misses, in a few words each. */
export function missedLimits({ scores, layoutShift }: Pick<Figures, 'scores' | 'layoutShift'>): string[] {
  const low = CATEGORIES.filter((category) => scores[category] < LEAST_SCORES[category])
  return [
    ...low.map((category) => `${category} ${scores[category]} of ${LEAST_SCORES[category]}`),
    ...(layoutShift > MAX_LAYOUT_SHIFT ? [`layout shift ${layoutShift.toFixed(3)} of ${MAX_LAYOUT_SHIFT}`] : []),
  ]
}

function byCategory(scoreOf: (category: Category) => number): Record<Category, number> {
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    seo: scoreOf('seo'),
  }
}
