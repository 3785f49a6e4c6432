import type { ComingText } from '@fairball/contract/pages'

/** The key in the local storage with the announced texts that a visitor has dismissed. */
export const COMING_TEXTS_KEY = 'fairball.coming-texts'

/** The announced texts with their versions: a later announcement is shown again. */
export function namesOfComing(texts: readonly ComingText[]): string {
  return texts.map(({ name, version }) => `${name} ${version}`).join(', ')
}

/** The script of the head that hides announcements which were dismissed, before the first paint. */
export function hideDismissed(texts: readonly ComingText[]): string {
  return `try{if(localStorage.getItem('${COMING_TEXTS_KEY}')==='${namesOfComing(texts)}')document.documentElement.dataset.comingTexts='seen'}catch{}`
}
