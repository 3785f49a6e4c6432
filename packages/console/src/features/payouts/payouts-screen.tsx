import { Banner } from '@fairball/ui/banner.tsx'
import { BATCH_STATES } from './batch-states.ts'
import { LinkTabs } from '@fairball/ui/link-tabs.tsx'
import type { Batch } from '@fairball/contract/console/read'
import { useRead } from '../../shared/api.ts'
import { Amount } from '../../shared/amount.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOf } from '../../shared/money.ts'
import { usePageNumber, usePlace } from '../../shared/navigation.tsx'
import { paths } from '../../shared/paths.ts'
import { Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { State } from '../../shared/state.tsx'
import { BATCH_STATE_TEXTS } from '../../shared/states.ts'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import { ExportButton } from './export-button.tsx'
import { Unaccepted } from './unaccepted.tsx'

const COLUMNS: readonly Column<Batch>[] = [
  { key: 'id', heading: 'Batch', cell: ({ id }) => `#${id}`, sort: ({ id }) => Number(id.replace(/\D/gu, '')) },
  { key: 'state', heading: 'State', cell: ({ state }) => <BatchStateCell state={state} />, sort: ({ state }) => state },
  {
    key: 'at',
    heading: 'Made',
    cell: ({ created_at }) => <Moment at={created_at} />,
    sort: ({ created_at }) => created_at,
  },
  {
    key: 'payouts',
    heading: 'Payouts',
    cell: ({ payouts }) => payouts.length,
    sort: ({ payouts }) => payouts.length,
    align: 'end',
  },
  { key: 'flags', heading: 'Look at', cell: (batch) => flagsOf(batch) },
  {
    key: 'sats',
    heading: 'Amount',
    cell: ({ sats }) => <Amount sats={sats} />,
    sort: ({ sats }) => satsOf(sats),
    align: 'end',
  },
]

function BatchStateCell({ state }: { state: Batch['state'] }) {
  const { mood, text } = BATCH_STATE_TEXTS[state]
  return <State mood={mood}>{text}</State>
}

/** What a person should look at before approving. */
function flagsOf({ payouts, reason }: Batch): string {
  const recent = payouts.filter(({ is_address_recent }) => is_address_recent).length
  const held = payouts.filter(({ holds }) => holds.length > 0).length
  const flags = [
    recent > 0 ? `${recent} new ${recent === 1 ? 'address' : 'addresses'}` : '',
    held > 0 ? `${held} on hold` : '',
    reason ?? '',
  ]
  return flags.filter((flag) => flag !== '').join(', ') || '–'
}

/** The batches of payouts, and the stop of all of them. */
export function PayoutsScreen() {
  const { query } = usePlace()
  const page = usePageNumber()
  const state = BATCH_STATES.find((known) => known === query['state'])
  const payouts = useRead('listPayouts', { query: { state, _page: page } }, { isRenewed: true })
  const isStopped = payouts.data?.stopped !== null && payouts.data !== undefined
  return (
    <Screen
      title="Payouts"
      lead="Prizes, refunds and donations leave in batches. Large ones wait for two people."
      actions={
        <>
          {payouts.data !== undefined &&
            (isStopped ? (
              <ActionButton kind="payouts.retry" args={{ batch: 'all' }}>
                Resume all payouts
              </ActionButton>
            ) : (
              <ActionButton kind="payouts.hold" args={{ batch: 'all' }} variant="danger">
                Hold all payouts
              </ActionButton>
            ))}
          {payouts.data !== undefined && <ExportButton batches={payouts.data.results} />}
        </>
      }
    >
      {isStopped && <Banner kind="danger">All payouts are stopped: {payouts.data?.stopped}</Banner>}
      {payouts.data !== undefined && <Unaccepted spends={payouts.data.unaccepted} />}
      <LinkTabs
        label="State of the batches"
        tabs={[
          { href: paths.payouts, name: 'All', current: state === undefined },
          ...BATCH_STATES.map((one) => ({
            href: `${paths.payouts}?state=${one}`,
            name: BATCH_STATE_TEXTS[one].text,
            current: one === state,
          })),
        ]}
      />
      <Part title={state === undefined ? 'Batches' : BATCH_STATE_TEXTS[state].text}>
        <Loaded of={payouts}>
          {({ results, total_pages }) => (
            <ConsoleTable
              caption="Batches of payouts"
              columns={COLUMNS}
              rows={results}
              rowKey={({ id }) => id}
              hrefOf={({ id }) => paths.payout(id)}
              textOf={({ id, payouts: all }) =>
                [`#${id}`, ...all.flatMap(({ payee, address }) => [payee, address])].join(' ')
              }
              totalPages={total_pages}
              empty={state === undefined ? 'Nothing was paid out yet.' : 'No batch is in this state.'}
            />
          )}
        </Loaded>
      </Part>
    </Screen>
  )
}
