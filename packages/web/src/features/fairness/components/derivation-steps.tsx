import type { SampledByte } from '@fairball/domain/protocol/sampler'
import type { DerivedBall, Derivation } from '../../../proof/draw-facts.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import styles from './derivation-steps.module.css'

/** The derivation of the balls from seed and randomness, step by step (docs/fairness.md, section 8). */
export function DerivationSteps({ derivation }: { derivation: Derivation }) {
  const { balls, pool } = derivation
  return (
    <div className={styles['steps']}>
      <p>{PROOF_TEXTS.derivationLead}</p>
      <section className={styles['part']}>
        <h3>{PROOF_TEXTS.ingredients}</h3>
        <dl className={styles['values']}>
          {ingredientsOf(derivation).map(({ term, hex, text }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{hex === undefined ? text : <Mono text={hex} />}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={styles['part']}>
        <h3>{PROOF_TEXTS.stream}</h3>
        <p>{PROOF_TEXTS.streamLead}</p>
        <Stream balls={balls} />
      </section>
      <section className={styles['part']}>
        <h3>{PROOF_TEXTS.balls}</h3>
        <p>{PROOF_TEXTS.ballsLead(pool)}</p>
        <ol className={styles['balls']}>
          {balls.map((ball, index) => (
            <li key={ball.number} aria-label={PROOF_TEXTS.ball(index + 1, ball.number)}>
              <Ball number={ball.number} size={64} />
              <BallWords ball={ball} />
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

function ingredientsOf({ seed, openHash, closeHash, round, signature, randomness, key }: Derivation) {
  return [
    { term: PROOF_TEXTS.seed, hex: seed },
    { term: PROOF_TEXTS.openHash, hex: openHash },
    { term: PROOF_TEXTS.closeHash, hex: closeHash },
    { term: PROOF_TEXTS.round, text: String(round) },
    { term: PROOF_TEXTS.signature, hex: signature },
    { term: PROOF_TEXTS.randomness, hex: randomness },
    { term: PROOF_TEXTS.key, hex: key },
  ]
}

function Stream({ balls }: { balls: readonly DerivedBall[] }) {
  // Bytes repeat, but their places are distinct and never change.
  const taken = balls
    .flatMap(({ bytes, number }) => bytes.map((byte) => ({ ...byte, number })))
    .map((byte, place) => ({ ...byte, place }))
  return (
    <ol className={styles['stream']} aria-label={PROOF_TEXTS.streamLabel}>
      {taken.map(({ byte, used, number, place }) => (
        <li key={place} data-used={used}>
          {used ? (
            <>
              <span className={styles['byte']}>{hexOf(byte)}</span>
              <span className={styles['to']} aria-hidden="true">
                {number}
              </span>
              <VisuallyHidden> {PROOF_TEXTS.gives(number)}</VisuallyHidden>
            </>
          ) : (
            <>
              <s className={styles['byte']}>{hexOf(byte)}</s>
              <span className={styles['to']} aria-hidden="true">
                –
              </span>
              <VisuallyHidden> {PROOF_TEXTS.thrownAway}</VisuallyHidden>
            </>
          )}
        </li>
      ))}
    </ol>
  )
}

function BallWords({ ball }: { ball: DerivedBall }) {
  return (
    <div className={styles['words']}>
      {sentencesOf(ball).map(({ place, isUsed, sentence }) => (
        <p key={place} data-used={isUsed}>
          {sentence}
        </p>
      ))}
    </div>
  )
}

function sentencesOf(ball: DerivedBall) {
  return ball.bytes.map((byte, place) => ({ place, isUsed: byte.used, sentence: sentenceOf(byte, ball) }))
}

function sentenceOf({ byte, used, limit, remaining }: SampledByte, { place, number }: DerivedBall): string {
  return used
    ? PROOF_TEXTS.used(hexOf(byte), byte, remaining, place, number)
    : PROOF_TEXTS.rejected(hexOf(byte), byte, limit, remaining)
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
