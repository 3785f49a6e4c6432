import type { Bundle } from '@fairball/domain/protocol/bundle'
import type { TrustFile } from '../../proof/trust.ts'
import { saveFile } from '@fairball/ui/save-file.ts'

/** The draw that a file is about. */
export interface FileOf {
  readonly game: string | null
  readonly number: number | null
}

function nameOf({ game, number }: FileOf, kind: string): string {
  return `fairball-${game ?? 'draw'}-${number ?? 0}.${kind}`
}

/** Saves the checked bundle, for another check elsewhere. */
export async function saveBundle(of: FileOf, bundle: Bundle): Promise<void> {
  const { writeBundle } = await import('@fairball/domain/protocol/bundle')
  saveFile({ name: nameOf(of, 'bundle.json'), type: 'application/json', content: writeBundle(bundle) })
}

/** Saves this browser's trust, for the verifier's option `--trust`. */
export async function saveTrust(of: FileOf, trust: TrustFile): Promise<void> {
  const { writeTrust } = await import('../../proof/trust.ts')
  saveFile({ name: nameOf(of, 'trust.json'), type: 'application/json', content: writeTrust(trust) })
}

/** Saves the evidence against a draw, with everything needed to check it. */
export function saveEvidence(of: FileOf, evidence: string): void {
  saveFile({ name: nameOf(of, 'evidence.json'), type: 'application/json', content: evidence })
}

/** Saves the operator's signed notes, one after the other. */
export function saveNotes(of: FileOf, notes: readonly string[]): void {
  saveFile({ name: nameOf(of, 'notes.txt'), type: 'text/plain', content: notes.join('\n') })
}
