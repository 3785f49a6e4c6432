import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXIT_CODES, type Outcome, type Report } from '@fairball/domain/protocol/report'
import { JUDGED_BUNDLES, vector, vectorText } from '@fairball/domain/protocol/vectors-fixture'
import { afterAll, describe, expect, it } from 'vitest'
import { runHere, VECTORS } from './cli-fixture.ts'
import { answer } from './page-question.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairball-judged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { default_trust: DEFAULT } = vector<{ default_trust: object }>('index.json')
const CASES = JUDGED_BUNDLES.map((judged) => ({
  ...judged,
  trustText: JSON.stringify(judged.trust === 'default' ? DEFAULT : judged.trust),
}))
const verdict = ({ outcome, failed, broken }: Report) => [outcome, failed.toSorted(), broken.toSorted()]

// The Python program's own tests judge the same bundles (`python.test.ts`).
describe('the judged bundles of the protocol', () => {
  it.each(CASES)('judged bundle $id ends "$outcome" on the command line: $attack', async (judged) => {
    const trust = join(folder, 'trust.json')
    writeFileSync(trust, judged.trustText)
    const ran = await runHere(['--json', '--trust', trust, join(VECTORS, judged.file)])
    const report = JSON.parse(ran.output) as Report
    expect(verdict(report)).toEqual([judged.outcome, judged.failed.toSorted(), judged.broken.toSorted()])
    expect(ran).toMatchObject({ status: EXIT_CODES[judged.outcome as Outcome], errors: '' })
  })

  it.each(CASES)('judged bundle $id ends "$outcome" in the offline page: $attack', (judged) => {
    const file = new TextEncoder().encode(vectorText(judged.file))
    const told = answer({ file, trust: judged.trustText, policy: null, key: null })
    const report = told.kind === 'report' ? told.judged.report : expect.fail(told.message)
    expect(verdict(report)).toEqual([judged.outcome, judged.failed.toSorted(), judged.broken.toSorted()])
  })

  it.each(CASES)('judged bundle $id gives evidence exactly if a check fails without trust: $attack', (judged) => {
    const file = new TextEncoder().encode(vectorText(judged.file))
    const told = answer({ file, trust: judged.trustText, policy: null, key: null })
    const evidence = told.kind === 'report' ? told.evidence : null
    const isOwnWord = judged.failed.every((id) => id === 'seal.seen')
    expect(evidence !== null).toBe(judged.outcome === 'failed' && !isOwnWord)
    if (evidence === null) return
    const again = answer({ file: new TextEncoder().encode(evidence), trust: null, policy: null, key: null })
    expect(again).toMatchObject({ judged: { report: { outcome: 'failed' } }, evidence: null })
  })
})
