import { momentText } from './moments.ts'
import { runtime } from './runtime.ts'
import { useSite } from './site.ts'

/** A moment in UTC; a dash for none. */
export function Moment({ at }: { at: number | null }) {
  const { now } = useSite()
  if (at === null) return '–'
  const nowAt = now === 0 ? Math.floor(runtime.nowMs() / 1000) : now
  return <time dateTime={new Date(at * 1000).toISOString()}>{momentText(at, nowAt)} UTC</time>
}
