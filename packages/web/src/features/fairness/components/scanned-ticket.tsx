import { useState } from 'react'
import { timeLabel } from '@fairball/domain/draw-time-label'
import { letterOf } from '@fairball/domain/line-letters'
import { useClockValue } from '../../../shared/use-clock.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import type { ScannedCode } from '../../../shared/scanned-ticket.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SCANNED_TEXTS } from '../scanned-messages.ts'
import type { ProofState } from '../../../proof/draw-check.ts'
import { useScannedTicket } from '../use-scanned-ticket.ts'
import type { ScannedState } from '../use-scanned-ticket.ts'
import styles from './scanned-ticket.module.css'

/** Lines shown at first: a play has up to 1,000. */
const FIRST_LINES = 20

/** Props of {@link ScannedTicket}. */
interface ScannedTicketProps {
  code: ScannedCode
  /** The progress of the check of the draw whose page this is. */
  state: ProofState
}

/** A ticket whose code was scanned: whether the sealed list of its draw has it, on any device and without a login. */
export default function ScannedTicket({ code, state }: ScannedTicketProps) {
  const scanned = useScannedTicket(code.fragment, state)
  return (
    <Card title={SCANNED_TEXTS.title}>
      <div role="status">
        <Verdict scanned={scanned} />
      </div>
      {scanned.kind === 'found' && <FoundLines {...scanned} />}
      {needsLogin(scanned) && <ToTickets />}
    </Card>
  )
}

/** One sentence about the ticket, and what follows from it. */
function Verdict({ scanned }: { scanned: ScannedState }) {
  switch (scanned.kind) {
    case 'found':
      return (
        <>
          <p className={styles['found']}>{SCANNED_TEXTS.inList(scanned.lines.length, scanned.username)}</p>
          {scanned.isRevoked && <Banner kind="warning">{SCANNED_TEXTS.revoked}</Banner>}
          {scanned.isVoid && <Banner kind="info">{SCANNED_TEXTS.voidAfter}</Banner>}
        </>
      )
    case 'early':
      return <Early closesAt={scanned.closesAt} />
    case 'checking':
      return <p>{SCANNED_TEXTS.checking}</p>
    case 'absent':
      return <Banner kind="warning">{SCANNED_TEXTS.absent}</Banner>
    case 'void':
      return <Banner kind="info">{SCANNED_TEXTS.voidAfter}</Banner>
    case 'damaged':
      return <Banner kind="warning">{SCANNED_TEXTS.damaged}</Banner>
    case 'broken':
      return <Banner kind="warning">{SCANNED_TEXTS.broken}</Banner>
    case 'not-loaded':
      return <Banner kind="warning">{SCANNED_TEXTS.notLoaded}</Banner>
  }
}

/** The list is published when sales close: today at a time, or on another day. */
function Early({ closesAt }: { closesAt: number | null }) {
  const { date, utcOffsetAt } = usePlayerView()
  const moment = useMoments()
  const isToday = useClockValue((now) => closesAt !== null && date(now) === date(closesAt))
  const isPast = useClockValue((now) => closesAt === null || now >= closesAt)
  if (closesAt === null || isPast) return <p>{SCANNED_TEXTS.late}</p>
  const when = isToday ? `at ${timeLabel(closesAt, utcOffsetAt(closesAt))}` : `on ${moment(closesAt)}`
  return <p>{SCANNED_TEXTS.early(when)}</p>
}

function FoundLines({ lines, numbers }: Extract<ScannedState, { kind: 'found' }>) {
  const [areAllShown, setAllShown] = useState(false)
  const shown = areAllShown ? lines : lines.slice(0, FIRST_LINES)
  return (
    <>
      <ul className={styles['lines']}>
        {shown.map((line, place) => {
          const letter = letterOf(place)
          return (
            <li key={letter} className={styles['line']}>
              <span className={styles['letter']} aria-hidden="true">
                {letter}
              </span>
              <BallRow places={line} size={36} label={SCANNED_TEXTS.line(letter)} matched={numbers ?? undefined} />
            </li>
          )
        })}
      </ul>
      {shown.length < lines.length && (
        <div>
          <Button variant="soft" size="small" onClick={() => setAllShown(true)}>
            {SCANNED_TEXTS.allLines(lines.length)}
          </Button>
        </div>
      )}
    </>
  )
}

/** Whether only the player's own account says more. */
function needsLogin(scanned: ScannedState): boolean {
  return (
    scanned.kind === 'absent' ||
    scanned.kind === 'void' ||
    scanned.kind === 'damaged' ||
    (scanned.kind === 'found' && scanned.isVoid)
  )
}

function ToTickets() {
  const { status } = useSession()
  return (
    <p>
      {status === 'player' ? (
        <Link href={paths.tickets()}>{SCANNED_TEXTS.toTickets}</Link>
      ) : (
        <Link href={paths.login(paths.tickets())}>{SCANNED_TEXTS.logIn}</Link>
      )}
    </p>
  )
}
