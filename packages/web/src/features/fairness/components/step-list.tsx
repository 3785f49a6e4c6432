import type { Check, Step, StepName } from '@fairball/domain/fairness/report'
import { Card } from '../../../ui/card.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { PROOF_TEXTS } from '../messages.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import type { MarkState } from './outcome-mark.tsx'
import styles from './step-list.module.css'

/** The steps in their order (fairness section 10). */
const NAMES = ['log', 'open', 'close', 'beacon', 'numbers', 'prizes', 'receipts'] as const satisfies StepName[]

/** The steps of a check: done ones open, one that failed stands open, the others say that they wait. */
export function StepList({ started, steps }: { started: boolean; steps: readonly Step[] }) {
  const next = NAMES.find((name) => !steps.some((step) => step.name === name))
  return (
    <Card title={PROOF_TEXTS.stepList} lead={PROOF_TEXTS.stepListLead}>
      <ol className={styles['steps']}>
        {NAMES.map((name, index) => {
          const step = steps.find((one) => one.name === name)
          return (
            <li key={name}>
              {step === undefined ? (
                <PendingStep place={index + 1} name={name} state={started && name === next ? 'running' : 'waiting'} />
              ) : (
                <Disclosure
                  level={3}
                  startsOpen={step.outcome === 'failed'}
                  title={<StepTitle place={index + 1} name={name} />}
                  aside={<OutcomeMark state={step.outcome} />}
                >
                  <p className={styles['about']}>{step.title}</p>
                  <ul className={styles['checks']}>
                    {step.checks.map((check) => (
                      <li key={check.id}>
                        <CheckRow check={check} />
                      </li>
                    ))}
                  </ul>
                </Disclosure>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

function StepTitle({ place, name }: { place: number; name: StepName }) {
  return (
    <>
      {place}. {PROOF_TEXTS.steps[name]}
    </>
  )
}

function PendingStep({ place, name, state }: { place: number; name: StepName; state: MarkState }) {
  return (
    <div className={styles['pending']}>
      <h3>
        <StepTitle place={place} name={name} />
      </h3>
      <OutcomeMark state={state} />
    </div>
  )
}

function CheckRow({ check: { title, outcome, detail, inputs } }: { check: Check }) {
  return (
    <div className={styles['check']} data-outcome={outcome}>
      <p className={styles['title']}>
        <span>{title}</span>
        <OutcomeMark state={outcome} />
      </p>
      <p className={styles['detail']}>{detail}</p>
      {inputs.length > 0 && (
        <dl className={styles['inputs']}>
          {inputs.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
