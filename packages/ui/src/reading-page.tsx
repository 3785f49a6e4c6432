import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './reading-page.module.css'

/** One section of a long page: its id is the anchor that leads to it. */
interface Chapter {
  id: string
  title: string
}

/** Props of {@link ReadingPage}. */
interface ReadingPageProps {
  /** The name of the list of contents, shown above it. */
  contentsTitle: string
  chapters: readonly Chapter[]
  children: ReactNode
}

/** A long page to read: its list of contents stays at the side above 1023 px, and is before the text below that. */
export function ReadingPage({ contentsTitle, chapters, children }: ReadingPageProps) {
  return (
    <div className={styles['page']}>
      <nav className={styles['contents']} aria-label={contentsTitle}>
        <p className={styles['heading']} aria-hidden="true">
          {contentsTitle}
        </p>
        <ol className={styles['list']}>
          {chapters.map(({ id, title }) => (
            <li key={id}>
              {/* Not the app's own link, so that it also works without scripts, or before they load. */}
              <a href={`#${id}`} className={styles['entry']}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className={styles['text']}>{children}</div>
    </div>
  )
}

/** Props of {@link ReadingSection}. */
interface ReadingSectionProps extends Pick<Chapter, 'id'> {
  title: ReactNode
  children: ReactNode
  className?: string | undefined
}

/** A section of a long page: a heading that links lead to, and text set for reading. */
export function ReadingSection({ id, title, children, className }: ReadingSectionProps) {
  return (
    <section id={id} className={classNames(styles['section'], className)} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles['title']}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Paragraphs, one for each text of the list. */
export function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => <p key={text}>{text}</p>)
}

/** Rules as a list with marks. */
export function Points({ texts }: { texts: readonly string[] }) {
  return (
    <ul className={styles['points']}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** Terms above their explanations, as a ruled list. */
export function Terms({ items }: { items: readonly { term: string; text: ReactNode }[] }) {
  return (
    <dl className={styles['terms']}>
      {items.map(({ term, text }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
