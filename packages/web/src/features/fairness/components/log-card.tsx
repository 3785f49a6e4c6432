import { useState } from 'react'
import { useApi } from '../../../shared/api.ts'
import { useGames } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { LoadFailed } from '../../../ui/empty-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import type { LogRow } from '../log-statements.ts'
import { FAIRNESS_TEXTS, PROOF_TEXTS } from '../messages.ts'
import { useLogEnd } from '../use-log.ts'
import styles from './log-card.module.css'

/** How many statements are shown at first, and how many more at a press. */
const ROWS_SHOWN = 10

/** The newest statements of the log, to be read. */
export default function LogCard() {
  const log = useLogEnd()
  const [shown, setShown] = useState(ROWS_SHOWN)
  return (
    <Card id="log" title={FAIRNESS_TEXTS.log} lead={FAIRNESS_TEXTS.logLead}>
      {log.isPending && <SkeletonRows rows={5} />}
      {log.isError && <LoadFailed onRetry={() => void log.refetch()} />}
      {log.isSuccess && (
        <>
          <ol className={styles['log']} aria-label={FAIRNESS_TEXTS.logCaption}>
            {log.data.rows.slice(0, shown).map((row) => (
              <li key={row.seq}>
                <Row row={row} />
              </li>
            ))}
          </ol>
          {shown < log.data.rows.length && (
            <p>
              <Button variant="soft" onClick={() => setShown(shown + ROWS_SHOWN)}>
                {FAIRNESS_TEXTS.logMore}
              </Button>
            </p>
          )}
          {log.data.fingerprint !== null && (
            <dl className={styles['fingerprint']}>
              <dt>{FAIRNESS_TEXTS.logFingerprint}</dt>
              <dd>
                <Mono text={log.data.fingerprint} />
                <CopyButton text={log.data.fingerprint} label={PROOF_TEXTS.fingerprintLabel} />
              </dd>
            </dl>
          )}
        </>
      )}
    </Card>
  )
}

function Row({ row: { seq, hash, statement, draw } }: { row: LogRow }) {
  const api = useApi()
  const { data: games = [] } = useGames()
  const { dateTime } = usePlayerView()
  const gameName = games.find((game) => game.key === draw?.game)?.name ?? draw?.game ?? ''
  const drawName = draw === null ? FAIRNESS_TEXTS.someDraw : FAIRNESS_TEXTS.draw(gameName, draw.number)
  return (
    <>
      <span className={styles['seq']}>{seq}</span>
      <span className={styles['what']}>
        {wordsOf(statement, drawName)}
        <span className={styles['when']}>{dateTime(statement.time)}</span>
      </span>
      <span className={styles['links']}>
        {draw !== null && (
          <Link
            href={paths.proof(draw.game, draw.number)}
            aria-label={FAIRNESS_TEXTS.logProofLabel(gameName, draw.number)}
          >
            {FAIRNESS_TEXTS.logProof}
          </Link>
        )}
        <Link
          href={api.address('getStatement', { params: { hash } })}
          target="_blank"
          aria-label={FAIRNESS_TEXTS.logTextLabel(seq)}
        >
          {FAIRNESS_TEXTS.logText}
        </Link>
      </span>
    </>
  )
}

function wordsOf(statement: LogRow['statement'], draw: string): string {
  const { logStatements: words } = FAIRNESS_TEXTS
  switch (statement.type) {
    case 'log':
      return words.log()
    case 'key':
      return words.key()
    case 'chain':
      return words.chain(statement.name)
    case 'open':
      return words.open(draw)
    case 'close':
      return words.close(draw, statement.entries)
    case 'postpone':
      return words.postpone(draw)
    case 'result':
      return words.result(draw, statement.numbers)
    case 'void':
      return words.void(draw)
  }
}
