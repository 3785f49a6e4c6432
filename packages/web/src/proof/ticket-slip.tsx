import { letterOf } from '@fairball/domain/line-letters'
import { useConfig } from '../shared/config.ts'
import { useMoments } from '../shared/moment.ts'
import { paths } from '../shared/paths.ts'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { QrCode } from '@fairball/ui/qr-code.tsx'
import type { PlayReceipt } from './receipt-of-play.ts'
import styles from './ticket-slip.module.css'
import { TICKET_TEXTS } from './ticket-texts.ts'

/** A play to print: the lines of one order in one draw. */
export interface PrintedPlay {
  readonly playId: string
  readonly gameKey: string
  readonly gameName: string
  /** Null before its papers say which draw it is in. */
  readonly draw: number | null
  /** epoch seconds */
  readonly startAt: number
  readonly lines: readonly (readonly number[])[]
}

/**
 * A ticket on paper, A6 or larger: its draw, all lines, its receipt, and the code that proves them. On the screen it is
 * not there, and on paper nothing else is.
 */
export function TicketSlip({ play, receipt }: { play: PrintedPlay; receipt: PlayReceipt | undefined }) {
  const { publicUrl, siteName, testMode } = useConfig()
  const moment = useMoments()
  const { gameKey, gameName, startAt, lines } = play
  const number = play.draw ?? receipt?.draw ?? null
  const proof = number === null ? null : publicUrl + paths.proof(gameKey, number)
  const code = receipt?.code ?? null
  return (
    <section className={styles['slip']}>
      <h2 className={styles['title']}>{TICKET_TEXTS.title(siteName)}</h2>
      {testMode && <p className={styles['test']}>{TICKET_TEXTS.test}</p>}
      <div className={styles['head']}>
        <div className={styles['facts']}>
          <DefinitionList
            items={[
              { term: TICKET_TEXTS.game, value: gameName },
              ...(number === null ? [] : [{ term: TICKET_TEXTS.draw, value: number.toLocaleString('en-US') }]),
              { term: TICKET_TEXTS.date, value: moment(startAt) },
            ]}
          />
        </div>
        <div className={styles['proof']}>
          {proof !== null && code !== null && (
            <div className={styles['code']}>
              <QrCode text={`${proof}#${code}`} label={TICKET_TEXTS.code} />
            </div>
          )}
          <p className={styles['small']}>{code === null ? TICKET_TEXTS.codeLater : TICKET_TEXTS.codeNote}</p>
        </div>
      </div>
      <PrintedLines lines={lines} />
      {receipt?.hash != null && (
        <p className={styles['small']}>
          {TICKET_TEXTS.receipt} <Mono text={receipt.hash} />
        </p>
      )}
      {proof !== null && (
        <p className={styles['small']}>
          {TICKET_TEXTS.proof} {proof}
        </p>
      )}
    </section>
  )
}

function PrintedLines({ lines }: Pick<PrintedPlay, 'lines'>) {
  return (
    <ul className={styles['lines']}>
      {lines.map((numbers, place) => {
        const letter = letterOf(place)
        return (
          <li key={letter} className={styles['line']}>
            <span className={styles['letter']}>{letter}</span>
            <ul aria-label={TICKET_TEXTS.line(letter)} className={styles['numbers']}>
              {numbers.map((number) => (
                <li key={number}>{number}</li>
              ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}
