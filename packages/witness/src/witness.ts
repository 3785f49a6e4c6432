import { lengthText, timeText } from '@fairball/domain/fairness/checks'
import type { Suspicion } from './alarms.ts'
import { clockTrouble } from './clock-check.ts'
import { DrawBook } from './draw-book.ts'
import { DrawVerifier } from './draw-verifier.ts'
import { KeptStatus, type Part, silenceKey } from './kept-status.ts'
import { LogFollower } from './log-follower.ts'
import { OperatorProblem } from './operator-connection.ts'
import { SealSigner } from './seal-signer.ts'
import type { WitnessDeps } from './witness-deps.ts'

/** How a round went: `unreached` when the operator gave nothing that could be used. */
export type RoundOutcome = 'well' | 'alarm' | 'unreached'

const PART_NAMES: Readonly<Record<Part, string>> = { log: 'log', old: 'old part of the log' }

/** Follows one operator's log: looks, compares, keeps, signs, alarms (fairness sections 3, 5, 7 and 10). */
export class Witness {
  readonly #deps: WitnessDeps
  readonly #status: KeptStatus
  readonly #follower: LogFollower
  readonly #signer: SealSigner
  readonly #verifier: DrawVerifier
  /** found while the kept log was read again: a crash may have kept it from being told */
  readonly #recalled: Suspicion[]

  /** @throws FolderError where the kept status is damaged */
  constructor(deps: WitnessDeps) {
    const { runtime, folder, options, log } = deps
    const status = KeptStatus.open({ files: runtime.files, folder, url: options.url })
    const book = new DrawBook()
    const shared = { ...deps, book, status, raise: (suspicion: Suspicion) => this.#raise(suspicion) }
    this.#deps = deps
    this.#status = status
    this.#recalled = log.notes.flatMap((kept) => book.add(kept))
    this.#follower = new LogFollower(shared)
    this.#signer = new SealSigner(shared)
    this.#verifier = new DrawVerifier(shared)
  }

  /**
   * Looks once. Never throws for what an operator does; only when the own folder cannot be written.
   *
   * @param waits until draws that have ended are verified. Without, that goes on behind the following rounds: an operator who
   *   answers slowly must not keep a witness from looking
   */
  async round({ waits }: { waits: boolean }): Promise<RoundOutcome> {
    const { alarms, options } = this.#deps
    const before = alarms.count
    this.#verifier.throwFailure()
    await alarms.tellUntold()
    for (const suspicion of this.#recalled.splice(0)) await this.#raise(suspicion)
    const isReached = await this.#reached('log', () => this.#follower.look())
    if (isReached) {
      await this.#checkClock()
      this.#signer.sign()
      await this.#signer.handOver()
      await this.#reached('old', () => this.#follower.sample())
      if (options.verifies) this.#verifier.begin()
      if (waits) await this.#verifier.finished()
      this.#verifier.throwFailure()
    }
    if (alarms.count > before || alarms.standing.length > 0) return 'alarm'
    return isReached ? 'well' : 'unreached'
  }

  /** Does what asks the operator, and keeps account of answers that do not come. */
  async #reached(part: Part, ask: () => Promise<void>): Promise<boolean> {
    const failingSince = this.#status.failingSince(part)
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof OperatorProblem)) throw error
      await this.#judgeSilence(part, failingSince, error.message)
      return false
    }
    if (failingSince !== null) this.#endSilence(part, failingSince)
    return true
  }

  /** Silence is told when it begins, and an alarm once it has lasted. */
  async #judgeSilence(part: Part, failingSince: number | null, message: string): Promise<void> {
    const { options, log, now, teller } = this.#deps
    if (failingSince === null) {
      teller.warn('unreached', `The ${PART_NAMES[part]} cannot be had from ${options.url}. ${message}`)
      this.#status.keepFailing(part, now())
      return
    }
    if (now() - failingSince < options.patienceSeconds) return
    const since = timeText(failingSince)
    await this.#raise({
      kind: 'silence',
      key: silenceKey(part, failingSince),
      text: `Silence: the ${PART_NAMES[part]} has not come from ${options.url} since ${since}. ${message}`,
      duration: 'while-so',
      seq: log.head?.seq ?? 0,
      evidence: null,
    })
  }

  #endSilence(part: Part, failingSince: number): void {
    const { now, teller, alarms } = this.#deps
    const length = lengthText(Math.max(0, now() - failingSince))
    teller.say('reached', `The ${PART_NAMES[part]} is served again, after ${length}.`)
    alarms.end(silenceKey(part, failingSince), now())
    this.#status.keepFailing(part, null)
  }

  async #checkClock(): Promise<void> {
    const { log, now, alarms } = this.#deps
    const at = now()
    const found = clockTrouble(log, at)
    for (const suspicion of found) await this.#raise(suspicion)
    alarms.endOthers(['clock'], new Set(found.map(({ key }) => key)), at)
  }

  async #raise(suspicion: Suspicion): Promise<void> {
    const { alarms, log, now, options } = this.#deps
    // Once there is proof of a fork, more of it from later in the same log is nothing new.
    const isKnownFork =
      suspicion.kind === 'fork' &&
      alarms.standing.some(({ kind, key }) => kind === 'fork' && seqOf(key) <= suspicion.seq)
    if (isKnownFork) return
    const { head } = log
    await alarms.raise(suspicion, now(), { url: options.url, operator: head?.operator ?? null, keys: log.publicKeys })
  }
}

/** The statement that an alarm of a fork is about, from its key `fork:<seq>`. */
function seqOf(key: string): number {
  return Number(key.split(':')[1])
}
