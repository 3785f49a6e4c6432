import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { DrawSound } from './draw-sound.ts'
import type { Arrivals } from './use-arrivals.ts'

/** The key under which the browser remembers that sounds are on. */
export const SOUND_KEY = 'fairball.draw-sound'
const ON = 'on'

/**
 * The sounds of the draw: off by default, and remembered in this browser. Even then they wait for a first press on the
 * page, and are loaded only then.
 *
 * @returns whether they are on, and the function that turns them on and off
 */
export function useDrawSound({ from, to, prizes }: Arrivals): { isOn: boolean; toggle: () => void } {
  const isOn = useSyncExternalStore(subscribe, isRemembered, isNever)
  const play = useEffectEvent(async (playWith: (sound: DrawSound) => void) => {
    const sound = isOn ? await opened : null
    if (sound !== null) playWith(sound)
  })

  useEffect(() => {
    if (!isOn) return
    document.addEventListener('pointerdown', openOnce)
    document.addEventListener('keydown', openOnce)
    return () => {
      document.removeEventListener('pointerdown', openOnce)
      document.removeEventListener('keydown', openOnce)
    }
  }, [isOn])
  useEffect(() => {
    if (to > from) void play((sound) => sound.ball(to))
  }, [from, to])
  useEffect(() => {
    if (prizes) void play((sound) => sound.end())
  }, [prizes])

  const toggle = () => {
    if (!isOn) openOnce()
    remember(!isOn)
  }
  return { isOn, toggle }
}

/** The page's one audio context, for all draws it shows. */
let opened: Promise<DrawSound | null> | null = null

/** Call it while a press is handled: a browser allows sound only then. */
function openOnce(): void {
  opened ??= openSound().catch(() => null)
}

/** @returns null in a browser without sound */
async function openSound(): Promise<DrawSound | null> {
  if (typeof AudioContext === 'undefined') return null
  const context = new AudioContext()
  const [{ createDrawSound }] = await Promise.all([import('./draw-sound.ts'), context.resume()])
  return createDrawSound(context)
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function isRemembered(): boolean {
  return remembered === ON || readStorage() === ON
}

function isNever(): boolean {
  return false
}

/** The choice on this page if the browser stores nothing. */
let remembered: string | null = null

function remember(isOn: boolean): void {
  remembered = null
  try {
    if (isOn) localStorage.setItem(SOUND_KEY, ON)
    else localStorage.removeItem(SOUND_KEY)
  } catch {
    remembered = isOn ? ON : null
  }
  for (const listener of listeners) listener()
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(SOUND_KEY)
  } catch {
    return null
  }
}
