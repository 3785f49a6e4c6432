import { Banner } from '@fairball/ui/banner.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { goTo } from '../../shared/address.ts'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { wordsFor } from '../../shared/failure.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { usePageNumber, usePlace } from '../../shared/navigation.tsx'
import { paths } from '../../shared/paths.ts'
import { Part, Screen } from '../../shared/screen.tsx'
import { FactList } from '../../shared/signing/fact-list.tsx'
import { kindTitle } from '../../shared/signing/sentences.ts'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import styles from './audit.module.css'

type Row = AnswerOf<'listAudit'>['results'][number]

const COLUMNS: readonly Column<Row>[] = [
  { key: 'id', heading: 'Row', cell: ({ id }) => id, sort: ({ id }) => Number(id) },
  { key: 'at', heading: 'When', cell: ({ at }) => <Moment at={at} />, sort: ({ at }) => at },
  {
    key: 'kind',
    heading: 'What',
    cell: ({ kind }) => kindTitle(kind),
    sort: ({ kind }) => kindTitle(kind),
  },
  { key: 'who', heading: 'Who', cell: peopleOf, sort: peopleOf },
  { key: 'reason', heading: 'Reason', cell: ({ reason }) => reason ?? '–' },
]

/** Everything that people did, each row chained to the one before by its hash. */
export function AuditScreen() {
  const page = usePageNumber()
  const audit = useRead('listAudit', { query: { _page: page } })
  const place = usePlace()
  const { row: opened = '' } = place.query
  const at = (row: string) => place.with({ _page: place.query['_page'] ?? '', row })
  const row = audit.data?.results.find(({ id }) => id === opened)
  return (
    <Screen title="Audit" lead="What people did and why. Nothing here can be edited or deleted.">
      <Chain />
      <Part title="Actions">
        <Loaded of={audit}>
          {({ results, total_pages }) => (
            <ConsoleTable
              caption="Actions"
              columns={COLUMNS}
              rows={results}
              rowKey={({ id }) => id}
              hrefOf={({ id }) => at(id)}
              textOf={(row) => `${kindTitle(row.kind)} ${row.kind} ${peopleOf(row)} ${row.reason ?? ''}`}
              totalPages={total_pages}
              empty="Nobody has done anything yet."
            />
          )}
        </Loaded>
      </Part>
      {row !== undefined && <Details row={row} onClose={() => goTo(at(''))} />}
    </Screen>
  )
}

function peopleOf({ staff, approver }: Row): string {
  const names = [staff?.name ?? 'the server', ...(approver === null ? [] : [approver.name])]
  return names.join(' and ')
}

/** Whether the chain of hashes, and the signatures, hold. */
function Chain() {
  const chain = useRead('verifyAudit')
  if (chain.data === undefined)
    return chain.isPending ? <SkeletonRows rows={1} /> : <Banner kind="warning">{wordsFor(chain.error)}</Banner>
  const { ok, rows, first_bad, head } = chain.data
  if (!ok)
    return (
      <Banner kind="danger">
        The chain is broken at row {first_bad ?? '?'}: it was changed after it was written. Keep the database as it is,
        and find out who could write to it.
      </Banner>
    )
  return (
    <Banner kind="success">
      {rows === 1 ? 'The one row is' : `All ${rows} rows are`} as written.{' '}
      <span className={styles['head']}>{head}</span>
    </Banner>
  )
}

function Details({ row, onClose }: { row: Row; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title={`Row ${row.id}: ${kindTitle(row.kind)}`}>
      <div className={styles['details']}>
        <DefinitionList
          ruled
          items={[
            { term: 'When', value: <Moment at={row.at} /> },
            { term: 'Who', value: peopleOf(row) },
            { term: 'Reason', value: row.reason ?? '–' },
            { term: 'Hash', value: <Mono text={row.hash} /> },
            { term: 'Hash before', value: <Mono text={row.prev_hash} /> },
          ]}
        />
        {row.args !== null && <FactList facts={row.args} />}
        {row.detail !== null && <FactList facts={row.detail} />}
        {row.request !== null && (
          <LinkButton variant="secondary" href={paths.request(row.request)}>
            The request and its signatures
          </LinkButton>
        )}
      </div>
    </Dialog>
  )
}
