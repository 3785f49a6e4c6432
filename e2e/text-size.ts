import { expect, type Page } from '@playwright/test'

/** The root's font at 200% of the browser's own, in px. */
const TWICE = '32px'

/**
 * Checks the page in its current state with letters of twice the size: nothing is cut off, overflows its box or scrolls
 * sideways, except inside a scrollable region.
 */
export async function expectReadableAtTwice(page: Page, state: string): Promise<void> {
  const width = page.viewportSize()?.width ?? NaN
  expect.soft(await textFaults(page, TWICE), `${state}, letters at 200%, ${width} px`).toEqual([])
}

/** The relevant properties of an element around a text. */
interface Box {
  rect: DOMRect
  isInline: boolean
  isClipped: boolean
  /** It covers the page. */
  isLaidOver: boolean
  scrollsX: boolean
  scrollsY: boolean
  cutsOff: boolean
  cutsWords: boolean
}

/** The texts of the page that are unreadable with this font size of the root; the size is then restored. */
async function textFaults(page: Page, rootSize: string): Promise<string[]> {
  return page.evaluate((size) => {
    const root = document.documentElement
    root.style.fontSize = size
    const faults = new Set<string>()
    const boxes = new Map<Element, Box>()
    if (root.scrollWidth > window.innerWidth)
      faults.add(`scrolls sideways by ${root.scrollWidth - window.innerWidth} px`)
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode() !== null) {
      const text = texts.currentNode
      const parent = text.parentElement
      const words = text.textContent?.trim() ?? ''
      if (parent === null || words === '' || !isToRead(parent)) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      for (const rect of range.getClientRects()) {
        const fault = rect.width > 0 ? faultOf(rect, parent) : null
        if (fault !== null) faults.add(`“${words.slice(0, 40)}” ${fault}`)
      }
    }
    root.style.fontSize = ''
    return [...faults]

    /**
     * Whether an element is visible text: not hidden, not only for assistive technology, not a picture, and not the
     * wordmark, which may be replaced by its sign.
     */
    function isToRead(element: Element): boolean {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
      if (element.closest('svg, option, header a[aria-label]') !== null) return false
      for (let at: Element | null = element; at !== null; at = at.parentElement) if (boxOf(at).isClipped) return false
      return true
    }

    /** How the boxes around a text cut it off, from the closest outwards; an overlay is not limited by its parents. */
    function faultOf(rect: DOMRect, parent: Element): string | null {
      let [scrollsX, scrollsY] = [false, false]
      for (let at: Element | null = parent; at !== null && at !== document.body; at = at.parentElement) {
        const box = boxOf(at)
        if (box.isInline) continue
        const across = Math.max(box.rect.left - rect.left, rect.right - box.rect.right)
        const down = Math.max(box.rect.top - rect.top, rect.bottom - box.rect.bottom)
        const name = `${at.tagName.toLowerCase()}.${at.className}`
        scrollsX ||= box.scrollsX
        scrollsY ||= box.scrollsY
        if (box.cutsWords && across > 1) return `is cut short in ${name}`
        // The sign of a currency may overlap the edge a little.
        if (!scrollsX && across > 8) return `runs out of ${name} by ${Math.round(across)} px`
        // Letters have room above and below them.
        if (!scrollsY && box.cutsOff && down > rect.height / 4) return `is cut off in ${name} by ${Math.round(down)} px`
        if (box.isLaidOver) return null
      }
      return null
    }

    function boxOf(element: Element): Box {
      const known = boxes.get(element)
      if (known !== undefined) return known
      const style = getComputedStyle(element)
      const box = {
        rect: element.getBoundingClientRect(),
        isInline: style.display === 'inline' || style.display === 'contents',
        isClipped: style.clipPath !== 'none',
        isLaidOver: style.position === 'fixed' || style.position === 'absolute',
        scrollsX: /auto|scroll/u.test(style.overflowX),
        scrollsY: /auto|scroll/u.test(style.overflowY),
        cutsOff: /hidden|clip/u.test(style.overflowY),
        cutsWords: style.textOverflow === 'ellipsis',
      }
      boxes.set(element, box)
      return box
    }
  }, rootSize)
}
