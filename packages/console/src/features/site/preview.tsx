import { recordOf } from '../../shared/value-form/shape.ts'
import { LegalPreview } from './legal-preview.tsx'
import { shownValue } from './setting-text.ts'
import styles from './site.module.css'

/**
 * A setting as it will be: colours as a page of them, a sender as mails have it, a legal text as its page, anything else as
 * its text.
 */
export function Preview({ settingKey, value }: { settingKey: string; value: unknown }) {
  return (
    <section className={styles['preview']} aria-label="As it will be">
      <h3 className={styles['key']}>As it will be</h3>
      <Shown settingKey={settingKey} value={value} />
    </section>
  )
}

function Shown({ settingKey, value }: { settingKey: string; value: unknown }) {
  const { paper, ink, name, address, markdown } = recordOf(value)
  if (settingKey === 'site.colors' && typeof paper === 'string' && typeof ink === 'string')
    return (
      <p className={styles['paper']} style={{ background: paper, color: ink }}>
        Text of the site on its paper
      </p>
    )
  if (settingKey.startsWith('legal.') && typeof markdown === 'string')
    return <LegalPreview key={markdown} markdown={markdown} />
  if (settingKey === 'mail.from') return <p>{`From: ${String(name)} <${String(address)}>`}</p>
  if (settingKey === 'site.name') return <strong>{String(value)}</strong>
  return <pre className={styles['value']}>{shownValue(value)}</pre>
}
