import { useEffect, useState } from 'react'
import { paths } from '../../shared/paths.ts'
import { Button } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { RefreshIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { loadMailFrame, OpenMail } from './components/open-mail.tsx'
import { OutboxList } from './components/outbox-list.tsx'
import { LINKS_TEXTS } from './messages.ts'
import styles from './outbox-screen.module.css'
import { useOutbox } from './use-links.ts'

/** The mails of the demo, newest first, and a preview of the open one. */
export function OutboxScreen(_props: object) {
  const outbox = useOutbox()
  // Fetched beside the mails, not after them: the newest one opens immediately.
  useEffect(() => void loadMailFrame(), [])
  return (
    <>
      <PageTitle
        lead={LINKS_TEXTS.outboxLead}
        aside={
          <Button
            variant="soft"
            size="small"
            busy={outbox.isFetching}
            icon={<RefreshIcon size={18} />}
            onClick={() => void outbox.refetch()}
          >
            {LINKS_TEXTS.refresh}
          </Button>
        }
      >
        {LINKS_TEXTS.outbox}
      </PageTitle>
      <Outbox outbox={outbox} />
      <p className={styles['back']}>
        <Link href={paths.links()}>{LINKS_TEXTS.backToLinks}</Link>
      </p>
    </>
  )
}

function Outbox({ outbox }: { outbox: ReturnType<typeof useOutbox> }) {
  const [openId, setOpenId] = useState<string | null>(null)
  if (outbox.isPending) return <SkeletonRows rows={6} />
  if (outbox.isLoadingError) return <LoadFailed onRetry={() => void outbox.refetch()} />
  const open = outbox.data.find(({ id }) => id === openId) ?? outbox.data[0]
  if (open === undefined) return <EmptyState text={LINKS_TEXTS.mailsEmpty} />
  return (
    <div className={styles['outbox']}>
      <OutboxList mails={outbox.data} openId={open.id} onOpen={setOpenId} />
      <OpenMail key={open.id} mail={open} />
    </div>
  )
}
