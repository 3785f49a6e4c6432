import type { Bundle } from '@fairball/domain/protocol/bundle'
import type { TrustFile } from '../../proof/trust.ts'
import { saveFile } from '../../ui/save-file.ts'

/** Which draw a file is about. */
export interface FileOf {
  readonly game: string | null
  readonly number: number | null
}

function nameOf({ game, number }: FileOf, kind: string): string {
  return `fairball-${game ?? 'draw'}-${number ?? 0}.${kind}`
}

/** Saves all that was checked, to be checked again elsewhere. */
export async function saveBundle(of: FileOf, bundle: Bundle): Promise<void> {
  const { writeBundle } = await import('@fairball/domain/protocol/bundle')
  saveFile({ name: nameOf(of, 'bundle.json'), type: 'application/json', content: writeBundle(bundle) })
}

/** Saves what this browser trusts, for the verifier's option `--trust`. */
export async function saveTrust(of: FileOf, trust: TrustFile): Promise<void> {
  const { writeTrust } = await import('../../proof/trust.ts')
  saveFile({ name: nameOf(of, 'trust.json'), type: 'application/json', content: writeTrust(trust) })
}

/** Saves what is wrong with a draw, with everything it takes to see that. */
export function saveEvidence(of: FileOf, evidence: string): void {
  saveFile({ name: nameOf(of, 'evidence.json'), type: 'application/json', content: evidence })
}

/** Saves what the operator has signed, one note after the other. */
export function saveNotes(of: FileOf, notes: readonly string[]): void {
  saveFile({ name: nameOf(of, 'notes.txt'), type: 'text/plain', content: notes.join('\n') })
}
