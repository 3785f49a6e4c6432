import type { WatchPhase } from '@fairball/domain/draw-phase'
import { formatMoney } from '@fairball/domain/fiat'
import type { WatchData, WatchPrize } from '@fairball/contract/schemas/game'
import { useSession } from '../../../app/session/use-session.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Card } from '../../../ui/card.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Link } from '../../../ui/link.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import styles from './prize-list.module.css'

/** What each tier of the draw pays, and to how many; until it is known, when it will be. */
export function PrizeList({ prizes, phase }: { prizes: WatchData['prizes']; phase: WatchPhase }) {
  return (
    <Card title={WATCH_TEXTS.prizes}>
      {prizes === false ? (
        <p className={styles['waiting']}>
          {phase === 'ENDED' ? WATCH_TEXTS.prizesCounting : WATCH_TEXTS.prizesWaiting}
        </p>
      ) : (
        <Prizes prizes={prizes} />
      )}
    </Card>
  )
}

function Prizes({ prizes }: { prizes: readonly WatchPrize[] }) {
  const partners = prizes.flatMap((prize) => prize.partners)
  return (
    <>
      {prizes.some((prize) => prize.youWin) && (
        <Banner kind="success" live>
          {WATCH_TEXTS.youWinBanner}
        </Banner>
      )}
      <DataTable
        caption={WATCH_TEXTS.prizes}
        rows={prizes}
        rowKey={(prize) => prize.matches[0] ?? 0}
        columns={COLUMNS}
      />
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
    </>
  )
}

function Matches({ prize }: { prize: WatchPrize }) {
  return (
    <span className={styles['matches']}>
      <strong>{WATCH_TEXTS.matches(prize.matches[0] ?? 0)}</strong>
      <span className={styles['type']}>{WATCH_TEXTS.types[prize.type]}</span>
      {prize.youWin && <Tag kind="success">{WATCH_TEXTS.youWin}</Tag>}
    </span>
  )
}

/** The amounts for each winner: fiat first, bitcoin second and smaller. */
function Amount({ prize }: { prize: WatchPrize }) {
  const { currencyCode } = useSession()
  if (prize.type === 'FREE_TICKET') return WATCH_TEXTS.types.FREE_TICKET
  if (prize.crypto === null) {
    return (
      <>
        <span aria-hidden="true">{WATCH_TEXTS.notWon}</span>
        <VisuallyHidden>{WATCH_TEXTS.notWonSpoken}</VisuallyHidden>
      </>
    )
  }
  const fiat = prize.fiat?.[currencyCode]
  return (
    <span className={styles['amount']}>
      {fiat !== undefined && <strong>{formatMoney(fiat)}</strong>}
      <span className={styles['crypto']}>
        {prize.crypto.value} {prize.crypto.code}
      </span>
    </span>
  )
}

const COLUMNS: readonly Column<WatchPrize>[] = [
  { heading: WATCH_TEXTS.columnMatches, cell: matchesCell },
  { heading: WATCH_TEXTS.columnPrize, cell: amountCell, align: 'end' },
  { heading: WATCH_TEXTS.columnWinners, cell: (prize) => prize.number_of_wins.toLocaleString('en-US'), align: 'end' },
]

function matchesCell(prize: WatchPrize) {
  return <Matches prize={prize} />
}

function amountCell(prize: WatchPrize) {
  return <Amount prize={prize} />
}
