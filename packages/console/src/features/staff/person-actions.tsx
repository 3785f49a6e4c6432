import { useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { useMay } from '../../shared/signing/may.ts'
import { useSigning } from '../../shared/signing/signing.ts'
import styles from './staff.module.css'
import { RolesDialog } from './staff-dialogs.tsx'
import type { Person } from './person.ts'

/** What can be done with a person; nothing for people who may do none of it. */
export function PersonActions({ person }: { person: Person }) {
  const [isChanging, setChanging] = useState(false)
  const { propose } = useSigning()
  const may = useMay('staff.roles')
  if (!may.isAllowed || person.disabled_at !== null) return '–'
  const { id, name } = person
  return (
    <span className={styles['actions']}>
      <Button size="small" variant="soft" aria-label={`Change the roles of ${name}`} onClick={() => setChanging(true)}>
        Roles
      </Button>
      <Button
        size="small"
        variant="soft"
        aria-label={`Reset the passkeys of ${name}`}
        onClick={() => propose('staff.reset', { staff: id })}
      >
        Reset
      </Button>
      <Button
        size="small"
        variant="danger"
        aria-label={`Disable ${name}`}
        onClick={() => propose('staff.disable', { staff: id })}
      >
        Disable
      </Button>
      {isChanging && <RolesDialog person={person} onClose={() => setChanging(false)} />}
    </span>
  )
}
