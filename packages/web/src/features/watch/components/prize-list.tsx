import { formatMoney } from '@fairball/domain/fiat'
import type { WatchPhase } from '@fairball/domain/draw-phase'
import type { PrizeAmount } from '@fairball/contract/schemas/money'
import type { WatchData, WatchPrize } from '@fairball/contract/schemas/game'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { amountIn } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Card } from '@fairball/ui/card.tsx'
import { classNames } from '@fairball/ui/class-names.ts'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import styles from './prize-list.module.css'

/** One tier: its prize before the draw, and its payout after it. */
interface Tier {
  matches: number
  /** The promised prize; null without such a tier. */
  promised: PrizeAmount | null
  /** null until the prizes have arrived */
  won: WatchPrize | null
}

/**
 * The prize of each tier of the draw, and its number of winners. Before the prizes are known it shows the promised
 * ones, so that nothing moves when they arrive.
 */
export function PrizeList({
  game,
  prizes,
  phase,
  areNew,
  hasResult,
}: {
  game: Game
  prizes: WatchData['prizes']
  phase: WatchPhase
  /** They arrived while the page was open: they are revealed one after another, the jackpot last. */
  areNew: boolean
  /** The stage shows the player's result, and the link to the proof with it. */
  hasResult: boolean
}) {
  const { currencyCode } = useSession()
  const partners = prizes === false ? [] : prizes.flatMap((prize) => prize.partners)
  const { number } = game.next_draw
  return (
    <Card title={WATCH_TEXTS.prizes}>
      <p className={styles['waiting']}>{introduction(prizes, phase)}</p>
      <div className={classNames(styles['table'], areNew && styles['revealed'])}>
        <DataTable
          caption={WATCH_TEXTS.prizes}
          rows={tiersOf(game, prizes, currencyCode)}
          rowKey={(tier) => tier.matches}
          columns={COLUMNS}
        />
      </div>
      {partners.length > 0 && (
        <p className={styles['partners']}>
          {WATCH_TEXTS.partners}{' '}
          {partners.map((partner, index) => (
            <span key={partner.url}>
              {index > 0 && ', '}
              <Link href={partner.url} rel="noopener noreferrer">
                {partner.name}
              </Link>
            </span>
          ))}
        </p>
      )}
      {prizes !== false && (
        <p className={styles['links']}>
          <Link href={paths.draw(game.key, number)}>{WATCH_TEXTS.drawRecord}</Link>
          {!hasResult && <Link href={paths.proof(game.key, number)}>{WATCH_TEXTS.checkDraw}</Link>}
        </p>
      )}
    </Card>
  )
}

function introduction(prizes: WatchData['prizes'], phase: WatchPhase): string {
  if (prizes !== false) return WATCH_TEXTS.prizesKnown
  return phase === 'ENDED' ? WATCH_TEXTS.prizesCounting : WATCH_TEXTS.prizesWaiting
}

function tiersOf(game: Game, prizes: WatchData['prizes'], currencyCode: string): Tier[] {
  const promised = game.prizes.map(({ matches: [matches = 0], prize }) => ({
    matches,
    promised: amountIn(prize.fiat, currencyCode),
    won: null,
  }))
  if (prizes === false) return promised
  return prizes.map((won) => {
    const [matches = 0] = won.matches
    return { matches, promised: promised.find((tier) => tier.matches === matches)?.promised ?? null, won }
  })
}

function Matches({ tier: { matches, won } }: { tier: Tier }) {
  return (
    <span className={styles['matches']}>
      <strong>{WATCH_TEXTS.matches(matches)}</strong>
      {won !== null && <span className={styles['type']}>{WATCH_TEXTS.types[won.type]}</span>}
      {won?.youWin && <Tag kind="success">{WATCH_TEXTS.youWin}</Tag>}
    </span>
  )
}

/** The amounts for each winner: fiat first, bitcoin second and smaller. */
function Amount({ tier: { promised, won } }: { tier: Tier }) {
  const { currencyCode } = useSession()
  if (won === null) return <TwoLines first={promised === null ? '' : textOf(promised)} />
  if (won.type === 'FREE_TICKET') return <TwoLines first={WATCH_TEXTS.types.FREE_TICKET} />
  if (won.crypto === null) {
    return (
      <>
        <span aria-hidden="true">
          <TwoLines first={WATCH_TEXTS.notWon} />
        </span>
        <VisuallyHidden>{WATCH_TEXTS.notWonSpoken}</VisuallyHidden>
      </>
    )
  }
  const fiat = amountIn(won.fiat, currencyCode)
  return <TwoLines first={fiat === null ? '' : textOf(fiat)} second={`${won.crypto.value} ${won.crypto.code}`} />
}

/** The height of two lines, even for one. */
function TwoLines({ first, second = '' }: { first: string; second?: string }) {
  return (
    <span className={styles['amount']}>
      <strong>{first}</strong>
      <span className={styles['crypto']}>{second}</span>
    </span>
  )
}

/** "Jackpot" and "Free ticket" are unchanged. */
function textOf({ value, ...currency }: PrizeAmount): string {
  return typeof value === 'string' ? value : formatMoney({ value, ...currency })
}

function Winners({ tier: { won } }: { tier: Tier }) {
  if (won !== null) return won.number_of_wins.toLocaleString('en-US')
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>{WATCH_TEXTS.winnersUnknown}</VisuallyHidden>
    </>
  )
}

const COLUMNS: readonly Column<Tier>[] = [
  { heading: WATCH_TEXTS.columnMatches, cell: (tier) => <Matches tier={tier} /> },
  { heading: WATCH_TEXTS.columnPrize, cell: (tier) => <Amount tier={tier} />, align: 'end' },
  { heading: WATCH_TEXTS.columnWinners, cell: (tier) => <Winners tier={tier} />, align: 'end' },
]
