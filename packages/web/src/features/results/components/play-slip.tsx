import { useConfig } from '../../../shared/config.ts'
import { usePlayReceipt } from '../../../proof/play-receipt.ts'
import { useGame } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Button } from '../../../ui/button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import type { Play } from '../use-results.ts'
import styles from './play-slip.module.css'

/**
 * A play's facts on paper beside its lines: game, draw, date, the hash of its receipt and the address of its draw's
 * proof. On the screen it is a button.
 */
export default function PlaySlip({ gameKey, play }: { gameKey: string; play: Play }) {
  const { publicUrl, siteName, testMode } = useConfig()
  const { dateTime } = usePlayerView()
  const { data: game } = useGame(gameKey)
  const nextDraw = game?.next_draw.number ?? 1
  const receipt = usePlayReceipt({ ...play, game: gameKey, nextDraw })
  const number = play.draw?.number ?? receipt.data?.draw ?? null
  const proof = number === null ? null : publicUrl + paths.proof(gameKey, number)
  return (
    <>
      <div className={styles['slip']}>
        <div>
          <p className={styles['title']}>{RESULTS_TEXTS.slipTitle(siteName)}</p>
          {testMode && <p className={styles['test']}>{RESULTS_TEXTS.slipTest}</p>}
          <DefinitionList
            ruled
            items={[
              { term: RESULTS_TEXTS.slipGame, value: game?.name ?? gameKey },
              ...(number === null ? [] : [{ term: RESULTS_TEXTS.slipDraw, value: number.toLocaleString('en-US') }]),
              { term: RESULTS_TEXTS.slipDate, value: dateTime(play.date) },
              { term: RESULTS_TEXTS.slipPlay, value: play.id },
            ]}
          />
          {receipt.data?.hash != null && (
            <p className={styles['line']}>
              {RESULTS_TEXTS.slipReceipt} <Mono text={receipt.data.hash} />
            </p>
          )}
          {proof !== null && (
            <p className={styles['line']}>
              {RESULTS_TEXTS.slipProof} {proof}
            </p>
          )}
        </div>
        {proof !== null && (
          <div className={styles['code']}>
            <QrCode text={proof} label={RESULTS_TEXTS.slipCode} />
          </div>
        )}
      </div>
      <p className={styles['print']}>
        <Button variant="soft" size="small" onClick={() => print()}>
          {RESULTS_TEXTS.print}
        </Button>
      </p>
    </>
  )
}
