import { useEffect } from 'react'

const first = Promise.withResolvers<void>()

/**
 * Done once the page that the server rendered is React's in all its parts. Until then nothing may lead to another page: React would find
 * the elements of the one and the components of the other, and render the whole page anew (its errors 422 and 520).
 */
export const firstView: Promise<void> = first.promise

/** Says that the first page stands; for a page that the server did not render. */
export const firstViewStands: () => void = first.resolve

/** For whatever the innermost part of a page can be: a screen, or what is shown until it comes. */
export function useFirstView(): void {
  useEffect(firstViewStands, [])
}
