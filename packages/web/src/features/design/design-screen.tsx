import { GAMES } from '@fairball/domain/games'
import { useEffect, useState } from 'react'
import { paths } from '../../app/paths.ts'
import { FilterChips } from '../../ui/chips.tsx'
import { Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Toggle } from '../../ui/checkbox.tsx'
import { Actions } from './components/actions.tsx'
import { Balls } from './components/balls.tsx'
import { BitcoinDetails } from './components/bitcoin.tsx'
import { Choices, Fields } from './components/fields.tsx'
import { Figures } from './components/figures.tsx'
import { Forms } from './components/forms.tsx'
import { Colours, TypeAndSpace, Worlds } from './components/foundations.tsx'
import { Notices } from './components/notices.tsx'
import { Panels } from './components/panels.tsx'
import { Dialogs, Picker } from './components/picker.tsx'
import { Reading } from './components/reading.tsx'
import { Signs } from './components/signs.tsx'
import { ViewProvider } from './components/specimen.tsx'
import type { View } from './components/specimen.tsx'
import { Wayfinding } from './components/wayfinding.tsx'
import styles from './design-screen.module.css'
import { DESIGN_TEXTS } from './messages.ts'
import { reduceMotion } from './reduced-motion.ts'

const THEMES = (['both', 'light', 'dark', 'system'] as const).map((theme) => ({
  value: theme,
  label: DESIGN_TEXTS.themes[theme],
}))
const WORLDS = GAMES.map(({ key, name }) => ({ value: key as string, label: name }))

/** Every component of src/ui in every state, in both themes and in the colours of every game. */
export function DesignScreen(_props: object) {
  const [view, setView] = useState<View>({ theme: 'both', world: 'bitcoin-lotto' })
  return (
    <>
      <PageTitle lead={DESIGN_TEXTS.lead} aside={<Link href={paths.links()}>{DESIGN_TEXTS.back}</Link>}>
        {DESIGN_TEXTS.title}
      </PageTitle>
      <nav aria-label={DESIGN_TEXTS.contents} className={styles['contents']}>
        <ol>
          {Object.entries(DESIGN_TEXTS.sections).map(([id, name]) => (
            <li key={id}>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ol>
      </nav>
      <section aria-label={DESIGN_TEXTS.view} className={styles['view']}>
        <FilterChips
          label={DESIGN_TEXTS.theme}
          options={THEMES}
          chosen={view.theme}
          onChange={(theme) => setView({ ...view, theme })}
        />
        <FilterChips
          label={DESIGN_TEXTS.world}
          options={WORLDS}
          chosen={view.world}
          onChange={(world) => setView({ ...view, world })}
        />
        <ReducedMotion />
      </section>
      <ViewProvider view={view}>
        <div className={styles['sections']}>
          <Colours />
          <Worlds />
          <TypeAndSpace />
          <Balls />
          <Actions />
          <Fields />
          <Choices />
          <Forms />
          <Notices />
          <Panels />
          <Figures />
          <Wayfinding />
          <BitcoinDetails />
          <Picker />
          <Dialogs />
          <Reading />
          <Signs />
        </div>
      </ViewProvider>
    </>
  )
}

/** Has the styles' own rules for reduced motion apply, while it is on. */
function ReducedMotion() {
  const [isReduced, setReduced] = useState(false)
  useEffect(() => (isReduced ? reduceMotion(document.styleSheets) : undefined), [isReduced])
  return <Toggle label={DESIGN_TEXTS.motion} hint={DESIGN_TEXTS.motionHint} checked={isReduced} onChange={setReduced} />
}
