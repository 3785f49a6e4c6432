import { useEffect, useId, useSyncExternalStore } from 'react'
import { chooseTheme, chosenTheme, showTheme } from '../document/theme.ts'
import type { Theme } from '../document/theme.ts'
import styles from './footer.module.css'

const CHOICES: readonly { theme: Theme; name: string }[] = [
  { theme: null, name: 'System' },
  { theme: 'light', name: 'Light' },
  { theme: 'dark', name: 'Dark' },
]

/** The choice of a light or dark page, kept in this browser; all its tabs follow. */
export function ThemeSwitch() {
  const group = useId()
  const chosen = useSyncExternalStore(subscribe, chosenTheme, () => null)
  useEffect(() => showTheme(chosen), [chosen])
  return (
    <fieldset className={styles['row']}>
      <legend>Theme</legend>
      {CHOICES.map(({ theme, name }) => (
        <label key={name}>
          <input type="radio" name={group} checked={theme === chosen} onChange={() => chooseTheme(theme)} />
          {name}
        </label>
      ))}
    </fieldset>
  )
}

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  return () => removeEventListener('storage', onChange)
}
