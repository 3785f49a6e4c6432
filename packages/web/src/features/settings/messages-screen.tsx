import { errorText } from '../../shared/api.ts'
import { useUnreadMessages } from '../../shared/data/unread-messages.ts'
import { paths } from '../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { ListPages } from './components/list-pages.tsx'
import { MessageCard } from './components/message-card.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import styles from './messages-screen.module.css'
import { useMarkAllMessages, useMarkMessage, useMessages } from './use-messages.ts'

/** The player's messages: cards that open, read and unread. */
export function MessagesScreen({ page }: { page: number }) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.messagesTitle}</PageTitle>
      <MessageList page={page} />
    </>
  )
}

function MessageList({ page }: { page: number }) {
  const messages = useMessages(page)
  const marking = useMarkMessage(page)
  const markingAll = useMarkAllMessages(page)
  const unread = useUnreadMessages()
  const failure = marking.error ?? markingAll.error
  if (messages.isPending) return <SkeletonRows rows={5} />
  if (messages.isLoadingError) return <LoadFailed onRetry={() => void messages.refetch()} />
  const { results, total_pages: totalPages } = messages.data
  return (
    <>
      {failure !== null && <Banner kind="danger">{errorText(failure)}</Banner>}
      {unread > 0 && (
        <div>
          <Button variant="secondary" size="small" busy={markingAll.isPending} onClick={() => markingAll.mutate()}>
            {SETTINGS_TEXTS.markAllRead}
          </Button>
        </div>
      )}
      {results.length === 0 ? (
        <NoMessages isPastEnd={totalPages > 0} />
      ) : (
        <ul className={styles['messages']}>
          {results.map((message) => (
            <li key={message.id}>
              <MessageCard message={message} onMark={(isRead) => marking.mutate({ id: message.id, isRead })} />
            </li>
          ))}
        </ul>
      )}
      <ListPages page={page} totalPages={totalPages} hrefOf={paths.messages} label={SETTINGS_TEXTS.messagesPages} />
    </>
  )
}

/** There is no message yet, or the address names a page after the last. */
function NoMessages({ isPastEnd }: { isPastEnd: boolean }) {
  if (!isPastEnd) return <EmptyState text={SETTINGS_TEXTS.messagesEmpty} />
  return (
    <EmptyState
      text={SETTINGS_TEXTS.pagePastEnd}
      action={<LinkButton href={paths.messages()}>{SETTINGS_TEXTS.toFirstPage}</LinkButton>}
    />
  )
}
