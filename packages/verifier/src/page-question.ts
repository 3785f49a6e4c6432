import {
  BundleError,
  evidenceFileName,
  evidenceText,
  parseBundle,
  parseReceipts,
} from '@fairball/domain/fairness/bundle-file'
import type { Bundle } from '@fairball/domain/fairness/bundle'
import type { Report, Step } from '@fairball/domain/fairness/report'
import { verifyBundle } from '@fairball/domain/fairness/verify'
import { ownRecordOf } from './own-record.ts'

/** What the page asks of its worker: texts of files, and what was typed. */
export interface Question {
  readonly bundle: string
  readonly receipts: readonly string[]
  readonly username: string | null
  /** the operator's first key or its fingerprint */
  readonly key: string | null
}

/** What the worker tells the page: each step as it is done, and at the end the report, or why there is none. */
export type Told =
  | { readonly kind: 'step'; readonly step: Step }
  | {
      readonly kind: 'report'
      readonly report: Report
      readonly evidence: { readonly name: string; readonly text: string } | null
    }
  | { readonly kind: 'error'; readonly message: string }

/** Verifies what the page asks, and tells of it as it goes. Never throws for what is in the files. */
export function answer(question: Question, tell: (told: Told) => void): void {
  try {
    const bundle = parseBundle(question.bundle)
    const receipts = question.receipts.flatMap((text) => parseReceipts(text))
    const { username, key } = question
    const own = ownRecordOf(bundle, { key, username, receipts })
    // A saved bundle may be old: what is missing from it now may have come since, so no clock is held against it.
    const report = verifyBundle(bundle, { own, nowAt: null, onStep: (step) => tell({ kind: 'step', step }) })
    // What the file claims stays in the evidence: it may be what failed.
    const shown = { ...own, key: own.key ?? bundle.own?.key ?? null, sights: bundle.own?.sights ?? [] }
    tell({ kind: 'report', report, evidence: evidenceOf(report, { ...bundle, own: shown }) })
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    tell({ kind: 'error', message: error.message })
  }
}

/** What shows a failure to others; null where nothing failed (fairness section 10). */
function evidenceOf(report: Report, bundle: Bundle): { name: string; text: string } | null {
  return report.outcome === 'failed' ? { name: evidenceFileName(bundle), text: evidenceText(report, bundle) } : null
}
