import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { Nothing, Screen } from '../../shared/screen.tsx'
import { SettingForm } from './setting-form.tsx'
import { shownValue } from './setting-text.ts'
import styles from './site.module.css'

type Setting = AnswerOf<'listSettings'>['settings'][number]

/** What an operator changes without a restart: each setting with its value, its form and its history. */
export function SiteScreen() {
  const settings = useRead('listSettings')
  return (
    <Screen
      title="Site"
      lead="Name, looks, texts, partners and limits. A change applies now, or from a moment that you choose."
    >
      <Loaded of={settings} rows={8}>
        {({ settings: all }) =>
          all.length === 0 ? (
            <Nothing>There is nothing to set.</Nothing>
          ) : (
            <div className={styles['settings']}>
              {all.map((setting) => (
                <SettingRow key={setting.key} setting={setting} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Screen>
  )
}

function SettingRow({ setting }: { setting: Setting }) {
  const { key, title, value, variable, is_fixed, coming, needs_second, history } = setting
  return (
    <Disclosure
      level={2}
      title={title}
      aside={
        <span className={styles['aside']}>
          {coming !== null && <Tag kind="warning">Changes soon</Tag>}
          {needs_second && <Tag>Two people</Tag>}
        </span>
      }
    >
      <div className={styles['setting']}>
        <p className={styles['key']}>{key}</p>
        <pre className={styles['value']}>{shownValue(value)}</pre>
        {variable !== null && (
          <p className={styles['note']}>
            From {variable} on the server.{is_fixed && ' It wins over this console: change it there.'}
          </p>
        )}
        {coming !== null && (
          <>
            <p>
              From <Moment at={coming.from_at} />:
            </p>
            <pre className={styles['value']}>{shownValue(coming.value)}</pre>
          </>
        )}
        {/* A changed value starts the form again. */}
        {!is_fixed && <SettingForm key={JSON.stringify(value)} settingKey={key} title={title} value={value} />}
        <History history={history} />
      </div>
    </Disclosure>
  )
}

function History({ history }: { history: Setting['history'] }) {
  if (history.length === 0) return <Nothing>It was never changed.</Nothing>
  return (
    <ul className={styles['history']}>
      {history.map(({ at, by, reason, value }) => (
        <li key={`${at} ${by}`}>
          <Moment at={at} />, {by}: {reason}
          <pre className={styles['value']}>{shownValue(value)}</pre>
        </li>
      ))}
    </ul>
  )
}
