import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleText, parseBundle } from '@fairball/domain/fairness/bundle-file'
import { verifyBundle } from '@fairball/domain/fairness/verify'
import { describe, expect, it } from 'vitest'
import { exampleBundles } from './example-bundles.ts'

const FOLDER = join(import.meta.dirname, '..', 'bundles')

interface IndexRow {
  readonly file: string
  readonly outcome: string
  readonly state: string
  readonly failed: readonly string[]
  readonly steps: readonly string[]
}

const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as IndexRow[]

describe('the example bundles', () => {
  it.each(index)('$file is $outcome: $failed', ({ file, outcome, state, failed, steps }) => {
    const report = verifyBundle(parseBundle(readFileSync(join(FOLDER, file), 'utf8')))
    const checks = report.steps.flatMap((step) => step.checks)
    expect(checks.filter((check) => check.outcome === 'failed').map(({ id }) => id)).toEqual(failed)
    expect(report.steps.filter((step) => step.outcome === 'failed').map(({ name }) => name)).toEqual(steps)
    expect(report).toMatchObject({ outcome, state })
  })

  it('are those that write-example-bundles.ts writes, and small', () => {
    const examples = exampleBundles()
    expect(index.map(({ file }) => file)).toEqual(examples.map(({ name }) => `${name}.bundle.json`))
    const files = readdirSync(FOLDER).filter((file) => file !== 'index.json')
    expect(files.toSorted()).toEqual(index.map(({ file }) => file).toSorted())
    let size = 0
    for (const { name, bundle } of examples) {
      const text = readFileSync(join(FOLDER, `${name}.bundle.json`), 'utf8')
      expect(text === bundleText(bundle), name).toBe(true)
      size += text.length
    }
    expect(size).toBeLessThan(500_000)
  }, 60_000)

  it('show every failing check there is, but those that need a check before to fail', () => {
    const shown = new Set(index.flatMap(({ failed }) => failed))
    const asked = exampleBundles().flatMap(({ bundle }) =>
      verifyBundle(bundle).steps.flatMap((step) => step.checks.map(({ id }) => id)),
    )
    const unshown = [...new Set(asked)].filter((id) => !shown.has(id))
    expect(unshown.toSorted()).toEqual(['beacon.public', 'close.found', 'close.seen'])
  }, 60_000)
})
