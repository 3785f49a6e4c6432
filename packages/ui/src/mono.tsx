import styles from './mono.module.css'

/** Addresses and transaction ids: monospace, in groups of four for reading. The gaps are space drawn by CSS, so selecting and copying gives the text without spaces. */
export function Mono({ text }: { text: string }) {
  const groups = [...text.matchAll(/.{1,4}/gu)]
  return (
    <span className={styles['mono']}>
      {groups.map((group) => (
        <span key={group.index} className={styles['group']}>
          {group[0]}
        </span>
      ))}
    </span>
  )
}
