import type { Bundle } from '@fairball/domain/fairness/bundle'
import { saveFile } from '../../ui/save-file.ts'

/** Saves all that was checked, to be checked again elsewhere. */
export async function saveBundle(bundle: Bundle): Promise<void> {
  const { bundleFileName, bundleText } = await import('@fairball/domain/fairness/bundle-file')
  saveFile({ name: bundleFileName(bundle), type: 'application/json', content: bundleText(bundle) })
}

/** Saves what is wrong with a draw, with everything it takes to see that. */
export async function saveEvidence(bundle: Bundle, evidence: string): Promise<void> {
  const { evidenceFileName } = await import('@fairball/domain/fairness/bundle-file')
  saveFile({ name: evidenceFileName(bundle), type: 'application/json', content: evidence })
}
