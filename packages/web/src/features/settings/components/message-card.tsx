import { lazy, Suspense, useState } from 'react'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import type { Message } from '../use-messages.ts'
import styles from './message-card.module.css'

// The sanitiser comes with the first message that is opened.
const MessageBody = lazy(async () => ({ default: (await import('./message-body.tsx')).MessageBody }))

/** A message: its title, bold while unread, its time, and its body when opened; opening it marks it read. */
export function MessageCard({ message, onMark }: { message: Message; onMark: (isRead: boolean) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const { dateTime } = usePlayerView()
  const toggle = (opens: boolean) => {
    setIsOpen(opens)
    if (opens && !message.is_read) onMark(true)
  }
  return (
    <Disclosure
      level={2}
      title={<span className={message.is_read ? styles['read'] : styles['unread']}>{message.title}</span>}
      aside={
        <span className={styles['aside']}>
          <time dateTime={new Date(message.created_at * 1000).toISOString()}>{dateTime(message.created_at)}</time>
          {!message.is_read && <Tag kind="soon">{SETTINGS_TEXTS.unread}</Tag>}
        </span>
      }
      isOpen={isOpen}
      onToggle={toggle}
    >
      {isOpen && (
        <div className={styles['content']}>
          <Suspense fallback={<Skeleton />}>
            <MessageBody html={message.content} />
          </Suspense>
          {message.action !== null && (
            <p>
              <Link href={message.action.path}>{message.action.label}</Link>
            </p>
          )}
          <button type="button" className={styles['mark']} onClick={() => onMark(!message.is_read)}>
            {message.is_read ? SETTINGS_TEXTS.markUnread : SETTINGS_TEXTS.markRead}
          </button>
        </div>
      )}
    </Disclosure>
  )
}
