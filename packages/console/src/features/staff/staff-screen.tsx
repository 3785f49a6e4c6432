import { useState } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { useRead } from '../../shared/api.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { roleNames } from '../../shared/roles.ts'
import { Part, Screen } from '../../shared/screen.tsx'
import { useMay } from '../../shared/signing/may.ts'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import { State } from '../../shared/state.tsx'
import { InviteDialog } from './staff-dialogs.tsx'
import type { Person } from './person.ts'
import { KEYS_NEEDED } from '../../shared/waiting.ts'
import styles from './staff.module.css'
import { PersonActions } from './person-actions.tsx'

const COLUMNS: readonly Column<Person>[] = [
  { key: 'name', heading: 'Person', cell: (person) => <Name person={person} />, sort: ({ name }) => name },
  { key: 'roles', heading: 'Roles', cell: ({ roles }) => roleNames(roles) },
  { key: 'state', heading: 'State', cell: (person) => <PersonState person={person} /> },
  {
    key: 'seen',
    heading: 'Last here',
    cell: ({ last_seen_at }) => <Moment at={last_seen_at} />,
    sort: ({ last_seen_at }) => last_seen_at,
  },
  {
    key: 'do',
    heading: 'Change',
    cell: (person) => <PersonActions person={person} />,
  },
]

function Name({ person: { name, email } }: { person: Person }) {
  return (
    <span className={styles['name']}>
      <strong>{name}</strong>
      <span className={styles['email']}>{email}</span>
    </span>
  )
}

/** The people of the console: their roles, their passkeys, and when they were last here. */
export function StaffScreen() {
  const staff = useRead('listStaff')
  const may = useMay('staff.invite')
  const [isInviting, setInviting] = useState(false)
  return (
    <Screen
      title="Staff"
      lead="Everyone signs in with a passkey, and registers two of them."
      actions={
        <Button size="small" disabled={!may.isAllowed} title={may.why} onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      }
    >
      <Loaded of={staff}>
        {(people) => (
          <>
            <Alone people={people} />
            <Part title="People">
              <ConsoleTable
                caption="People of the staff"
                columns={COLUMNS}
                rows={people}
                rowKey={({ id }) => id}
                textOf={({ name, email, roles }) => `${name} ${email} ${roleNames(roles)}`}
                empty="Nobody is invited yet."
              />
            </Part>
          </>
        )}
      </Loaded>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Screen>
  )
}

/** While one person is alone, their other passkey gives the second signature, and the public page counts one. */
function Alone({ people }: { people: readonly Person[] }) {
  const active = people.filter(({ disabled_at, keys }) => disabled_at === null && keys >= KEYS_NEEDED)
  if (active.length !== 1) return null
  return (
    <Banner kind="warning">
      One person signs everything alone here, and the public record says so. Invite a second one: from then on, two
      people are needed.
    </Banner>
  )
}

function PersonState({ person }: { person: Person }) {
  if (person.disabled_at !== null) return <State mood="off">Disabled</State>
  if (person.keys === 0) return <State mood="waiting">Invited</State>
  if (person.keys < KEYS_NEEDED) return <State mood="waiting">One passkey</State>
  return <State mood="good">{`${person.keys} passkeys`}</State>
}
