import { useEffect, useEffectEvent, useState } from 'react'
import { afterPaint } from '@fairball/ui/after-paint.ts'

/**
 * Changes a scene out of sight: what stands on the stage, and everything below it, has another place then. So it is
 * hidden, changed, and fades in where it belongs; nothing jumps. The first scene is there at once.
 *
 * @param name changes with the scene
 * @returns the scene to show, and whether it is hidden
 */
export function useScene<Scene>(scene: Scene, name: string): { shown: Scene; isTurning: boolean } {
  const [kept, setKept] = useState({ scene, name })
  const [isTurning, setTurning] = useState(false)
  const hasTurned = kept.name === name
  if (!hasTurned && !isTurning) setTurning(true)
  const goOn = useEffectEvent(() => (hasTurned ? setTurning(false) : setKept({ scene, name })))
  useEffect(() => {
    return isTurning ? afterPaint(() => goOn()) : undefined
  }, [isTurning, hasTurned, name])
  return { shown: hasTurned ? scene : kept.scene, isTurning }
}
