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

// Without Python, `npm test` reports that these are skipped.
it.runIf(PYTHON !== undefined)(
  'the Python implementation passes its own tests, which include all judged bundles',
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

/** A changed bundle and the Python program's report on it (`python/tests/judged_mutants.py`). */
interface JudgedMutant {
  case: string
  kind: string
  /** base64 */
  file: string
  outcome: string
  failed: string[]
  broken: string[]
}

/**
 * Mutants of each of three kinds: a flipped bit, garbled bytes, rearranged parts. Together 2,001, unless
 * `FAIRNESS_MUTANTS` sets another number.
 */
const MUTANTS_PER_KIND = Math.ceil(Number(process.env['FAIRNESS_MUTANTS'] ?? 2000) / 3)

it.runIf(PYTHON !== undefined)(
  `both programs give the same report on ${3 * MUTANTS_PER_KIND} changed bundles`,
  async () => {
    const python = spawn(PYTHON ?? '', ['-B', '-m', 'tests.judged_mutants', String(MUTANTS_PER_KIND), '7'], {
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
    expect(count).toBe(3 * MUTANTS_PER_KIND)
  },
  1_200_000,
)

function reportOn(bytes: Uint8Array, id: string): Pick<JudgedMutant, 'outcome' | 'failed' | 'broken'> {
  const judged = JUDGED_BUNDLES.find((bundle) => bundle.id === id)
  if (judged === undefined) throw new Error(`there is no bundle ${id}`)
  const { outcome, failed, broken } = judgeFile(bytes, trustOf(judged), { ...VECTOR_ROUNDS, hash: nodeHash }).report
  return { outcome, failed: failed.toSorted(), broken: broken.toSorted() }
}
