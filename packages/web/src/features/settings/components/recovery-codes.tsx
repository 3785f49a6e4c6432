import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import styles from './two-factor.module.css'

/** The recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <>
      <Banner kind="success" live>
        {SETTINGS_TEXTS.twofaOn}
      </Banner>
      <h3 className={styles['stepTitle']}>{SETTINGS_TEXTS.recoveryTitle}</h3>
      <p>{SETTINGS_TEXTS.recoveryLead}</p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles['actions']}>
        <CopyButton text={codes.join('\n')} label={SETTINGS_TEXTS.recoveryCopy} />
        <Button onClick={onDone}>{SETTINGS_TEXTS.done}</Button>
      </div>
    </>
  )
}
