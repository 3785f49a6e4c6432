import DOMPurify from 'dompurify'
import { useCallback } from 'react'
import { LINKS_TEXTS } from '../messages.ts'
import styles from './mail-frame.module.css'

/**
 * A mail's HTML in a separate frame, where no script runs and no link works: the links are listed below it. The frame
 * has no address. Its content is written as nodes and constructed style sheets, because the page's content policy
 * forbids making either from text.
 */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const fill = useCallback(
    (frame: HTMLIFrameElement | null) => {
      if (frame === null) return undefined
      const write = () => writeMail(frame, html)
      write()
      // Firefox loads the empty document a moment later and overwrites the content.
      frame.addEventListener('load', write)
      return () => frame.removeEventListener('load', write)
    },
    [html],
  )
  return <iframe ref={fill} className={styles['frame']} sandbox="allow-same-origin" title={LINKS_TEXTS.frame(title)} />
}

function writeMail(frame: HTMLIFrameElement, html: string): void {
  const inside = frame.contentDocument
  const window = frame.contentWindow
  if (inside === null || window === null) return
  // For a whole document it returns the root element, which its type calls a node.
  const mail = DOMPurify.sanitize(html, { WHOLE_DOCUMENT: true, RETURN_DOM: true }) as HTMLElement
  // Its pictures are parts of the mail that was sent; here their words stand for them.
  for (const picture of mail.querySelectorAll<HTMLImageElement>('img[src^="cid:"]')) picture.replaceWith(picture.alt)
  inside.documentElement.lang = 'en'
  inside.title = frame.title
  // A style sheet belongs to the window that made it; the type of a window does not list its constructor.
  const { CSSStyleSheet: Sheet } = window as Window & typeof globalThis
  inside.adoptedStyleSheets = Array.from(mail.querySelectorAll('style'), (style) => {
    const sheet = new Sheet()
    sheet.replaceSync(style.textContent)
    style.remove()
    return sheet
  })
  const body = mail.querySelector('body') ?? mail
  inside.body.setAttribute('style', body.getAttribute('style') ?? '')
  inside.body.replaceChildren(...Array.from(body.childNodes, (node) => inside.importNode(node, true)))
}
