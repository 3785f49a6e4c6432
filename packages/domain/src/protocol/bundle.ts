import { toBase64 } from './bytes.ts'
import { readJson } from './json.ts'
import { BUNDLE_LIMITS, MAX_POSTPONEMENTS, RANGE_STATEMENTS } from './numbers.ts'
import { base64, choice, hex, integer, listOf, objectOf, orNull, type Shape, text } from './shapes.ts'

/** Bundles and evidence (section 12): the input of a verifier for some draws, as strict JSON. */

export const BUNDLE_FORMAT = 'fairball/bundle/v2'
export const EVIDENCE_FORMAT = 'fairball/evidence/v2'

/** Consecutive statements of a log up to a checkpoint, with the proof that the log's head continues the checkpoint. */
export interface Seal {
  /** the note */
  readonly checkpoint: string
  /** index of the first statement */
  readonly start: number
  /** hex, roots of the perfect subtrees before it, largest first */
  readonly left: readonly string[]
  readonly statements: readonly string[]
  /** hex, from the checkpoint to the head; empty when served, filled in when a bundle is made */
  readonly consistency: readonly string[]
}

/** The statements after a seal's checkpoint, up to the result or void. */
export interface Tail {
  readonly left: readonly string[]
  readonly statements: readonly string[]
  readonly consistency: readonly string[]
}

export interface BundlePart {
  readonly section: number
  /** `u16 length || data` each */
  readonly leaves: Uint8Array
}

export interface BundleDraw {
  readonly open: string
  readonly postpones: readonly Seal[]
  readonly seal: Seal | null
  readonly tail: Tail | null
  readonly beacon: { readonly round: number; readonly signature: string } | null
  /** null if no section is given */
  readonly plays: { readonly sections: Uint8Array | null; readonly parts: readonly BundlePart[] } | null
}

export interface BundleStatement {
  readonly index: number
  readonly text: string
  readonly path: readonly string[]
}

/** A promise or receipt, and what its owner can reveal about it. */
export interface BundlePaper {
  readonly note: string
  /** for a receipt the play's ps; for a promise the order's blind for `lines`, never the order's secret */
  readonly secret: string | null
  readonly username: string | null
  /** the text of the order's lines that the promise commits to */
  readonly lines: string | null
  readonly path: readonly string[]
  readonly preimage: string | null
}

export interface Bundle {
  readonly head: string
  readonly statements: readonly BundleStatement[]
  /** rules, policies */
  readonly texts: readonly string[]
  readonly draws: readonly BundleDraw[]
  readonly papers: readonly BundlePaper[]
}

/**
 * Proof of an operator's fault that anyone can check: a bundle that fails without any trust, or two heads of one size.
 */
export interface Evidence {
  readonly kind: 'draw' | 'fork'
  readonly failed: readonly string[]
  readonly bundle: Bundle | null
  readonly notes: readonly string[]
  /** the log's, hex */
  readonly key: string
}

const path = listOf(hex, BUNDLE_LIMITS.pathHashes)
const range = listOf(text, RANGE_STATEMENTS)
const seal: Shape<Seal> = objectOf({
  checkpoint: text,
  start: integer,
  left: path,
  statements: range,
  consistency: path,
})
const tail: Shape<Tail> = objectOf({ left: path, statements: range, consistency: path })
const part: Shape<BundlePart> = objectOf({ section: integer, leaves: base64 })
const draw: Shape<BundleDraw> = objectOf({
  open: hex,
  postpones: listOf(seal, MAX_POSTPONEMENTS),
  seal: orNull(seal),
  tail: orNull(tail),
  beacon: orNull(objectOf({ round: integer, signature: text })),
  plays: orNull(objectOf({ sections: orNull(base64), parts: listOf(part, BUNDLE_LIMITS.characters) })),
})
const paper: Shape<BundlePaper> = objectOf({
  note: text,
  secret: orNull(hex),
  username: orNull(text),
  lines: orNull(text),
  path,
  preimage: orNull(hex),
})
const BODY = {
  head: text,
  statements: listOf(objectOf<BundleStatement>({ index: integer, text, path }), BUNDLE_LIMITS.statements),
  texts: listOf(text, BUNDLE_LIMITS.texts),
  // A bundle without draws is read, so that a check (`log.head`) can report it.
  draws: listOf(draw, BUNDLE_LIMITS.draws),
  papers: listOf(paper, BUNDLE_LIMITS.papers),
}
const bundle = objectOf<Bundle & { readonly format: string }>({ format: choice(BUNDLE_FORMAT), ...BODY })
const evidence = objectOf<Evidence & { readonly format: string }>({
  format: choice(EVIDENCE_FORMAT),
  kind: choice('draw', 'fork'),
  failed: listOf(text, 100),
  bundle: orNull(bundle),
  notes: listOf(text, 100),
  key: hex,
})

/**
 * Reads a bundle. This checks its shape only and verifies nothing.
 *
 * @throws JsonError or ShapeError for anything else, with a message for people
 */
export function readBundle(fileText: string): Bundle {
  return bundle(readJson(fileText), 'The bundle')
}

/** Reads a seal as served under `seal/<hash>`. @throws JsonError or ShapeError for anything else */
export function readServedSeal(fileText: string): Seal {
  return seal(readJson(fileText), 'The seal')
}

/** Reads evidence. @throws JsonError or ShapeError for anything else, with a message for people */
export function readEvidence(fileText: string): Evidence {
  return evidence(readJson(fileText), 'The evidence')
}

/** Reads a file that is a bundle or evidence. @throws JsonError or ShapeError for anything else */
export function readBundleOrEvidence(fileText: string): { readonly bundle: Bundle } | { readonly evidence: Evidence } {
  const file = readJson(fileText)
  const isEvidence = file instanceof Map && (file as ReadonlyMap<string, unknown>).get('format') === EVIDENCE_FORMAT
  return isEvidence ? { evidence: evidence(file, 'The evidence') } : { bundle: bundle(file, 'The bundle') }
}

/** The file text of a bundle; `readBundle` reverses it. */
export function writeBundle(value: Bundle): string {
  return `${JSON.stringify(bundleJson(value), null, 1)}\n`
}

/** The file text of evidence; `readEvidence` reverses it. */
export function writeEvidence({ kind, failed, bundle: about, notes, key }: Evidence): string {
  const file = { format: EVIDENCE_FORMAT, kind, failed, bundle: about && bundleJson(about), notes, key }
  return `${JSON.stringify(file, null, 1)}\n`
}

function bundleJson({ head, statements, texts, draws, papers }: Bundle): object {
  return { format: BUNDLE_FORMAT, head, statements, texts, draws: draws.map(drawJson), papers }
}

function drawJson({ open, postpones, seal: sealed, tail: after, beacon, plays }: BundleDraw): object {
  return { open, postpones, seal: sealed, tail: after, beacon, plays: plays && playsJson(plays) }
}

function playsJson({ sections, parts }: NonNullable<BundleDraw['plays']>): object {
  return {
    sections: sections && toBase64(sections),
    parts: parts.map(({ section, leaves }) => ({ section, leaves: toBase64(leaves) })),
  }
}
