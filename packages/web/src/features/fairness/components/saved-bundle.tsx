import { useEffect, useId, useState } from 'react'
import { prepareVerifier } from '../../../proof/verifier.ts'
import { Card } from '@fairball/ui/card.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import { useFileProof } from '../use-file-proof.ts'
import { ProofReport } from './proof-report.tsx'
import styles from './saved-bundle.module.css'

/** Checks a bundle from a file, without asking the server for anything. */
export default function SavedBundle() {
  const [file, setFile] = useState<File | null>(null)
  const state = useFileProof(file)
  const [inputId, hintId] = [useId(), useId()]
  // From here on no connection is needed.
  useEffect(prepareVerifier, [])
  return (
    <>
      <Card id="saved" title={FAIRNESS_TEXTS.saved} lead={FAIRNESS_TEXTS.savedText}>
        <div className={styles['field']}>
          <label htmlFor={inputId}>{FAIRNESS_TEXTS.savedLabel}</label>
          <input
            id={inputId}
            type="file"
            accept=".json,application/json"
            aria-describedby={hintId}
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
          <p id={hintId}>{FAIRNESS_TEXTS.savedHint}</p>
        </div>
      </Card>
      {file !== null && state !== null && (
        <section aria-label={FAIRNESS_TEXTS.savedOf(file.name)} className={styles['report']}>
          <ProofReport state={state} pick={0} onCheckAgain={null} />
        </section>
      )}
    </>
  )
}
