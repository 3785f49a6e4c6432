import { lazy, Suspense, useState } from 'react'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import type { Message } from '../use-messages.ts'
import styles from './message-card.module.css'

// The sanitiser comes with the first message that is opened.
const MessageBody = lazy(async () => ({ default: (await import('./message-body.tsx')).MessageBody }))

/** A message: its title, bold while unread, and what it says when opened. */
export function MessageCard({ message, onMark }: { message: Message; onMark: (isRead: boolean) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Disclosure
      level={2}
      title={<span className={message.is_read ? styles['read'] : styles['unread']}>{message.title}</span>}
      aside={message.is_read ? undefined : <Tag kind="soon">{SETTINGS_TEXTS.unread}</Tag>}
      isOpen={isOpen}
      onToggle={setIsOpen}
    >
      {isOpen && (
        <div className={styles['content']}>
          <Suspense fallback={<Skeleton />}>
            <MessageBody html={message.content} />
          </Suspense>
          <button type="button" className={styles['mark']} onClick={() => onMark(!message.is_read)}>
            {message.is_read ? SETTINGS_TEXTS.markUnread : SETTINGS_TEXTS.markRead}
          </button>
        </div>
      )}
    </Disclosure>
  )
}
