import type { Contradiction } from '../../../proof/memory.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import { type FileOf, saveNotes } from '../save-proof.ts'

/** Contradictions between earlier and later statements of the operator, each with what it signed. */
export function Contradictions({ found, of }: { found: readonly Contradiction[]; of: FileOf }) {
  return found.map(({ kind, notes }) => (
    <Banner
      key={notes.join()}
      kind="danger"
      action={
        <Button variant="danger" size="small" icon={<DownloadIcon size={18} />} onClick={() => saveNotes(of, notes)}>
          {PROOF_TEXTS.downloadNotes}
        </Button>
      }
    >
      {PROOF_TEXTS.contradiction[kind]} {PROOF_TEXTS.contradictionKeep}
    </Banner>
  ))
}
