/** Key in the local storage of the chosen theme; while it is absent, the system's is shown. */
export const THEME_KEY = 'fairball.theme'

/** A chosen theme; null is the system's. */
export type Theme = 'light' | 'dark' | null

/** The script of the head that shows the chosen theme before the first paint. */
export const SHOW_THEME = `try{const t=localStorage.getItem('${THEME_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`

/** @returns the theme chosen in this browser */
export function chosenTheme(): Theme {
  const kept = localStorage.getItem(THEME_KEY)
  return kept === 'light' || kept === 'dark' ? kept : null
}

/** Keeps a choice in this browser and tells the parts of this tab that show it; the browser tells other tabs. */
export function chooseTheme(theme: Theme): void {
  if (theme === null) localStorage.removeItem(THEME_KEY)
  else localStorage.setItem(THEME_KEY, theme)
  dispatchEvent(new StorageEvent('storage', { key: THEME_KEY }))
}

/** Shows a theme on the page and in the browser's own bar, whose two colours the server wrote. */
export function showTheme(theme: Theme): void {
  if (theme === null) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { scheme = '' } = meta.dataset
    meta.media = theme === null ? `(prefers-color-scheme: ${scheme})` : scheme === theme ? 'all' : 'not all'
  }
}
