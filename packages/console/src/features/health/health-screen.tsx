import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { CheckList } from '../../shared/check-list.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { needed } from '../../shared/signing/field-rules.ts'
import { FormAction } from '../../shared/signing/form-action.tsx'
import { State } from '../../shared/state.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'

type Process = AnswerOf<'getHealth'>['processes'][number]

const COLUMNS: readonly Column<Process>[] = [
  { key: 'role', heading: 'Role', cell: ({ role }) => role, sort: ({ role }) => role },
  { key: 'version', heading: 'Version', cell: ({ version }) => version, sort: ({ version }) => version },
  {
    key: 'settings',
    heading: 'Settings',
    cell: ({ differs, settings }) => <Settings differs={differs} hash={settings} />,
    sort: ({ settings }) => settings,
  },
  {
    key: 'started',
    heading: 'Started',
    cell: ({ started_at }) => <Moment at={started_at} />,
    sort: ({ started_at }) => started_at,
  },
  { key: 'seen', heading: 'Last seen', cell: ({ seen_at }) => <Moment at={seen_at} />, sort: ({ seen_at }) => seen_at },
]

function Settings({ differs, hash }: { differs: boolean; hash: string }) {
  if (differs) return <State mood="bad">{`Differ: ${hash.slice(0, 8)}`}</State>
  return <State mood="good">{hash.slice(0, 8)}</State>
}

/** The checks of the installation, and its processes. */
export function HealthScreen() {
  const health = useRead('getHealth', {}, { isRenewed: true })
  return (
    <Screen
      title="Health"
      lead="A worker makes these checks every minute. operator doctor prints the same list."
      actions={
        <>
          <ActionButton kind="invariants.check" args={{}}>
            Check the invariants
          </ActionButton>
          <ActionButton kind="mail.test" args={{}}>
            Send a test mail
          </ActionButton>
          <FormAction
            kind="mail.test"
            title="Type the code of a mail"
            fields={[
              {
                name: 'code',
                label: 'Code',
                hint: 'It is in the test mail, or in the mail to a new sender.',
                max: 40,
                problem: needed('Type the code.'),
              },
            ]}
            toArgs={({ code = '' }) => ({ code: code.trim() })}
          >
            Type its code
          </FormAction>
        </>
      }
    >
      <Loaded of={health} rows={8}>
        {({ checks, processes }) => (
          <>
            <Part title="Checks">
              <CheckList checks={checks} />
            </Part>
            <Part title="Processes">
              <ConsoleTable
                caption="Processes"
                columns={COLUMNS}
                rows={processes}
                rowKey={({ id }) => id}
                empty="No process has been seen lately."
              />
            </Part>
          </>
        )}
      </Loaded>
    </Screen>
  )
}
