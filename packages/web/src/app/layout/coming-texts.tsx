import type { LegalName } from '@fairball/contract/legal-names'
import type { ComingText } from '@fairball/contract/pages'
import { legalPath } from '../../shared/legal/messages.ts'
import { usePlayerView } from '../../shared/player-view.ts'
import { useHasScripts } from '../../shared/has-scripts.ts'
import { CloseIcon } from '@fairball/ui/basic-icons.tsx'
import { IconButton } from '@fairball/ui/icon-button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { COMING_TEXTS_KEY, namesOfComing } from '../document/coming-texts.ts'
import styles from './coming-texts.module.css'

const TEXTS: Readonly<Record<LegalName, { changes: (day: string) => string; read: string }>> = {
  terms: { changes: (day) => `The terms change on ${day}.`, read: 'Read the new terms' },
  privacy: { changes: (day) => `The privacy policy changes on ${day}.`, read: 'Read the new policy' },
  cookies: { changes: (day) => `The page on cookies changes on ${day}.`, read: 'Read the new page' },
}

/**
 * The announced changes of legal texts, on every page. The document's attribute hides them once they were dismissed: a
 * script in the head sets it before the first paint.
 */
export default function ComingTexts({ texts }: { texts: readonly ComingText[] }) {
  const { date } = usePlayerView()
  const hasScripts = useHasScripts()
  const dismiss = () => {
    document.documentElement.dataset['comingTexts'] = 'seen'
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    try {
      localStorage.setItem(COMING_TEXTS_KEY, namesOfComing(texts))
    } catch {
      // Without a storage it is dismissed on this page only.
    }
  }
  return (
    <section aria-label="Announced changes" className={styles['strip']}>
      <div className={styles['inner']}>
        <ul className={styles['texts']}>
          {texts.map(({ name, version, fromAt }) => (
            <li key={name}>
              {TEXTS[name].changes(date(fromAt))} <Link href={legalPath(name, version)}>{TEXTS[name].read}</Link>
            </li>
          ))}
        </ul>
        {hasScripts && <IconButton label="Dismiss" icon={<CloseIcon />} onClick={dismiss} />}
      </div>
    </section>
  )
}
