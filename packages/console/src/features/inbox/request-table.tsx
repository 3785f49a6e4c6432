import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import type { SignedRequest } from '../../shared/calls.ts'
import { Moment } from '../../shared/moment.tsx'
import { paths } from '../../shared/paths.ts'
import { kindTitle, sentenceOf } from '../../shared/signing/sentences.ts'
import { State } from '../../shared/state.tsx'
import { REQUEST_STATE_TEXTS } from '../../shared/states.ts'

const COLUMNS: readonly Column<SignedRequest>[] = [
  {
    key: 'kind',
    heading: 'Request',
    cell: ({ kind, args, facts }) => `${kindTitle(kind)}: ${sentenceOf(kind, args, facts)}`,
    sort: ({ kind }) => kindTitle(kind),
  },
  {
    key: 'by',
    heading: 'Proposed by',
    cell: (request) => nameOf(request),
    sort: nameOf,
  },
  {
    key: 'at',
    heading: 'Proposed',
    cell: ({ created_at }) => <Moment at={created_at} />,
    sort: ({ created_at }) => created_at,
  },
  {
    key: 'state',
    heading: 'State',
    cell: (request) => <RequestState request={request} />,
    sort: ({ state }) => REQUEST_STATE_TEXTS[state].text,
  },
]

/** A request's state, and whether what it is about has changed. */
export function RequestState({ request }: { request: SignedRequest }) {
  const { mood, text } = REQUEST_STATE_TEXTS[request.state]
  if (request.is_changed === true) return <State mood="bad">Changed since</State>
  return <State mood={mood}>{text}</State>
}

function nameOf({ proposed_by }: SignedRequest): string {
  return proposed_by?.name ?? 'an invited person'
}

/** Requests, each with its page. */
export function RequestTable(props: {
  caption: string
  rows: readonly SignedRequest[]
  empty: string
  totalPages?: number
}) {
  return (
    <ConsoleTable
      {...props}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      hrefOf={({ id }) => paths.request(id)}
      textOf={({ kind, args, facts, reason, ...request }) =>
        [
          kindTitle(kind),
          sentenceOf(kind, args, facts),
          reason,
          nameOf({ kind, args, facts, reason, ...request }),
        ].join(' ')
      }
    />
  )
}
