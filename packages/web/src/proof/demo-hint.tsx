import { useConfig } from '../shared/config.ts'
import { paths } from '../shared/paths.ts'
import { Link } from '@fairball/ui/link.tsx'

/** The words of the hint. */
const TEXTS = {
  hint: 'Was this demo reset? This browser still remembers the one before.',
  link: 'What this browser keeps',
} as const

/**
 * In a demo: a hint that its log may have been replaced by a reset, and the link to delete the old record. It follows
 * other words. Nothing elsewhere.
 */
export function DemoHint() {
  const { testMode } = useConfig()
  if (!testMode) return null
  return (
    <>
      {' '}
      {TEXTS.hint} <Link href={`${paths.fairness()}#memory`}>{TEXTS.link}</Link>
    </>
  )
}
