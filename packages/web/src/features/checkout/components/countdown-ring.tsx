import styles from './countdown-ring.module.css'

/** A ring that empties as time passes. It is decoration: the time beside it is the text. */
export function CountdownRing({ share }: { /** The share of time left, from 1 to 0. */ share: number }) {
  return (
    <svg className={styles['ring']} viewBox="0 0 44 44" aria-hidden="true" focusable="false">
      <circle cx="22" cy="22" r="19" pathLength="100" className={styles['track']} />
      {/* An attribute, because the page's security policy allows no styles on elements. */}
      <circle
        cx="22"
        cy="22"
        r="19"
        pathLength="100"
        strokeDasharray={`${(share * 100).toFixed(2)} 100`}
        transform="rotate(-90 22 22)"
        className={styles['left']}
      />
    </svg>
  )
}
