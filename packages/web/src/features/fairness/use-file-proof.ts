import { useEffect, useState } from 'react'
import { keptStore } from '../../proof/kept-store.ts'
import { ownTrust } from '../../proof/trust.ts'
import type { DoneProof, ProofState } from '../../proof/draw-check.ts'
import { proveInWorker, WrongFileError } from '../../proof/verifier.ts'

/** @returns the progress of a file's check; null without a file */
export function useFileProof(file: File | null): ProofState | null {
  const [found, setFound] = useState<{ readonly file: File; readonly state: ProofState } | null>(null)

  useEffect(() => {
    if (file === null) return
    const controller = new AbortController()
    const show = (state: ProofState) => {
      if (!controller.signal.aborted) setFound({ file, state })
    }
    proveFile(file, controller.signal).then(
      (done) => show({ kind: 'done', ...done }),
      (error: unknown) => {
        if (error instanceof WrongFileError) show({ kind: 'wrong-file', why: error.message })
        else show({ kind: 'failed', reason: 'computing' })
      },
    )
    return () => controller.abort()
  }, [file])

  if (file === null) return null
  return found?.file === file ? found.state : { kind: 'running', stage: 'checking', step: null }
}

/** Checks a file by this browser's record of the one log it knows; a file of another log is not compared with it. */
async function proveFile(file: File, signal: AbortSignal): Promise<DoneProof> {
  const store = keptStore()
  const text = await file.text()
  const logs = await store.all('logs')
  const known = logs.find(({ origin }) => text.includes(JSON.stringify(`${origin}\n`).slice(1, -1)))
  const trust = await ownTrust(store, known?.origin ?? '')
  return {
    ...(await proveInWorker({ file: text, trust, roots: new Map(), plays: [] }, { signal })),
    trust,
    contradictions: [],
  }
}
