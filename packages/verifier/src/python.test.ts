import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { JUDGED_BUNDLES, trustOf, VECTOR_ROUNDS } from '@fairball/domain/protocol/vectors-fixture'
import { expect, it } from 'vitest'
import { judgeFile } from './judge.ts'
import { nodeHash } from './runtime.ts'

const PYTHON = process.env['PYTHON']
const FOLDER = join(import.meta.dirname, '..', 'python')

// Where there is no Python, `npm test` says that this is left out.
it.runIf(PYTHON !== undefined)(
  'the second implementation, in Python, passes its own tests, among them all judged bundles',
  () => {
    const { status, stderr } = spawnSync(PYTHON ?? '', ['-B', '-m', 'unittest', 'discover'], {
      cwd: FOLDER,
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/\nRan [1-9]\d+ tests in .*\n\nOK\n$/)
    expect(status).toBe(0)
  },
  300_000,
)

/** A changed bundle, and what the Python program says of it (`python/tests/judged_mutants.py`). */
interface JudgedMutant {
  case: string
  kind: string
  /** base64 */
  file: string
  outcome: string
  failed: string[]
  broken: string[]
}

/** Of each of three kinds: a bit flipped, bytes garbled, parts rearranged. Together 2,001, or as `FAIRNESS_MUTANTS` says. */
const MUTANTS_A_KIND = Math.ceil(Number(process.env['FAIRNESS_MUTANTS'] ?? 2000) / 3)

it.runIf(PYTHON !== undefined)(
  `both programs say the same of ${3 * MUTANTS_A_KIND} changed bundles`,
  async () => {
    const python = spawn(PYTHON ?? '', ['-B', '-m', 'tests.judged_mutants', String(MUTANTS_A_KIND), '7'], {
      cwd: FOLDER,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let count = 0
    for await (const line of createInterface({ input: python.stdout })) {
      const { file, ...judged } = JSON.parse(line) as JudgedMutant
      const own = reportOn(Buffer.from(file, 'base64'), judged.case)
      expect({ ...judged, ...own }, `${judged.kind} ${judged.case}`).toEqual(judged)
      count += 1
    }
    expect(count).toBe(3 * MUTANTS_A_KIND)
  },
  1_200_000,
)

function reportOn(bytes: Uint8Array, id: string): Pick<JudgedMutant, 'outcome' | 'failed' | 'broken'> {
  const judged = JUDGED_BUNDLES.find((bundle) => bundle.id === id)
  if (judged === undefined) throw new Error(`no bundle ${id}`)
  const { outcome, failed, broken } = judgeFile(bytes, trustOf(judged), { ...VECTOR_ROUNDS, hash: nodeHash }).report
  return { outcome, failed: failed.toSorted(), broken: broken.toSorted() }
}
