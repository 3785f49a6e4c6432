import { useState } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { TextAreaField, TextField } from '@fairball/ui/field.tsx'
import { useMay } from '../../shared/signing/may.ts'
import { useSigning } from '../../shared/signing/signing.ts'
import { shownValue, typedValue } from './setting-text.ts'
import styles from './site.module.css'

/** Changes one setting, now or later. What is typed is shown as it will be, and then signed. */
export function SettingForm({ settingKey, value }: { settingKey: string; value: unknown }) {
  const { propose } = useSigning()
  const may = useMay('settings.apply', { key: settingKey })
  const before = shownValue(value)
  const [typed, setTyped] = useState(before)
  const [from, setFrom] = useState('')
  const read = typedValue(typed, value)
  const isSame = typed === before
  if (!may.isAllowed) return <p className={styles['note']}>{may.why}</p>
  const fromAt = from === '' ? null : Date.parse(`${from}:00Z`) / 1000
  return (
    <div className={styles['form']}>
      {before.length > 80 || before.includes('\n') ? (
        <TextAreaField label="New value" rows={8} value={typed} onChange={setTyped} />
      ) : (
        <TextField label="New value" value={typed} onChange={setTyped} spellCheck={false} />
      )}
      <TextField
        label="From (UTC)"
        type="datetime-local"
        hint="Leave it empty to change it now."
        value={from}
        onChange={setFrom}
      />
      {'problem' in read && <Banner kind="danger">{read.problem}</Banner>}
      <Button
        size="small"
        disabled={isSame || 'problem' in read || Number.isNaN(fromAt)}
        onClick={() => {
          if ('value' in read) propose('settings.apply', { key: settingKey, value: read.value, from: fromAt })
        }}
      >
        Propose the change
      </Button>
      {isSame && <p className={styles['note']}>Change the value first.</p>}
    </div>
  )
}
