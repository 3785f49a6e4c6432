import { usePlayerView } from '../shared/player-view.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { saveFile } from '@fairball/ui/save-file.ts'
import { useSession } from '../shared/session/use-session.ts'
import { useClockValue } from '../shared/use-clock.ts'
import type { KeptSeal } from './kept-records.ts'
import { useKept } from './kept-store.ts'

/** The words about a player's lines in a sealed list. */
export const SEALED_TEXTS = {
  sealed: (lines: number, when: string) =>
    `${countOf(lines)} in the list sealed on ${when}, before the random number existed. Checked in this browser.`,
  waiting: 'Sales have closed. This browser is checking that your lines are in the sealed list…',
  unfinished:
    'This browser saw the sealed list in time, but was closed before your lines were checked. Check the draw to do so.',
  broken: (problem: string) =>
    `The sealed list of this draw is not what was promised. ${problem} Please keep the evidence.`,
  unchecked: (problem: string) => `This browser could not check the sealed list. ${problem}`,
  evidence: 'Download evidence',
} as const

function countOf(lines: number): string {
  return lines === 1 ? 'Your line was' : `Your ${lines.toLocaleString('en-US')} lines were`
}

/** The draw, by its number or, before the draw, when plays lack the number, by its start. */
export type SealedDraw = { readonly game: string } & ({ readonly draw: number } | { readonly startAt: number })

/**
 * This browser's check of the player's lines in a draw's sealed list; nothing without one.
 *
 * @param props.isChecked the page has checked the draw itself: an earlier check that came to no end says nothing more
 */
export default function SealedNote({ of, isChecked = false }: { of: SealedDraw; isChecked?: boolean }) {
  const { profile } = useSession()
  const close = useKept('seals').findLast(
    (seen) => seen.player === profile?.username && seen.game === of.game && isOf(seen, of),
  )
  const isOutdated = isChecked && close?.outcome === 'waiting'
  return close === undefined || isOutdated ? null : <Note close={close} />
}

function isOf(close: KeptSeal, of: SealedDraw): boolean {
  return 'draw' in of ? close.draw === of.draw : close.startAt === of.startAt
}

function Note({ close }: { close: KeptSeal }) {
  const { dateTime } = usePlayerView()
  // An interrupted check is not resumed once the draw has begun.
  const hasStarted = useClockValue((now) => now >= close.startAt)
  switch (close.outcome) {
    case 'waiting':
      return (
        <Banner kind="info" live>
          {hasStarted ? SEALED_TEXTS.unfinished : SEALED_TEXTS.waiting}
        </Banner>
      )
    case 'sealed':
      return (
        <Banner kind="success" live>
          {SEALED_TEXTS.sealed(close.lines, dateTime(close.closedAt))}
        </Banner>
      )
    case 'unchecked':
      return (
        <Banner kind="warning" live>
          {SEALED_TEXTS.unchecked(close.problem ?? '')}
        </Banner>
      )
    case 'broken':
      return (
        <Banner kind="danger" action={<Evidence close={close} />}>
          {SEALED_TEXTS.broken(close.problem ?? '')}
        </Banner>
      )
  }
}

function Evidence({ close: { evidence, game, draw } }: { close: KeptSeal }) {
  if (evidence === null) return null
  const save = () =>
    saveFile({ name: `fairball-${game}-${draw}.evidence.json`, type: 'application/json', content: evidence })
  return (
    <Button variant="danger" size="small" icon={<DownloadIcon size={18} />} onClick={save}>
      {SEALED_TEXTS.evidence}
    </Button>
  )
}
