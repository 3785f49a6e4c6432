import { lazy, Suspense, useId, useState } from 'react'
import type { Game } from '../../../shared/data/games.ts'
import { useHasScripts } from '../../../shared/has-scripts.ts'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import styles from './check-numbers.module.css'

// It needs scripts, so it is not in the HTML, and its styles are not in that of every visitor.
const CheckPanel = lazy(() => import('./check-panel.tsx'))

/**
 * Checks whether a line has won in the last 180 days: the player types or picks it, and the server searches the draws.
 * On a phone it is folded at first.
 */
export function CheckNumbers({ games, firstKey }: { games: readonly Game[]; firstKey: string }) {
  const panelId = useId()
  const hasScripts = useHasScripts()
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={LOWER_TEXTS.checkTitle}
      lead={LOWER_TEXTS.checkLead}
      actions={
        <Button
          variant="soft"
          size="small"
          className={styles['opener']}
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          {LOWER_TEXTS.checkOpen}
        </Button>
      }
    >
      {/* React ignores what a browser with scripts does not show: only the server needs the words. */}
      <noscript>{import.meta.env.SSR && <p>Checking numbers needs JavaScript.</p>}</noscript>
      <div id={panelId} className={styles['panel']} data-open={isOpen || undefined}>
        {hasScripts && (
          <Suspense fallback={null}>
            <CheckPanel games={games} firstKey={firstKey} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}
