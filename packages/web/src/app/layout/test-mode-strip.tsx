import styles from './test-mode-strip.module.css'

/** The first thing on every page where only test bitcoin is accepted: on every network but bitcoin's own. It cannot be dismissed. */
export function TestModeStrip() {
  return (
    <section aria-label="Test mode" className={styles['strip']}>
      <div className={styles['inner']}>
        <strong className={styles['tag']}>Test mode</strong>
        <p>Test network: test bitcoin only, never real bitcoin.</p>
      </div>
    </section>
  )
}
