import { useLayoutEffect, useRef } from 'react'
import { safeContent } from '../safe-html.ts'
import styles from './message-body.module.css'

/** What a message says. The server has sanitised it when it was written; it is sanitised once more where it is shown. */
export function MessageBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => body.current?.replaceChildren(safeContent(html)), [html])
  return <div ref={body} className={styles['body']} />
}
