import { useRef } from 'react'
import { useClock, useTick } from './use-clock.ts'

/** A text that changes with every second. @param props.textAt makes it for a time in epoch seconds */
export function TickingText({ textAt }: { textAt: (now: number) => string }) {
  const { startedAt } = useClock()
  const element = useRef<HTMLSpanElement>(null)
  useTick((now) => {
    const text = textAt(now)
    if (element.current !== null && element.current.textContent !== text) element.current.textContent = text
  })
  return <span ref={element}>{textAt(startedAt)}</span>
}
