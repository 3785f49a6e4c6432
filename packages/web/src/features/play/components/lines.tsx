import type { Game } from '../../../shared/data/games.ts'
import { errorText } from '../../../shared/api.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import { useSavedNumbers, useSaveNumbers } from '../use-play.ts'
import { LineList } from './line-list.tsx'
import { OwnNumbers } from './own-numbers.tsx'
import styles from './lines.module.css'

/** The lines of a player's order, and those that can take their place. */
export function Lines({ game, order }: { game: Game; order: Order }) {
  return (
    <Card title={ORDER_TEXTS.lines}>
      {order.arrived > 0 && (
        <Banner kind="success" live>
          {ORDER_TEXTS.arrived(order.arrived)}
        </Banner>
      )}
      <LineList world={game.key} order={order} />
      <SaveNumbers gameKey={game.key} order={order} />
      <OwnNumbers gameKey={game.key} order={order} />
    </Card>
  )
}

/** Saves the chosen lines at the server. Shown once there is a line to save. */
function SaveNumbers({ gameKey, order }: { gameKey: string; order: Order }) {
  const save = useSaveNumbers(gameKey)
  const saved = useSavedNumbers(gameKey)
  if (!order.canSave) return null
  const chosen = order.complete.filter((line) => !line.isLuckyDip).map((line) => [...line.confirmedNumbers])
  // Once the lines change, they differ from the saved ones; once those are deleted, nothing is saved.
  const isKept = (saved.data ?? []).length > 0
  const isSaved = save.isSuccess && isKept && JSON.stringify(save.variables) === JSON.stringify(chosen)
  return (
    <div className={styles['save']}>
      <Button variant="soft" size="small" busy={save.isPending} onClick={() => save.mutate(chosen)}>
        {ORDER_TEXTS.save}
      </Button>
      <p className={styles['note']}>{ORDER_TEXTS.saveNote}</p>
      {isSaved && (
        <Banner kind="success" live>
          {ORDER_TEXTS.saved}
        </Banner>
      )}
      {save.isError && <Banner kind="danger">{errorText(save.error)}</Banner>}
    </div>
  )
}
