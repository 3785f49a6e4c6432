import type { Fiat } from '@fairball/contract/schemas/money'
import { Banner } from '@fairball/ui/banner.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { DRAWS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import type { PlayerView } from '../../../shared/player-view.ts'
import type { DrawDetails, WatchPrize } from '../use-draws.ts'
import styles from './draw-prizes.module.css'

/** The prize of each tier of a draw, and its number of winners. */
export function DrawPrizes({ draw }: { draw: DrawDetails }) {
  const view = usePlayerView()
  return (
    <Card title={DRAWS_TEXTS.prizes}>
      {draw.is_scaled && <Banner kind="info">{DRAWS_TEXTS.scaled}</Banner>}
      {draw.prizes === false ? (
        <p>{DRAWS_TEXTS.prizesLater}</p>
      ) : (
        <DataTable
          caption={DRAWS_TEXTS.prizesCaption}
          columns={columnsFor(view)}
          rows={draw.prizes}
          rowKey={(prize) => prize.matches.join()}
        />
      )}
    </Card>
  )
}

function columnsFor({ money }: PlayerView): Column<WatchPrize>[] {
  return [
    {
      heading: DRAWS_TEXTS.matches,
      cell: (prize) => (
        <span className={styles['tier']}>
          <strong>{DRAWS_TEXTS.matchCount(prize.matches[0] ?? 0)}</strong>
          {prize.youWin && <Tag kind="success">{DRAWS_TEXTS.youWin}</Tag>}
        </span>
      ),
    },
    { heading: DRAWS_TEXTS.winners, align: 'end', cell: (prize) => prize.number_of_wins.toLocaleString('en-US') },
    { heading: DRAWS_TEXTS.prize, align: 'end', cell: (prize) => <Prize prize={prize} money={money} /> },
  ]
}

function Prize({ prize, money }: { prize: WatchPrize; money: PlayerView['money'] }) {
  if (prize.type === 'FREE_TICKET') return <strong>{DRAWS_TEXTS.freeTicket}</strong>
  if (prize.crypto === null) return DRAWS_TEXTS.notWon
  return (
    <span className={styles['amount']}>
      <strong>{money(prize.fiat as Fiat) /* with bitcoin there are amounts, not words */}</strong>
      <span>
        {prize.crypto.value} {prize.crypto.code}
      </span>
    </span>
  )
}
