import type { Mail } from '@fairball/contract/calls/demo'
import { paths } from '../../../shared/paths.ts'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { RefreshIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { LINKS_TEXTS } from '../messages.ts'
import { useMails } from '../use-links.ts'
import { writeTime } from '../write-time.ts'
import { MailLinks } from './mail-links.tsx'
import styles from './mails.module.css'

/** The newest mails of the demo's outbox with the links in them. */
export function Mails() {
  const mails = useMails()
  const refresh = (
    <Button
      variant="soft"
      size="small"
      busy={mails.isFetching}
      icon={<RefreshIcon size={18} />}
      onClick={() => void mails.refetch()}
    >
      {LINKS_TEXTS.refresh}
    </Button>
  )
  return (
    <Card title={LINKS_TEXTS.mails} actions={refresh}>
      <MailList mails={mails} />
      <p>
        <Link href={paths.outbox()}>{LINKS_TEXTS.toOutbox}</Link>
      </p>
    </Card>
  )
}

function MailList({ mails }: { mails: ReturnType<typeof useMails> }) {
  if (mails.isPending) return <SkeletonRows rows={3} />
  if (mails.isError) return <LoadFailed onRetry={() => void mails.refetch()} />
  if (mails.data.length === 0) return <EmptyState text={LINKS_TEXTS.mailsEmpty} />
  return (
    <ul className={styles['mails']}>
      {mails.data.map((mail) => (
        <li key={mail.id} className={styles['mail']}>
          <OneMail mail={mail} />
        </li>
      ))}
    </ul>
  )
}

function OneMail({ mail }: { mail: Mail }) {
  return (
    <>
      <Disclosure title={mail.subject} level={3}>
        <p className={styles['text']}>{mail.text}</p>
      </Disclosure>
      <p className={styles['to']}>{LINKS_TEXTS.mailTo(mail.to, writeTime(mail.sent_at))}</p>
      <MailLinks links={mail.links} />
    </>
  )
}
