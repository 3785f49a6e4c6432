import { useLayoutEffect, useRef } from 'react'
import { safeContent } from '../safe-html.ts'
import styles from './message-body.module.css'

/** A message's body. The server sanitised it when it was written; it is sanitised again for display. */
export function MessageBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => body.current?.replaceChildren(safeContent(html)), [html])
  return <div ref={body} className={styles['body']} />
}
