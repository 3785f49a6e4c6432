import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { usePageNumber } from '../../shared/navigation.tsx'
import { Part } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { State } from '../../shared/state.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'

type Delivery = AnswerOf<'listDeliveries'>['results'][number]

const COLUMNS: readonly Column<Delivery>[] = [
  { key: 'type', heading: 'Event', cell: ({ type }) => type, sort: ({ type }) => type },
  { key: 'at', heading: 'When', cell: ({ at }) => <Moment at={at} />, sort: ({ at }) => at },
  { key: 'tries', heading: 'Tries', cell: ({ attempts }) => attempts, sort: ({ attempts }) => attempts, align: 'end' },
  { key: 'state', heading: 'State', cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { key: 'next', heading: 'Next try', cell: ({ next_at }) => <Moment at={next_at} />, sort: ({ next_at }) => next_at },
  { key: 'do', heading: 'Change', cell: (delivery) => <Again delivery={delivery} /> },
]

function DeliveryState({ delivery: { state, status, problem } }: { delivery: Delivery }) {
  if (state === 'delivered') return <State mood="good">Delivered</State>
  const why = problem ?? (status === null ? 'not tried yet' : `answered ${status}`)
  return (
    <State mood={state === 'waiting' ? 'waiting' : 'bad'}>
      {state === 'waiting' ? `Waits: ${why}` : `Given up: ${why}`}
    </State>
  )
}

function Again({ delivery: { id, type } }: { delivery: Delivery }) {
  return (
    <ActionButton kind="webhooks.redeliver" args={{ id }} variant="soft" label={`Deliver ${type} again`}>
      Again
    </ActionButton>
  )
}

/** What a webhook was told, and how its server answered. */
export function Deliveries({ webhook }: { webhook: string }) {
  const page = usePageNumber()
  const deliveries = useRead('listDeliveries', { params: { id: webhook }, query: { _page: page } })
  return (
    <Part title={`Deliveries of webhook ${webhook}`}>
      <Loaded of={deliveries}>
        {({ results, total_pages }) => (
          <ConsoleTable
            name="deliveries"
            caption="Deliveries"
            columns={COLUMNS}
            rows={results}
            rowKey={({ id }) => id}
            totalPages={total_pages}
            empty="It was told nothing yet."
          />
        )}
      </Loaded>
    </Part>
  )
}
