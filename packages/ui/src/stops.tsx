import styles from './stops.module.css'

/** One stop of a sequence. */
interface Stop {
  name: string
  text: string
}

/** A sequence of events, as numbered stops on a perforated line. Up to five are side by side above 1023 px. */
export function Stops({ stops, level = 3 }: { stops: readonly Stop[]; level?: 3 | 4 }) {
  const Heading = `h${level}` as const
  return (
    <ol className={styles['steps']}>
      {stops.map(({ name, text }, place) => (
        <li key={name} className={styles['step']}>
          <span className={styles['number']} aria-hidden="true">
            {place + 1}
          </span>
          <Heading className={styles['name']}>{name}</Heading>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  )
}
