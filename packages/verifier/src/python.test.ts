import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import type { Report } from '@fairball/domain/protocol/report'
import { JUDGED_BUNDLES, trustOf, VECTOR_ROUNDS } from '@fairball/domain/protocol/vectors-fixture'
import { verifyBundleText } from '@fairball/domain/protocol/verify'
import { expect, it } from 'vitest'

const PYTHON = process.env['PYTHON']

// Where there is no Python, `npm test` says that this is left out.
it.runIf(PYTHON !== undefined).each(['python', 'python-v2'])(
  'the second implementation, in %s, passes its own tests, among them all example bundles',
  (folder) => {
    const { status, stderr } = spawnSync(PYTHON ?? '', ['-B', '-m', 'unittest', 'discover'], {
      cwd: join(import.meta.dirname, '..', folder),
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/\nRan [1-9]\d+ tests in .*\n\nOK\n$/)
    expect(status).toBe(0)
  },
  300_000,
)

/** A changed bundle, and what the Python program says of it (`python-v2/tests/judged_mutants.py`). */
interface JudgedMutant {
  case: string
  kind: string
  /** base64 */
  file: string
  outcome: string
  failed: string[]
  broken: string[]
}

/** Of each of three kinds: a bit flipped, bytes garbled, parts rearranged. */
const MUTANTS_A_KIND = 667

it.runIf(PYTHON !== undefined)(
  `both programs say the same of ${3 * MUTANTS_A_KIND} changed bundles`,
  () => {
    const { stdout } = spawnSync(PYTHON ?? '', ['-B', '-m', 'tests.judged_mutants', String(MUTANTS_A_KIND), '7'], {
      cwd: join(import.meta.dirname, '..', 'python-v2'),
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    const mutants = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JudgedMutant)
    expect(mutants).toHaveLength(3 * MUTANTS_A_KIND)
    for (const { file, ...judged } of mutants) {
      const own = reportOn(Buffer.from(file, 'base64'), judged.case)
      expect({ ...judged, ...own }, `${judged.kind} ${judged.case}`).toEqual(judged)
    }
  },
  300_000,
)

function reportOn(bytes: Uint8Array, id: string): Pick<JudgedMutant, 'outcome' | 'failed' | 'broken'> {
  const judged = JUDGED_BUNDLES.find((bundle) => bundle.id === id)
  if (judged === undefined) throw new Error(`no bundle ${id}`)
  const text = textOf(bytes)
  if (text === null) return { outcome: 'broken', failed: [], broken: [] }
  const { outcome, failed, broken }: Report = verifyBundleText(text, trustOf(judged), VECTOR_ROUNDS)
  return { outcome, failed: failed.toSorted(), broken: broken.toSorted() }
}

/** Null where the bytes are no UTF-8, as the program that reads a file has it. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
