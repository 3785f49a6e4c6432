import type { Game } from '../../../app/data/games.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SETTINGS_ANCHOR } from '../messages.ts'
import { ORDER_TEXTS } from '../order-messages.ts'
import { PrizeTable } from './prize-table.tsx'
import { TwoColumns } from './two-columns.tsx'
import styles from './anonymous-view.module.css'

/** A game that has no draw to choose at the moment. */
export function Unavailable({ game }: { game: Game }) {
  return (
    <div className={styles['view']} id={SETTINGS_ANCHOR}>
      <TwoColumns main={<EmptyState text={ORDER_TEXTS.unavailable} />} aside={<PrizeTable game={game} />} />
    </div>
  )
}
