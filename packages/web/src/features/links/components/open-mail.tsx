import { lazy, Suspense, useState } from 'react'
import { Card } from '@fairball/ui/card.tsx'
import { FilterChips } from '@fairball/ui/chips.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { LINKS_TEXTS } from '../messages.ts'
import type { OutboxMail } from '../use-links.ts'
import { writeTime } from '../write-time.ts'
import { MailLinks } from './mail-links.tsx'
import styles from './open-mail.module.css'

/** Loads the view of a mail, with the sanitiser. */
export const loadMailFrame = async () => ({ default: (await import('./mail-frame.tsx')).MailFrame })
const MailFrame = lazy(loadMailFrame)

const VIEWS = [
  { value: 'html', label: LINKS_TEXTS.viewHtml },
  { value: 'text', label: LINKS_TEXTS.viewText },
] as const

/** A mail as its reader sees it, as text, and the links in it. */
export function OpenMail({ mail }: { mail: OutboxMail }) {
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('html')
  return (
    <Card title={mail.subject}>
      <DefinitionList
        items={[
          { term: LINKS_TEXTS.mailTerm, value: <span className={styles['to']}>{mail.to}</span> },
          { term: LINKS_TEXTS.mailSent, value: writeTime(mail.sent_at) },
        ]}
      />
      <FilterChips label={LINKS_TEXTS.views} options={VIEWS} chosen={view} onChange={setView} />
      {view === 'html' ? (
        <Suspense fallback={<Skeleton shape="block" className={styles['frame']} />}>
          <MailFrame html={mail.html} title={mail.subject} />
        </Suspense>
      ) : (
        <p className={styles['text']}>{mail.text}</p>
      )}
      {mail.links.length > 0 && (
        <div>
          <h3 className={styles['heading']}>{LINKS_TEXTS.mailLinks}</h3>
          <MailLinks links={mail.links} />
        </div>
      )}
    </Card>
  )
}
