import { LINKS_TEXTS } from '../messages.ts'
import type { OutboxMail } from '../use-links.ts'
import { writeTime } from '../write-time.ts'
import styles from './outbox-list.module.css'

/** Props of {@link OutboxList}. */
interface OutboxListProps {
  mails: readonly OutboxMail[]
  openId: string
  onOpen: (id: string) => void
}

/** The mails, newest first, each a button that opens it. */
export function OutboxList({ mails, openId, onOpen }: OutboxListProps) {
  return (
    <nav aria-label={LINKS_TEXTS.outboxList} className={styles['place']}>
      <ul className={styles['list']} tabIndex={-1}>
        {mails.map((mail) => (
          <li key={mail.id}>
            <button
              type="button"
              className={styles['mail']}
              aria-current={mail.id === openId ? 'true' : undefined}
              onClick={() => onOpen(mail.id)}
            >
              <strong>{mail.subject}</strong>
              <span>{mail.to}</span>
              <span>{writeTime(mail.sent_at)}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
