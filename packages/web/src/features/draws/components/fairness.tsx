import type { LogStatementAnswer } from '@fairball/contract/schemas/fairness'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { fairnessValues } from '../fairness-record.ts'
import { DRAWS_TEXTS } from '../messages.ts'
import styles from './fairness.module.css'

/** The values that prove a draw's result, each with a button to copy it for a check elsewhere. */
export function Fairness({ statements, proofHref }: { statements: readonly LogStatementAnswer[]; proofHref: string }) {
  const values = fairnessValues(statements)
  return (
    <Card
      title={DRAWS_TEXTS.fairness}
      lead={DRAWS_TEXTS.fairnessLead}
      actions={
        values.length > 0 && (
          <LinkButton href={proofHref} size="small" variant="secondary">
            {DRAWS_TEXTS.checkYourself}
          </LinkButton>
        )
      }
    >
      {values.length === 0 ? (
        <p>{DRAWS_TEXTS.fairnessNone}</p>
      ) : (
        <dl className={styles['values']}>
          {values.map(({ name, value }) => (
            <div key={`${name} ${value}`} className={styles['value']}>
              <dt>{name}</dt>
              <dd>
                {name === DRAWS_TEXTS.round ? <span>{value}</span> : <Mono text={value} />}
                <CopyButton text={value} label={name.toLowerCase()} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}
