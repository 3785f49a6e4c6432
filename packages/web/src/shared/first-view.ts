import { useEffect } from 'react'

const first = Promise.withResolvers<void>()
const whole = Promise.withResolvers<void>()
let isFirstThere = false
let awaitedParts = 0

/**
 * Resolves once React has taken over the server's page, apart from its later parts. Until then nothing may navigate to
 * another page: React would find the elements of the one and the components of the other, and render the whole page
 * again (its errors 422 and 520).
 */
export const firstView: Promise<void> = first.promise

/**
 * Resolves once React has taken over the later parts too. An earlier change would replace the server's HTML by
 * skeletons: React has nothing else to show for a part without its script.
 */
export const wholeView: Promise<void> = whole.promise

/** Reports that the first page is complete; for a page that the server did not render. */
export function firstViewStands(): void {
  isFirstThere = true
  first.resolve()
  endIfWhole()
}

/** For the innermost part of a page: a screen, or its placeholder. */
export function useFirstView(): void {
  useEffect(firstViewStands, [])
}

/** A part that may arrive later than the page. */
export interface LaterPartState {
  /** Makes the page wait for the part, unless it has arrived. @returns a function that ends the wait */
  expect: () => () => void
  /** Reports that the part has arrived. */
  arrive: () => void
}

/** @returns a part without waiters */
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
