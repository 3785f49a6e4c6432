import { assert } from '../assert.ts'
import { isRoundSigned } from './beacon.ts'
import { type Bundle, readBundle } from './bundle.ts'
import type { Report } from './report.ts'
import { readTrust, type Trust } from './trust.ts'
import type { VerifyOptions } from './verify.ts'

/** The vectors of version 2 (sections 14 and 15), for tests. */

declare global {
  interface ImportMeta {
    /** Vite's glob import, which gives files as texts. The domain itself reads no files. */
    glob(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Readonly<Record<string, string>>
  }
}

const FOLDER = '../../vectors/fairness-v2/'
const FILES = import.meta.glob('../../vectors/fairness-v2/*', { query: '?raw', import: 'default', eager: true })

/** The text of a vector. */
export function vectorText(file: string): string {
  const text = FILES[`${FOLDER}${file}`]
  assert(text !== undefined, `no vector ${file}`)
  return text
}

/** A vector in JSON. */
export function vector<T>(file: string): T {
  return JSON.parse(vectorText(file)) as T
}

/** The description of a judged bundle in `index.json`. */
interface JudgedBundle {
  readonly id: string
  readonly attack: string
  readonly outcome: string
  readonly check: string | null
  readonly file: string
  readonly failed: readonly string[]
  readonly broken: readonly string[]
  readonly warned: readonly string[]
  readonly reasons: readonly string[]
  readonly trust: 'default' | object
}

const INDEX = vector<{ default_trust: object; policy_operator: string; cases: JudgedBundle[] }>('index.json')
export const JUDGED_BUNDLES: readonly JudgedBundle[] = INDEX.cases

/** The trust with which a bundle is judged. */
export function trustOf({ trust }: Pick<JudgedBundle, 'trust'>): Trust {
  return readTrust(JSON.stringify(trust === 'default' ? INDEX.default_trust : trust))
}

/** The default trust of the vectors. */
export const DEFAULT_TRUST: Trust = trustOf({ trust: 'default' })

const judgedRounds = new Map<string, boolean>()

/** The pairing, computed once per signature: many bundles have the same two rounds. */
export const VECTOR_ROUNDS: VerifyOptions = {
  isRoundSigned: (chain, round, signature) => {
    const key = `${chain.publicKey} ${round} ${signature}`
    const isSigned = judgedRounds.get(key) ?? isRoundSigned(chain, round, signature)
    judgedRounds.set(key, isSigned)
    return isSigned
  },
}

/** A judged bundle. */
export function bundleOf(id: string): Bundle {
  return readBundle(vectorText(`bundle-${id}.json`))
}

type Findings = Readonly<Record<string, unknown>>

/** A draw's outcome and numbers, and the status of each check that was judged. */
interface JudgedChecks {
  readonly log: Findings
  readonly draws: readonly Findings[]
}

const CHECKS = vector<Readonly<Record<string, JudgedChecks>>>('checks.json')

/** All checks of a report. */
export function checksOf({ checks, draws }: Pick<Report, 'checks' | 'draws'>): JudgedChecks {
  return {
    log: statusesOf(checks),
    draws: draws.map(({ outcome, numbers, checks: own }) => ({ outcome, numbers, ...statusesOf(own) })),
  }
}

/** All checks of a judged bundle, by `checks.json`: changes of the honest bundle's. None for a file that is no bundle. */
export function checksOfJudged(id: string): JudgedChecks {
  const { log, draws } = CHECKS[id] ?? { log: { '*': null }, draws: [] }
  const honest = checksOf(vector<Report>('honest-report.json'))
  return {
    log: changed(honest.log, log),
    draws: draws.map((changes, place) => changed({ ...honest.draws[place], outcome: 'proved' }, changes)),
  }
}

function statusesOf(findings: Report['checks']): Findings {
  return Object.fromEntries(Object.entries(findings).map(([id, { status }]) => [id, status]))
}

/** Findings with some changes: null for a check that is not judged, `group.*` for all of a group. */
function changed(findings: Findings, changes: Findings): Findings {
  const groups = Object.keys(changes).flatMap((id) => (id.endsWith('*') ? [id.slice(0, -1)] : []))
  const kept = Object.entries(findings).filter(([id]) => !groups.some((group) => id.startsWith(group)))
  const entries = Object.entries({ ...Object.fromEntries(kept), ...changes })
  return Object.fromEntries(
    entries.filter(([id, status]) => !id.endsWith('*') && (status !== null || id === 'numbers')),
  )
}
