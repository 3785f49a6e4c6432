/**
 * Measurements in the text format of Prometheus (version 0.0.4), as much of it as this program needs: counters and
 * histograms kept in memory, and families counted elsewhere and written as they are.
 */

/**
 * The labels of one value, by name. Their values come from code, never from a caller: each one is a series for ever.
 */
export type Labels = Readonly<Record<string, string>>

/** One value of a family. */
interface Sample {
  readonly labels: Labels
  /** What follows the family's name: `_bucket`, `_sum` and `_count` of a histogram. Default: nothing. */
  readonly suffix?: string
  readonly value: number | bigint
}

/** All values under one name. */
export interface Family {
  /** `fairball_…`, with the unit at its end; a counter ends in `_total` */
  readonly name: string
  /** what it is, for a person; if it has an alarm, the name of the rule: `Alarm: PayoutsStopped.` */
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** A source of values on request. */
interface Metric {
  family(): Family
}

/** A count that only grows while the process lives. */
interface Counter extends Metric {
  add(labels: Labels, by?: number): void
}

/** How measured values are distributed. */
interface Histogram extends Metric {
  observe(labels: Labels, value: number): void
}

/** More than this many series of one family would mean a label with an outsider's text in it. */
export const MAX_SERIES = 2_000

/** Makes a counter. Series beyond `MAX_SERIES` are not counted. */
export function counter(about: { name: string; help: string }): Counter {
  const series = new Map<string, { labels: Labels; value: number }>()
  return {
    add(labels, by = 1) {
      const one = seriesOf(series, labels, () => ({ labels, value: 0 }))
      if (one !== null) one.value += by
    },
    family: () => ({ ...about, type: 'counter', samples: [...series.values()] }),
  }
}

/**
 * Makes a histogram. Series beyond `MAX_SERIES` are not counted.
 *
 * @param about.bounds the upper bounds of its buckets, ascending; the last one, without a bound, is added
 */
export function histogram(about: { name: string; help: string; bounds: readonly number[] }): Histogram {
  const { name, help, bounds } = about
  const series = new Map<string, { labels: Labels; counts: number[]; sum: number }>()
  return {
    observe(labels, value) {
      const one = seriesOf(series, labels, () => ({
        labels,
        counts: Array.from({ length: bounds.length + 1 }, () => 0),
        sum: 0,
      }))
      if (one === null) return
      const found = bounds.findIndex((bound) => value <= bound)
      const place = found < 0 ? bounds.length : found
      one.counts[place] = (one.counts[place] ?? 0) + 1
      one.sum += value
    },
    family: () => ({
      name,
      help,
      type: 'histogram',
      samples: [...series.values()].flatMap((one) => samplesOf(one, bounds)),
    }),
  }
}

function seriesOf<S>(series: Map<string, S>, labels: Labels, make: () => S): S | null {
  const key = Object.values(labels).join('\0') // those of one family have the same names in the same order
  const known = series.get(key)
  if (known !== undefined) return known
  if (series.size >= MAX_SERIES) return null
  const made = make()
  series.set(key, made)
  return made
}

function samplesOf(
  one: { labels: Labels; counts: readonly number[]; sum: number },
  bounds: readonly number[],
): Sample[] {
  let upTo = 0
  const buckets = one.counts.map((count, place): Sample => {
    upTo += count
    const le = place < bounds.length ? String(bounds[place]) : '+Inf'
    return { suffix: '_bucket', labels: { ...one.labels, le }, value: upTo }
  })
  return [
    ...buckets,
    { suffix: '_sum', labels: one.labels, value: one.sum },
    { suffix: '_count', labels: one.labels, value: upTo },
  ]
}

/** A family with its present values. */
export function gauge(name: string, help: string, samples: readonly (readonly [Labels, number | bigint])[]): Family {
  return { name, help, type: 'gauge', samples: samples.map(([labels, value]) => ({ labels, value })) }
}

/** The text for Prometheus. */
export function textOf(families: readonly Family[]): string {
  return `${families.map(linesOf).join('\n')}\n`
}

function linesOf({ name, help, type, samples }: Family): string {
  return [
    `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${writtenLabels(labels)} ${value}`),
  ].join('\n')
}

function writtenLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
