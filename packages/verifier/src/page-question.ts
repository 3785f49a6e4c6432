import { JsonError } from '@fairball/domain/protocol/json'
import { ShapeError } from '@fairball/domain/protocol/shapes'
import { NO_TRUST, readTrust, type Trust } from '@fairball/domain/protocol/trust'
import { evidenceFrom, type Judged, judgeFile } from './judge.ts'

/** The page's question to its worker: a file and the trust. */
export interface Question {
  readonly file: Uint8Array
  /** text of a trust file */
  readonly trust: string | null
  /** typed text of a policy, and the log's public key; each replaces that of the trust file */
  readonly policy: string | null
  readonly key: string | null
}

/** The worker's answer to the page: the report, or the reason for none. */
export type Told =
  | { readonly kind: 'report'; readonly judged: Judged; readonly evidence: string | null }
  | { readonly kind: 'error'; readonly message: string }

/** Answers the page's question. Never throws for the content of files. */
export function answer(question: Question): Told {
  const trust = trustOf(question)
  if (typeof trust === 'string') return { kind: 'error', message: trust }
  const judged = judgeFile(question.file, trust)
  const evidence = judged.report.outcome === 'failed' ? evidenceFrom(question.file, trust) : null
  return { kind: 'report', judged, evidence }
}

/** The trust, or a sentence that says what is wrong with it. */
function trustOf({ trust, policy, key }: Question): Trust | string {
  try {
    const kept = trust === null ? NO_TRUST : readTrust(trust)
    const typed = readTrust(JSON.stringify({ policy, key }))
    return { ...kept, policy: typed.policy ?? kept.policy, key: typed.key ?? kept.key }
  } catch (error) {
    if (error instanceof JsonError || error instanceof ShapeError) return error.message
    throw error
  }
}
