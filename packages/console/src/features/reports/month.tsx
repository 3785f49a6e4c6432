import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { wordsFor } from '../../shared/failure.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { btcText } from '../../shared/money.ts'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { State } from '../../shared/state.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import { monthHref } from './report-address.ts'
import styles from './reports.module.css'

type Statement = AnswerOf<'getMonth'>
type Balance = Statement['opening'][number]
type Line = Statement['lines'][number]

const BALANCES: readonly Column<Balance>[] = [
  { key: 'account', heading: 'Account', cell: ({ account }) => account },
  { key: 'sats', heading: 'BTC', cell: ({ sats }) => btcText(String(sats)), align: 'end' },
  { key: 'fiat', heading: 'Currency', cell: ({ fiat }) => fiat ?? '–', align: 'end' },
]
const LINES: readonly Column<Line>[] = [
  { key: 'line', heading: 'Line', cell: ({ key }) => key.replaceAll('_', ' ') },
  { key: 'events', heading: 'Events of the ledger', cell: ({ events }) => events.join(', ') },
  { key: 'sats', heading: 'BTC', cell: ({ sats }) => btcText(String(sats)), align: 'end' },
  { key: 'fiat', heading: 'Currency', cell: ({ fiat }) => fiat ?? '–', align: 'end' },
]

/** A month's statement: where it began, what moved, where it ended; and its lock. */
export function Month({ month, currency }: { month: string; currency: string }) {
  const statement = useRead('getMonth', { params: { month }, query: { currency } })
  return (
    <Loaded of={statement} rows={6}>
      {(answer) => (
        <div className={styles['month']}>
          <div className={styles['choice']}>
            {answer.locked ? <State mood="good">Locked</State> : <State mood="plain">Open</State>}
            {!answer.locked && (
              <ActionButton kind="periods.lock" args={{ month }}>
                Lock the month
              </ActionButton>
            )}
            <LinkButton size="small" variant="soft" href={monthHref(month, currency)} download>
              CSV
            </LinkButton>
          </div>
          {answer.locked && <Verified month={month} />}
          <Balances name="opening" title={`Balances before ${month}`} rows={answer.opening} />
          <div>
            <h3 className={styles['title']}>Movements</h3>
            <ConsoleTable
              name="lines"
              caption="Movements of the month"
              columns={LINES}
              rows={answer.lines}
              rowKey={({ key }) => key}
              empty="Nothing moved."
            />
          </div>
          <Balances name="closing" title={`Balances after ${month}`} rows={answer.closing} />
        </div>
      )}
    </Loaded>
  )
}

function Balances({ name, title, rows }: { name: string; title: string; rows: readonly Balance[] }) {
  return (
    <div>
      <h3 className={styles['title']}>{title}</h3>
      <ConsoleTable
        name={name}
        caption={title}
        columns={BALANCES}
        rows={rows}
        rowKey={({ account }) => account}
        empty="Every account was empty."
      />
    </div>
  )
}

/** Whether the month's journal still has the hash it was locked with. */
function Verified({ month }: { month: string }) {
  const verified = useRead('verifyMonth', { params: { month } })
  if (verified.data === undefined)
    return verified.isPending ? null : <Banner kind="warning">{wordsFor(verified.error)}</Banner>
  const { ok, locked_at, journal_hash } = verified.data
  if (!ok)
    return <Banner kind="danger">The journal is not what was locked. Find out who could write to the database.</Banner>
  return (
    <Banner kind="success">
      The journal is as it was locked on <Moment at={locked_at} />: <Mono text={journal_hash} />
    </Banner>
  )
}
