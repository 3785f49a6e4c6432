import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { figuresOf, mediansOf, missedLimits } from '../trials/bench/lighthouse/judgement.ts'

const ROOT = join(import.meta.dirname, '..')

/** A report of Lighthouse with these scores (from 0 to 1), with only the fields that are read. */
function report({ performance = 1, seo = 1, layoutShift = 0, blockedMs = 10, description = 1 } = {}) {
  const category = (score, ...ids) => ({ score, auditRefs: ids.map((id) => ({ id })) })
  const audit = (id, score, more) => ({ [id]: { id, title: `Title of ${id}`, score, ...more } })
  return {
    categories: {
      performance: category(performance, 'cumulative-layout-shift', 'total-blocking-time', 'network-requests'),
      accessibility: category(1),
      'best-practices': category(1),
      seo: category(seo, 'meta-description'),
    },
    audits: {
      ...audit('first-contentful-paint', 1, { numericValue: 900 }),
      ...audit('largest-contentful-paint', 1, { numericValue: 1000 }),
      ...audit('cumulative-layout-shift', 0.99, { numericValue: layoutShift, displayValue: String(layoutShift) }),
      ...audit('total-blocking-time', 1, { numericValue: blockedMs }),
      ...audit('meta-description', description),
      ...audit('network-requests', null, {
        details: {
          items: [
            { resourceType: 'Document', transferSize: 20_000 },
            { resourceType: 'Script', transferSize: 100_000 },
            { resourceType: 'Script', transferSize: 5000 },
            { transferSize: 1 },
          ],
        },
      }),
    },
  }
}

describe('the figures of a run', () => {
  it('a run has scores in hundredths, times, layout shifts, and the scripts on the wire', () => {
    expect(figuresOf(report({ performance: 0.954, layoutShift: 0.01 }))).toMatchObject({
      scores: { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 },
      firstPaintMs: 900,
      largestPaintMs: 1000,
      layoutShift: 0.01,
      blockedMs: 10,
      scriptBytes: 105_000,
    })
  })

  it('a run names every audit below 1, and no informative one', () => {
    expect(figuresOf(report({ description: 0 })).faults).toEqual([
      { id: 'cumulative-layout-shift', title: 'Title of cumulative-layout-shift (0)' },
      { id: 'meta-description', title: 'Title of meta-description' },
    ])
  })

  it('a page that could not be measured has no figures', () => {
    const broken = { ...report(), runtimeError: { message: 'NO_FCP' } }
    expect(() => figuresOf(broken)).toThrow('NO_FCP')
  })
})

it('several runs give the median of each figure, and every fault of any run', () => {
  const runs = [
    report({ performance: 0.9, blockedMs: 5 }),
    report({ performance: 0.99, blockedMs: 300, description: 0 }),
    report({ performance: 0.97, blockedMs: 70 }),
  ].map(figuresOf)
  const { scores, blockedMs, faults } = mediansOf(runs)
  expect(scores.performance).toBe(97)
  expect(blockedMs).toBe(70)
  expect(faults.map(({ id }) => id)).toEqual(['cumulative-layout-shift', 'meta-description'])
})

it.each([
  ['all of them just met', { performance: 0.95, layoutShift: 0.02 }, []],
  ['a slow page', { performance: 0.94 }, ['performance 94 of 95']],
  ['a page that is not found', { seo: 0.99 }, ['seo 99 of 100']],
  ['a page that jumps', { layoutShift: 0.021 }, ['layout shift 0.021 of 0.02']],
])('the limits of a run are checked: %s', (_, scores, missed) => {
  expect(missedLimits(figuresOf(report(scores)))).toEqual(missed)
})

it('Lighthouse is not part of the project: only its bench installs it, in one exact version', () => {
  const readJson = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
  const { dependencies } = readJson('trials/bench/lighthouse/package.json')
  const own = readJson('trials/bench/lighthouse/package-lock.json').packages
  expect(Object.values(dependencies).every((version) => /^\d+\.\d+\.\d+$/.test(version))).toBe(true)
  expect(own['node_modules/lighthouse'].version).toBe(dependencies.lighthouse)
  expect(Object.values(own).filter(({ resolved, hasInstallScript }) => resolved || hasInstallScript)).toEqual([])
  expect(readJson('package-lock.json').packages).not.toHaveProperty('node_modules/lighthouse')
})
