import { runtime } from '../shared/runtime.ts'

/**
 * Time for which the picture of the old page waits for the new one, in ms; then the document is shown as it is, even if
 * it is still the old page.
 */
export const MAX_HELD_MS = 1000

/**
 * Lets a picture of the present page fade over the next one (design language, "Motion").
 *
 * During a view transition's change, and while a picture replaces a page, a browser finds no elements on the page:
 * presses would be lost for a third of a second on a fast computer, and longer on a slow one. So nothing changes within
 * this transition, and only the old page has a picture. It covers the live page, lets presses through, and stays until
 * the new page is under it.
 *
 * @param change shows the next page
 * @throws what `change` throws
 */
export async function fadePage(change: () => Promise<void>): Promise<void> {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isStill || typeof document.startViewTransition !== 'function') return change()
  const { dataset } = document.documentElement
  delete dataset['pageFade']
  const fade = document.startViewTransition(() => {
    if (latest === fade) dataset['pageFade'] = 'held'
  })
  latest = fade
  void fade.finished.then(() => {
    if (latest !== fade) return
    latest = null
    delete dataset['pageFade']
  })
  await withPresses(fade.ready)
  const endLimit = runtime.after(MAX_HELD_MS, () => fade.skipTransition())
  try {
    await change()
  } finally {
    endLimit()
    if (latest === fade) dataset['pageFade'] = 'running'
  }
}

let latest: ViewTransition | null = null

/**
 * Waits for the picture. Meanwhile the browser targets every press at the document itself, even one that ends later:
 * such presses are passed on afterwards.
 */
async function withPresses(ready: Promise<void>): Promise<void> {
  const presses: MouseEvent[] = []
  let isPressed = false
  const begin = (event: MouseEvent) => (isPressed = event.target === document.documentElement)
  const keep = (event: MouseEvent) => {
    isPressed = false
    if (event.target === document.documentElement) presses.push(event)
  }
  document.addEventListener('mousedown', begin)
  document.addEventListener('click', keep)
  // A page that is out of sight, or already left for another one, has no picture.
  await ready.catch(() => undefined)
  document.removeEventListener('mousedown', begin)
  document.removeEventListener('click', keep)
  if (isPressed) document.addEventListener('click', handOn, { once: true })
  for (const press of presses) handOn(press)
}

/** Passes a press on the document itself to the element at its place. */
function handOn(press: MouseEvent): void {
  if (press.target !== document.documentElement) return
  document.elementFromPoint(press.clientX, press.clientY)?.dispatchEvent(new MouseEvent('click', press))
}
