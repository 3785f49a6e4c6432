import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { ChevronDownIcon } from '@fairball/ui/basic-icons.tsx'
import styles from './expert-fold.module.css'

/** A fold that works without scripts. A link to something in it opens it. */
export function ExpertFold({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => openAtAddress(fold.current), [])
  return (
    <details ref={fold} className={styles['fold']}>
      <summary className={styles['summary']}>
        <h2 className={styles['title']}>{title}</h2>
        <span className={styles['lead']}>{lead}</span>
        <span className={styles['chevron']}>
          <ChevronDownIcon size={24} />
        </span>
      </summary>
      <div className={styles['content']}>{children}</div>
    </details>
  )
}

/** Opens a fold and scrolls once the address's target is in it: parts of it may arrive later. */
function openAtAddress(fold: HTMLDetailsElement | null): () => void {
  const id = globalThis.location.hash.slice(1)
  const arrivals = new MutationObserver(() => show())
  const show = () => {
    const target = [...(fold?.querySelectorAll('[id]') ?? [])].find((one) => one.id === id)
    if (fold === null || target === undefined) return
    arrivals.disconnect()
    fold.open = true
    target.scrollIntoView()
  }
  if (fold !== null && id !== '') {
    arrivals.observe(fold, { childList: true, subtree: true })
    show()
  }
  return () => arrivals.disconnect()
}
