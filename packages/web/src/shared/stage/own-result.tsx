import { useMoments } from '../moment.ts'
import { SameNumbersAgain } from '../order/same-numbers-again.tsx'
import { paths } from '../paths.ts'
import { useDrawPrizes } from '../data/draw-prizes.ts'
import { PayoutTracker } from '../payout/payout-tracker.tsx'
import { useSession } from '../session/use-session.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { BestLine } from './best-line.tsx'
import { STAGE_TEXTS } from './messages.ts'
import { outcomeOf } from './outcome.ts'
import styles from './own-result.module.css'
import { linesOf, useOwnTickets } from './use-own-tickets.ts'
import { winningLines } from './winning-lines.ts'

/** Props of {@link OwnResult}. */
interface OwnResultProps {
  gameKey: string
  /** The draw, which is over. */
  number: number
  /** The play it is about; of all that the player held in the draw without one. */
  playId?: string | null
  /** Links to the lines and the proof, on the page of the draw itself; elsewhere the draw is named. */
  hasLinks?: boolean
}

/** How a draw ended for the player: what was won, by which line, and where the money is. Nothing for a player without a ticket. */
export default function OwnResult({ gameKey, number, playId = null, hasLinks = false }: OwnResultProps) {
  const { currencyCode } = useSession()
  const own = useOwnTickets({ gameKey, number }, 'DRAWN')
  const tickets = playId === null ? own.tickets : own.tickets.filter((ticket) => ticket.play_id === playId)
  const moment = useMoments()
  const [first] = tickets
  const outcome = outcomeOf(tickets, currencyCode)
  const prizes = useDrawPrizes(gameKey, outcome === null ? null : number)
  if (outcome === null) return null
  const { hasWon, headline, btc, payout, countedAt, best } = outcome
  return (
    <section className={styles['result']} data-game={gameKey} aria-label={STAGE_TEXTS.yourResult}>
      <div className={styles['words']}>
        {!hasLinks && first !== undefined && (
          <p className={styles['draw']}>
            <Link href={paths.draw(gameKey, number)}>{STAGE_TEXTS.draw(number)}</Link> · {moment(first.draw.start_at)}
          </p>
        )}
        <h2 className={styles['headline']} data-won={hasWon || undefined}>
          {headline}
        </h2>
        {btc !== null && <p className={styles['btc']}>{btc} BTC</p>}
        <BestLine outcome={outcome} winningLines={winningLines(tickets, prizes)} />
        {hasLinks && (
          <p className={styles['links']}>
            <LinkButton size="small" variant="soft" href={paths.results(gameKey, 1, best?.playId)}>
              {STAGE_TEXTS.seeLines}
            </LinkButton>
            <LinkButton size="small" variant="soft" href={paths.proof(gameKey, number)}>
              {STAGE_TEXTS.checkDraw}
            </LinkButton>
            <SameNumbersAgain gameKey={gameKey} lines={linesOf(tickets)} size="small" />
          </p>
        )}
      </div>
      {payout !== null && <PayoutTracker payout={payout} countedAt={countedAt} />}
    </section>
  )
}
