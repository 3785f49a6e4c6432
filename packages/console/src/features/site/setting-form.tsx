import { useState } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { TextField } from '@fairball/ui/field.tsx'
import { useMay } from '../../shared/signing/may.ts'
import { useSigning } from '../../shared/signing/signing.ts'
import { momentOfField } from '../../shared/value-form/shape.ts'
import { ValueForm } from '../../shared/value-form/value-form.tsx'
import { Preview } from './preview.tsx'
import { SETTING_SHAPES } from './setting-shape.ts'
import styles from './site.module.css'

/** Changes one setting, now or later. What is entered is shown as it will be, and then signed. */
export function SettingForm({ settingKey, title, value }: { settingKey: string; title: string; value: unknown }) {
  const { propose } = useSigning()
  const may = useMay('settings.apply', { key: settingKey })
  const [entered, setEntered] = useState(value)
  const [from, setFrom] = useState('')
  const shape = SETTING_SHAPES[settingKey]
  if (!may.isAllowed) return <p className={styles['note']}>{may.why}</p>
  if (shape === undefined)
    return <Banner kind="info">This console has no form for it: operator settings-apply has.</Banner>
  const isSame = JSON.stringify(entered) === JSON.stringify(value)
  return (
    <div className={styles['form']}>
      <ValueForm shape={shape} label={title} value={entered} onChange={setEntered} />
      <TextField
        label="From (UTC)"
        type="datetime-local"
        hint="Leave it empty to change it now."
        value={from}
        onChange={setFrom}
      />
      {isSame ? (
        <p className={styles['note']}>Change the value first.</p>
      ) : (
        <Preview settingKey={settingKey} value={entered} />
      )}
      <Button
        size="small"
        disabled={isSame}
        onClick={() => propose('settings.apply', { key: settingKey, value: entered, from: momentOfField(from) })}
      >
        Propose the change
      </Button>
    </div>
  )
}
