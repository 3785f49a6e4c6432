import { usePlayerView } from '../shared/player-view.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useSession } from '../shared/session/use-session.ts'
import { useClockValue } from '../shared/clock.ts'
import { useRemembered } from './memory.ts'
import type { SeenClose } from './memory.ts'

/** The words about the sealing of a player's lines. */
export const SEALED_TEXTS = {
  sealed: (lines: number, when: string) =>
    `${countOf(lines)} sealed on ${when}, before the draw’s randomness existed. Checked in this browser.`,
  waiting: 'Sales have closed. This browser is checking that your lines are sealed…',
  unfinished:
    'This browser saw the sealing of your lines, and was left before it had checked them in it. The draw’s own check makes up for that.',
  broken: (problem: string) =>
    `What was sealed for this draw does not hold. ${problem} Please keep the evidence: it shows what this browser was given.`,
  unchecked: (problem: string) => `This browser could not check the sealing of your lines. ${problem}`,
  evidence: 'Download evidence',
} as const

function countOf(lines: number): string {
  return lines === 1 ? 'Your line was' : `Your ${lines.toLocaleString('en-US')} lines were`
}

/** The draw: by its number, or before the draw, when plays do not have it, by its start. */
export type SealedDraw = { readonly game: string } & ({ readonly draw: number } | { readonly startAt: number })

/** This browser's sight of the sealing of the player's lines in a draw; nothing without one. */
export default function SealedNote({ of }: { of: SealedDraw }) {
  const { profile } = useSession()
  const close = useRemembered().closes.findLast(
    (seen) => seen.player === profile?.username && seen.game === of.game && isOf(seen, of),
  )
  return close === undefined ? null : <Note close={close} />
}

function isOf(close: SeenClose, of: SealedDraw): boolean {
  return 'draw' in of ? close.draw === of.draw : close.startAt === of.startAt
}

function Note({ close }: { close: SeenClose }) {
  const { dateTime } = usePlayerView()
  // The check is not resumed once the draw has begun: a page closed during it leaves it unfinished.
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
          {SEALED_TEXTS.sealed(close.lines, dateTime(close.sealedAt))}
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

function Evidence({ close: { evidence, game, draw } }: { close: SeenClose }) {
  if (evidence === null) return null
  const save = () =>
    saveFile({ name: `fairball-${game}-${draw}.evidence.json`, type: 'application/json', content: evidence })
  return (
    <Button variant="danger" size="small" icon={<DownloadIcon size={18} />} onClick={save}>
      {SEALED_TEXTS.evidence}
    </Button>
  )
}
