import styles from './steps.module.css'

/**
 * The progress of a task with several steps: bars with "Step n of m" and each step's name; the current one in the
 * game's colour.
 */
export function Steps({ current, names }: { /** Counted from 1. */ current: number; names: readonly string[] }) {
  return (
    <ol
      className={styles['steps']}
      aria-label={`Step ${current} of ${names.length}`}
      // Once a task has begun, the foot of the page is slim.
      data-foot={current > 1 ? 'slim' : undefined}
    >
      {names.map((name, index) => {
        const step = index + 1
        return (
          <li
            key={name}
            className={styles['step']}
            data-state={step < current ? 'done' : step === current ? 'current' : 'ahead'}
            aria-current={step === current ? 'step' : undefined}
          >
            <span className={styles['words']}>
              <span className={styles['count']}>
                {step === current ? `Step ${step} of ${names.length}` : `Step ${step}`}
              </span>
              <span className={styles['name']}>{name}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
