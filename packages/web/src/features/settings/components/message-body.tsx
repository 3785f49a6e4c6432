import { safeHtml } from '../safe-html.ts'
import styles from './message-body.module.css'

/** What a message says. The server has sanitised it when it was written; it is sanitised once more where it is shown. */
export function MessageBody({ html }: { html: string }) {
  return <div className={styles['body']} dangerouslySetInnerHTML={{ __html: safeHtml(html) }} />
}
