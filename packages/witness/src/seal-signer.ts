import { timeText } from '@fairball/domain/fairness/checks'
import type { AlarmKind, Suspicion } from './alarms.ts'
import { OperatorProblem } from './operator-connection.ts'
import type { SignedClose } from './signatures.ts'
import { clockText } from './teller.ts'
import type { WitnessShared } from './witness-deps.ts'

/** While one of these stands nothing is signed: either it is not one log, or the clocks disagree. */
const KEEPS_FROM_SIGNING: readonly AlarmKind[] = ['fork', 'changed', 'shrank', 'broken', 'key', 'clock']

type Shared = Pick<
  WitnessShared,
  'client' | 'now' | 'log' | 'alarms' | 'signatures' | 'teller' | 'options' | 'book' | 'raise'
>

/** Signs the seals of draws and hands the signatures over to the operator (fairness section 5). */
export class SealSigner {
  readonly #shared: Shared
  /** what the operator last said to a signature, by close hash */
  readonly #refusals = new Map<string, string>()

  constructor(shared: Shared) {
    this.#shared = shared
  }

  /** Signs every seal that may be signed now and was not before. */
  sign(): void {
    const { alarms, signatures, log, now, book } = this.#shared
    if (alarms.stands(...KEEPS_FROM_SIGNING)) return
    for (const draw of book.active) {
      const signed = signatures.sign(draw, now(), log.publicKeys)
      if (signed !== null) this.#tellSigned(signed)
    }
  }

  /** Offers what the operator has not taken yet. What it does not take before the round is due is given up, and an alarm. */
  async handOver(): Promise<void> {
    const { signatures, client, now, teller, options } = this.#shared
    if (!options.posts) return
    for (const signed of signatures.waiting) {
      const refusal = await client.handOver(signed.note).catch((error: unknown) => {
        if (error instanceof OperatorProblem) return error.message
        throw error
      })
      const at = now()
      if (refusal === null) {
        signatures.settle(signed, 'taken', at)
        teller.say('taken', `The operator took the signature of ${signed.title}.`, { close: signed.closeHash })
      } else await this.#judgeRefusal(signed, refusal, at)
    }
  }

  async #judgeRefusal(signed: SignedClose, refusal: string, at: number): Promise<void> {
    const { signatures, teller, raise } = this.#shared
    if (at >= signed.dueAt) {
      signatures.settle(signed, 'given-up', at)
      await raise(notTaken(signed, refusal))
      return
    }
    if (this.#refusals.get(signed.closeHash) !== refusal) {
      teller.warn('not-taken', `The operator does not take the signature of ${signed.title} yet: ${refusal}`)
    }
    this.#refusals.set(signed.closeHash, refusal)
  }

  #tellSigned({ title, at, isNamed, closeHash }: SignedClose): void {
    const { teller, options } = this.#shared
    const what = isNamed
      ? options.posts
        ? 'It is handed over to the operator.'
        : 'The draw asks for it; with --no-post it is kept only.'
      : 'The draw does not ask for this witness, so it is kept only.'
    teller.say('signed', `Signed the seal of ${title} as seen ${clockText(at)}. ${what}`, {
      close: closeHash,
      signed_at: at,
      named: isNamed,
    })
  }
}

function notTaken({ closeHash, title, at, dueAt, seq, note }: SignedClose, refusal: string): Suspicion {
  return {
    kind: 'not-taken',
    key: `not-taken:${closeHash}`,
    text:
      `The operator did not take the signature of ${title}, dated ${timeText(at)}, before its round ` +
      `was due ${timeText(dueAt)}: ${refusal}`,
    duration: 'once',
    seq,
    evidence: { fork: null, notes: [note] },
  }
}
