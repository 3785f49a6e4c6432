import { useState } from 'react'
import type { LogStatementAnswer } from '@fairball/contract/schemas/fairness'
import { useHasScripts } from '../../../shared/has-scripts.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { Disclosure } from '@fairball/ui/disclosure.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import { useLogEnd } from '../use-log.ts'
import styles from './log-card.module.css'

/** Number of statements shown at first, and added at each press. */
const ROWS_SHOWN = 10

/** The newest statements of the log, to read. Nothing is verified here. */
export default function LogCard() {
  const hasScripts = useHasScripts()
  return (
    <Card id="log" title={FAIRNESS_TEXTS.log} lead={FAIRNESS_TEXTS.logLead}>
      {/* Data that another part of the page has fetched meanwhile is not in the server's HTML. */}
      {hasScripts ? <Statements /> : <SkeletonRows rows={5} />}
    </Card>
  )
}

function Statements() {
  const log = useLogEnd()
  const [shown, setShown] = useState(ROWS_SHOWN)
  return (
    <>
      {log.isPending && <SkeletonRows rows={5} />}
      {log.isError && <LoadFailed onRetry={() => void log.refetch()} />}
      {log.isSuccess && (
        <>
          <ol className={styles['log']} aria-label={FAIRNESS_TEXTS.logCaption}>
            {log.data.statements.slice(0, shown).map((statement) => (
              <li key={statement.index}>
                <Row statement={statement} />
              </li>
            ))}
          </ol>
          {shown < log.data.statements.length && (
            <p>
              <Button variant="soft" onClick={() => setShown(shown + ROWS_SHOWN)}>
                {FAIRNESS_TEXTS.logMore}
              </Button>
            </p>
          )}
          <p>{FAIRNESS_TEXTS.logSize(log.data.size)}</p>
          <dl className={styles['fingerprint']}>
            <dt>{FAIRNESS_TEXTS.logKey}</dt>
            <dd>
              <Mono text={log.data.public_key} />
              <CopyButton text={log.data.public_key} label={FAIRNESS_TEXTS.logKeyLabel} />
            </dd>
          </dl>
        </>
      )}
    </>
  )
}

function Row({ statement: { index, at, type, hash, text } }: { statement: LogStatementAnswer }) {
  const { dateTime } = usePlayerView()
  return (
    <Disclosure
      title={
        <span className={styles['what']}>
          {FAIRNESS_TEXTS.logStatements[type] ?? type}
          <span className={styles['when']}>{dateTime(at)}</span>
        </span>
      }
      aside={<span className={styles['seq']}>{index}</span>}
    >
      <pre className={styles['text']} aria-label={FAIRNESS_TEXTS.logTextLabel(index)}>
        {text}
      </pre>
      <p className={styles['when']}>
        SHA-256 <Mono text={hash} />
      </p>
    </Disclosure>
  )
}
