import type { Alarms, Suspicion } from './alarms.ts'
import type { DrawBook } from './draw-book.ts'
import type { KeptLog } from './kept-log.ts'
import type { KeptStatus } from './kept-status.ts'
import type { OperatorClient } from './operator-client.ts'
import type { Runtime } from './runtime.ts'
import type { Signatures } from './signatures.ts'
import type { Teller } from './teller.ts'
import type { VerifiedDraws } from './verify-draws.ts'

/** What a witness is made of. */
export interface WitnessDeps {
  readonly runtime: Pick<Runtime, 'files' | 'randomBytes'>
  readonly folder: string
  readonly client: OperatorClient
  /** the clock that sights and signatures are dated by, epoch seconds */
  readonly now: () => number
  readonly log: KeptLog
  readonly alarms: Alarms
  readonly signatures: Signatures
  readonly verified: VerifiedDraws
  readonly teller: Teller
  readonly options: WitnessOptions
}

/** How a witness watches. */
interface WitnessOptions {
  /** the operator's address, as evidence says it */
  readonly url: string
  /** the first public key the log must have, hex, or its fingerprint; null takes what is seen first */
  readonly key: string | null
  /** hands signatures over to operators who ask for them */
  readonly posts: boolean
  /** verifies draws once they have ended */
  readonly verifies: boolean
  /** how long there may be no answer, or nothing new when a close is due */
  readonly patienceSeconds: number
}

/** What the parts of one witness share. */
export interface WitnessShared extends WitnessDeps {
  /** the draws, as the kept log tells them */
  readonly book: DrawBook
  readonly status: KeptStatus
  /** raises an alarm, once */
  readonly raise: (suspicion: Suspicion) => Promise<void>
}
