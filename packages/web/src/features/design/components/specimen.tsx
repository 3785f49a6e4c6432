import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import { DESIGN_TEXTS } from '../messages.ts'
import type { SectionId } from '../messages.ts'
import { ReadingSection } from '../../../ui/reading-page.tsx'
import styles from './specimen.module.css'

/** How components are shown: in one theme or two, in the colours of a game. */
export interface View {
  theme: keyof typeof DESIGN_TEXTS.themes
  world: string
}

const ViewContext = createContext<View>({ theme: 'both', world: 'bitcoin-lotto' })

/** Says to all specimens below how they are shown. */
export function ViewProvider(props: { view: View; children: ReactNode }) {
  return <ViewContext value={props.view}>{props.children}</ViewContext>
}

/** A group of specimens with a heading that links lead to. */
export function Section({ id, children }: { id: SectionId; children: ReactNode }) {
  return (
    <ReadingSection id={id} title={DESIGN_TEXTS.sections[id]} className={styles['section']}>
      {children}
    </ReadingSection>
  )
}

/** Props of {@link Specimen}. */
export interface SpecimenProps {
  name: string
  /** The files of src/ui it comes from. */
  of?: readonly string[]
  /**
   * Draws it once for each theme.
   *
   * @param at the theme's name, for what has to be told apart: labels of landmarks and ids
   */
  children: (at: string) => ReactNode
}

/** A component in its states, under its name, in the themes that the page shows. */
export function Specimen({ name, of = [], children }: SpecimenProps) {
  const { theme, world } = useContext(ViewContext)
  const themes = theme === 'both' ? (['light', 'dark'] as const) : [theme]
  const id = name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
  return (
    <section id={id} aria-labelledby={`${id}-name`} className={styles['specimen']}>
      <h3 id={`${id}-name`} className={styles['name']}>
        <a href={`#${id}`}>{name}</a>
        {of.map((file) => (
          <code key={file}>ui/{file}</code>
        ))}
      </h3>
      <div className={styles['panes']}>
        {themes.map((one) => (
          <div
            key={one}
            className={styles['pane']}
            data-theme={one === 'system' ? undefined : one}
            data-game={world}
            role="group"
            aria-label={`${name}: ${DESIGN_TEXTS.themes[one]}`}
          >
            {children(one)}
          </div>
        ))}
      </div>
    </section>
  )
}

/** Things beside each other, with a word on what state they show. */
export function Row({ name, children }: { name?: string; children: ReactNode }) {
  return (
    <div className={styles['row']}>
      {name !== undefined && <p className={styles['state']}>{name}</p>}
      <div className={styles['things']}>{children}</div>
    </div>
  )
}

/** Things below each other, each as wide as the pane. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles['stack']}>{children}</div>
}
