import type { ReactNode } from 'react'
import styles from './figure.module.css'

/**
 * A figure in display type with extra room for its decimal point: set tightly, "£1.2M" reads like "£12M", a jackpot ten
 * times too large.
 *
 * @param props.text the figure as it is written, such as "£1.2M"
 */
export function Figure({ text }: { text: string }): ReactNode {
  const point = text.indexOf('.')
  if (point < 0) return text
  return (
    <>
      {text.slice(0, point)}
      <span className={styles['point']}>.</span>
      {text.slice(point + 1)}
    </>
  )
}
