import { useEffect } from 'react'

const first = Promise.withResolvers<void>()
const whole = Promise.withResolvers<void>()
let isFirstThere = false
let awaitedParts = 0

/**
 * Done once the page that the server rendered is React's, apart from what it loads later. Until then nothing may lead to another page: React would
 * find the elements of the one and the components of the other, and render the whole page again (its errors 422 and 520).
 */
export const firstView: Promise<void> = first.promise

/**
 * Done once the parts that load later are React's too. What changes before that would put skeletons in the place of the server's HTML: React has
 * nothing else to show for a part whose script is not there.
 */
export const wholeView: Promise<void> = whole.promise

/** Says that the first page stands; for a page that the server did not render. */
export function firstViewStands(): void {
  isFirstThere = true
  first.resolve()
  endIfWhole()
}

/** For whatever the innermost part of a page can be: a screen, or what is shown until it comes. */
export function useFirstView(): void {
  useEffect(firstViewStands, [])
}

/** A part of the page that may come later than the page. */
export interface LaterPartState {
  /** Says that the page waits for the part, unless it is there. @returns a function that ends the wait */
  expect: () => () => void
  /** Says that the part is there. */
  arrive: () => void
}

/** @returns a part that nobody waits for yet */
export function laterPartState(): LaterPartState {
  let isThere = false
  let isAwaited = false
  const release = () => {
    if (!isAwaited) return
    isAwaited = false
    awaitedParts -= 1
    endIfWhole()
  }
  return {
    expect: () => {
      if (!isThere) {
        isAwaited = true
        awaitedParts += 1
      }
      return release
    },
    arrive: () => {
      isThere = true
      release()
    },
  }
}

function endIfWhole(): void {
  if (isFirstThere && awaitedParts === 0) whole.resolve()
}
