import { useConfig } from '../../../shared/config.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { saveFile } from '@fairball/ui/save-file.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import styles from './recovery-codes.module.css'

/** The recovery codes, shown this once, with three ways to keep them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { siteName } = useConfig()
  const download = () =>
    saveFile({
      name: SETTINGS_TEXTS.recoveryFile,
      type: 'text/plain',
      content: `${SETTINGS_TEXTS.recoveryFileHead(siteName)}\n\n${codes.join('\n')}\n`,
    })
  return (
    <>
      <Banner kind="success" live>
        {SETTINGS_TEXTS.twofaOn}
      </Banner>
      <div className={styles['sheet']}>
        <h3>{SETTINGS_TEXTS.recoveryTitle}</h3>
        <p>{SETTINGS_TEXTS.recoveryLead}</p>
        <ul className={styles['codes']}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles['actions']}>
        <CopyButton text={codes.join('\n')} label={SETTINGS_TEXTS.recoveryCopy} />
        <Button variant="soft" size="small" icon={<DownloadIcon size={18} />} onClick={download}>
          {SETTINGS_TEXTS.recoveryDownload}
        </Button>
        <Button variant="soft" size="small" onClick={() => print()}>
          {SETTINGS_TEXTS.recoveryPrint}
        </Button>
        <Button className={styles['done']} onClick={onDone}>
          {SETTINGS_TEXTS.done}
        </Button>
      </div>
    </>
  )
}
