import { useEffect, useState } from 'react'
import { runtime } from '../runtime.ts'

/** The key under which the browser remembers the draws whose win it has celebrated. */
const CELEBRATED_KEY = 'fairball.celebrated'
/** Older ones are forgotten: nobody comes back to a win of a hundred draws ago to see the burst again. */
const MOST = 100

/** @returns whether to celebrate the win of a draw: once in this browser */
export function useCelebration(hasWon: boolean, draw: string): boolean {
  const [isOn, setIsOn] = useState(false)
  useEffect(() => {
    if (!hasWon) return
    return runtime.after(0, () => setIsOn(isFirstTime(draw)))
  }, [hasWon, draw])
  return isOn
}

/** Remembers the draw. A browser that stores nothing celebrates each time the page is opened. */
function isFirstTime(draw: string): boolean {
  try {
    const before = (localStorage.getItem(CELEBRATED_KEY) ?? '').split(' ').filter((one) => one !== '')
    if (before.includes(draw)) return false
    localStorage.setItem(CELEBRATED_KEY, [...before, draw].slice(-MOST).join(' '))
  } catch {
    // Nothing is stored.
  }
  return true
}
