import type { Ticket } from '@fairball/contract/schemas/ticket'
import { countdownTo } from '@fairball/domain/countdown'
import { useState } from 'react'
import { useClockValue } from '../../../shared/use-clock.ts'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { useGame } from '../../../shared/data/games.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { PayoutTracker } from '../../../shared/payout/payout-tracker.tsx'
import { usePlayerView } from '../../../shared/player-view.ts'
import { ReplayButton, ReplayStage } from '../../../shared/stage/replay-draw.tsx'
import { winHeadline } from '../../../shared/win-headline.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { TicketLines } from './ticket-lines.tsx'
import styles from './ticket-row.module.css'

const MINUTE = 60
const DAY = 86_400

/** The lines of one order in one draw: the draw, how it went, and the lines when opened. */
export function TicketRow({ ticket }: { ticket: Ticket }) {
  const [isOpen, setIsOpen] = useState(false)
  const [isReplayed, setIsReplayed] = useState(false)
  const name = useGameName(ticket.game_key)
  const pool = useGame(ticket.game_key).data?.sets[0]?.N
  const moment = useMoments()
  const { draw, lines } = ticket
  return (
    <article className={styles['row']} data-game={ticket.game_key}>
      <div className={styles['ticket']}>
        <Disclosure
          level={3}
          className={styles['head']}
          isOpen={isOpen}
          onToggle={setIsOpen}
          title={
            <span className={styles['title']}>
              <span aria-hidden="true">
                <Ball number={pool} size={46} />
              </span>
              <span className={styles['words']}>
                <strong>{name}</strong>
                <span className={styles['small']}>
                  <time dateTime={new Date(draw.start_at * 1000).toISOString()}>{moment(draw.start_at)}</time>
                  {' · '}
                  {SETTINGS_TEXTS.lines(lines.length)}
                </span>
              </span>
            </span>
          }
          aside={<State status={draw.status} />}
        >
          {isOpen && <TicketLines ticket={ticket} />}
        </Disclosure>
        {draw.status === 'DRAWN' || draw.status === 'VOID' ? (
          <Outcome ticket={ticket} onReplay={isReplayed ? null : () => setIsReplayed(true)} />
        ) : (
          <ToCome ticket={ticket} name={name} />
        )}
      </div>
      {isReplayed && <ReplayStage gameKey={ticket.game_key} number={draw.number} />}
    </article>
  )
}

/** Only what is not usual for a ticket in its block. */
function State({ status }: { status: Ticket['draw']['status'] }) {
  if (status === 'UPCOMING' || status === 'DRAWN') return null
  return <Tag kind={status === 'LIVE' ? 'live' : 'neutral'}>{SETTINGS_TEXTS.ticketStates[status]}</Tag>
}

/** The way to the draw, within a day of its start. */
function ToCome({
  ticket: { draw, game_key: gameKey, moved_from: movedFrom },
  name,
}: {
  ticket: Ticket
  name: string
}) {
  // Whole minutes, rounded up: one render a minute.
  const left = useClockValue((now) => Math.ceil((draw.start_at - now) / MINUTE) * MINUTE)
  const isNear = draw.status === 'LIVE' || (draw.status !== 'POSTPONED' && left < DAY)
  if (!isNear && movedFrom === null) return null
  const { hours, mins } = countdownTo(left, 0)
  return (
    <div className={styles['foot']}>
      {movedFrom !== null && <p className={styles['small']}>{SETTINGS_TEXTS.movedFrom(movedFrom)}</p>}
      {isNear && left > 0 && <p>{SETTINGS_TEXTS.untilDraw(hours, mins)}</p>}
      {isNear && (
        <LinkButton
          href={paths.watch(gameKey)}
          size="small"
          variant={draw.status === 'LIVE' ? 'primary' : 'soft'}
          aria-label={SETTINGS_TEXTS.watchLiveLabel(name)}
        >
          {SETTINGS_TEXTS.watchLive}
        </LinkButton>
      )}
    </div>
  )
}

/** The headline of a drawn ticket, and where its money is. @param onReplay null once the draw is played again */
function Outcome({ ticket, onReplay }: { ticket: Ticket; onReplay: (() => void) | null }) {
  const { money } = usePlayerView()
  const { draw, result, payout } = ticket
  return (
    <div className={styles['outcome']}>
      <p className={styles['headline']} data-won={(result?.win_type ?? null) !== null || undefined}>
        {result === null
          ? SETTINGS_TEXTS.ticketVoid
          : winHeadline({
              sum: result.amount_won === null ? null : money(result.amount_won.fiat),
              freeTickets: result.free_tickets,
              bestMatches: result.best_matches,
              balls: draw.numbers.length,
            })}
      </p>
      <Link href={paths.draw(ticket.game_key, draw.number)}>{SETTINGS_TEXTS.draw(draw.number)}</Link>
      {payout !== null && <PayoutTracker payout={payout} countedAt={draw.end_at} />}
      {draw.status === 'DRAWN' && onReplay !== null && <ReplayButton onClick={onReplay} />}
    </div>
  )
}
