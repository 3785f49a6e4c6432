import { useState } from 'react'
import { LinkButton } from '@fairball/ui/button.tsx'
import { SelectField, TextField } from '@fairball/ui/field.tsx'
import { CURRENCIES, DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { Part, Screen } from '../../shared/screen.tsx'
import { runtime } from '../../shared/runtime.ts'
import { useSite } from '../../shared/site.ts'
import { Month } from './month.tsx'
import { daysOf, lastMonth, reportHref } from './report-address.ts'
import styles from './reports.module.css'

const CURRENCY_OPTIONS = CURRENCIES.map(({ code }) => ({ value: code, label: code }))

/** Reports for accountants and authorities: files of a stretch of days, and the statement of a month. */
export function ReportsScreen() {
  const site = useSite()
  const nowAt = site.now === 0 ? Math.floor(runtime.nowMs() / 1000) : site.now
  // A month is whole once it has ended.
  return <Reports key={lastMonth(nowAt)} startsWith={lastMonth(nowAt)} />
}

function Reports({ startsWith }: { startsWith: string }) {
  const [currency, setCurrency] = useState(DEFAULT_CURRENCY_CODE)
  const [month, setMonth] = useState(startsWith)
  return (
    <Screen title="Reports" lead="Every figure comes from the ledger. Times are UTC.">
      <div className={styles['choice']}>
        <SelectField label="Currency" value={currency} onChange={setCurrency} options={CURRENCY_OPTIONS} />
      </div>
      <Part title="Statement of a month">
        <div className={styles['choice']}>
          <TextField label="Month" type="month" value={month} onChange={setMonth} />
        </div>
        {/^\d{4}-\d{2}$/u.test(month) && <Month month={month} currency={currency} />}
      </Part>
      <Files startsWith={startsWith} currency={currency} />
    </Screen>
  )
}

const FILES = [
  { name: 'journal', title: 'Journal', text: 'Each posting, with the rate at its time.' },
  { name: 'payouts', title: 'Payouts', text: 'Whom was paid what, and when.' },
  { name: 'players', title: 'Players', text: 'Registered, active, excluded and limited, by day, without names.' },
] as const

function Files({ startsWith, currency }: { startsWith: string; currency: string }) {
  const [days, setDays] = useState(() => daysOf(startsWith))
  return (
    <Part title="Files">
      <div className={styles['choice']}>
        <TextField label="From" type="date" value={days.from} onChange={(from) => setDays({ ...days, from })} />
        <TextField label="To the end of" type="date" value={days.to} onChange={(to) => setDays({ ...days, to })} />
      </div>
      <ul className={styles['files']}>
        {FILES.map(({ name, title, text }) => (
          <File key={name} title={title} text={text} href={reportHref(name, days, currency)} />
        ))}
        <File
          title="Trial balance"
          text="Every account at the end of the last day. The sum is zero."
          href={reportHref('trial-balance', days, currency)}
        />
      </ul>
    </Part>
  )
}

function File({ title, text, href }: { title: string; text: string; href: string | null }) {
  return (
    <li className={styles['file']}>
      <span>
        <strong>{title}</strong>
        <span className={styles['note']}>{text}</span>
      </span>
      {href === null ? (
        <span className={styles['note']}>Choose two days, the earlier one first.</span>
      ) : (
        <LinkButton size="small" variant="secondary" href={href} download aria-label={`${title} as CSV`}>
          CSV
        </LinkButton>
      )}
    </li>
  )
}
