import type { Game } from '../../../shared/data/games.ts'
import { EmptyState } from '@fairball/ui/empty-state.tsx'
import { SETTINGS_ANCHOR } from '../messages.ts'
import { ORDER_TEXTS } from '../order-messages.ts'
import { PrizeTable } from './prize-table.tsx'
import { TwoColumns } from './two-columns.tsx'
import styles from './anonymous-view.module.css'

/** A game without a draw to choose, or not on sale, at the moment. */
export function Unavailable({ game }: { game: Game }) {
  return (
    <div className={styles['view']} id={SETTINGS_ANCHOR}>
      <TwoColumns
        main={<EmptyState text={game.sales_note ?? ORDER_TEXTS.unavailable} />}
        aside={<PrizeTable game={game} />}
      />
    </div>
  )
}
