import type { Bundle, Evidence } from './bundle.ts'
import { readCheckpoint } from './checkpoint.ts'
import { readOrNull } from './read-or-null.ts'
import { readStatementOf } from './statements.ts'
import { NO_TRUST } from './trust.ts'
import { isProven, verifyBundle, type VerifyOptions } from './verify.ts'

/** Makes evidence (section 12): proof of an operator's fault that does not depend on trust. */

/**
 * The evidence in a bundle. Null if no check fails without trust: a fault that only the verifier's own sights show is
 * its own word.
 */
export function evidenceOfDraw(bundle: Bundle, options: VerifyOptions = {}): Evidence | null {
  const key = keyOf(bundle)
  if (key === null) return null
  const { outcome, failed } = verifyBundle(bundle, { ...NO_TRUST, key }, options)
  return outcome === 'failed' ? { kind: 'draw', failed, bundle, notes: [], key } : null
}

/**
 * The evidence of a fork in kept heads and a bundle: two heads of one size with different roots, both signed by the
 * log. Null if there are none.
 *
 * @param heads notes of checkpoints
 */
export function evidenceOfFork(bundle: Bundle, heads: readonly string[]): Evidence | null {
  const key = keyOf(bundle)
  if (key === null) return null
  const seals = bundle.draws.flatMap(({ seal, postpones }) => (seal === null ? postpones : [seal, ...postpones]))
  const shown = [bundle.head, ...seals.map(({ checkpoint }) => checkpoint)]
  for (const kept of heads) {
    const size = readCheckpoint(kept)?.size
    for (const head of shown.filter((note) => readCheckpoint(note)?.size === size)) {
      const evidence: Evidence = { kind: 'fork', failed: [], bundle: null, notes: [kept, head], key }
      if (isProven(evidence)) return evidence
    }
  }
  return null
}

/** The first key of the log. */
function keyOf({ statements }: Bundle): string | null {
  const first = statements.find(({ index }) => index === 0)
  return first === undefined ? null : (readOrNull(() => readStatementOf('log', first.text))?.key ?? null)
}
