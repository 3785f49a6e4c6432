import { useEffect } from 'react'
import { arrivedAt as pageArrivedAt } from '../../shared/arrival.ts'
import { paths } from '../../shared/paths.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Anchor } from '@fairball/ui/link.tsx'
import styles from './feedback-screen.module.css'
import { FEEDBACK_TEXTS as TEXTS } from './messages.ts'

/**
 * Rights of a third party's form: to be filled in and sent, with its own scripts and origin, which is never this one.
 * It may not navigate this page.
 */
const ALLOWED = 'allow-forms allow-scripts allow-same-origin allow-popups'

/**
 * The form of a third party, in a frame that sees nothing of this site.
 *
 * @param props.arrivedAt the address that this document was loaded at
 */
export function FormFrame({ url, arrivedAt = pageArrivedAt }: { url: string; arrivedAt?: string | undefined }) {
  useEffect(() => loadAsDocument(arrivedAt), [arrivedAt])
  return (
    <Card className={styles['framed']}>
      <p className={styles['note']}>
        {TEXTS.frameNote(new URL(url).host)}{' '}
        <Anchor href={url} target="_blank" rel="noopener noreferrer">
          {TEXTS.frameOpen}
        </Anchor>
      </p>
      <iframe
        className={styles['frame']}
        src={url}
        title={TEXTS.frame}
        sandbox={ALLOWED}
        referrerPolicy="no-referrer"
        loading="lazy"
      />
    </Card>
  )
}

/** Only the answer to this page's own address allows the frame: after a link inside the site, the page is loaded again, once. */
function loadAsDocument(arrivedAt: string | undefined): void {
  if (arrivedAt === undefined || new URL(arrivedAt).pathname === paths.feedback()) return
  location.replace(paths.feedback())
}
