import { runtime } from '../shared/runtime.ts'

/** How long the picture of a page that goes is held for the next one: after that, what stands is shown, even if it is the page that goes. */
export const MAX_HELD_MS = 1000

/**
 * Lets a picture of the present page fade over the next one (design language, "Motion").
 *
 * Within a view transition's change, and while a page is shown by its picture, a browser finds nothing on the page: what is pressed would be lost for a
 * third of a second on a fast computer, and longer on a slow one. So nothing changes within this one, and only the page that goes has a picture. That
 * lies over the live page and lets presses through, held still until the next page stands under it.
 *
 * @param change puts the next page up
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
 * Waits for the picture. Meanwhile the browser takes every press for one on the document itself, also one that ends later: they reach what they
 * were meant for afterwards.
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
  // Of a page that is out of sight, or left for yet another one, there is no picture.
  await ready.catch(() => undefined)
  document.removeEventListener('mousedown', begin)
  document.removeEventListener('click', keep)
  if (isPressed) document.addEventListener('click', handOn, { once: true })
  for (const press of presses) handOn(press)
}

/** Hands a press on the document itself to what is shown at its place. */
function handOn(press: MouseEvent): void {
  if (press.target !== document.documentElement) return
  document.elementFromPoint(press.clientX, press.clientY)?.dispatchEvent(new MouseEvent('click', press))
}
