import { useState } from 'react'
import { ROLES } from '@fairball/contract/console/roles'
import type { Role } from '@fairball/contract/console/roles'
import { Button } from '@fairball/ui/button.tsx'
import { CheckboxChips } from '@fairball/ui/chips.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { Form, TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { ROLE_TEXTS } from '../../shared/roles.ts'
import { useSigning } from '../../shared/signing/signing.ts'
import styles from './staff.module.css'
import type { Person } from './person.ts'

/** The values of the form. */
interface Invited {
  name: string
  email: string
}

const TEXT_MAX = 250
const RULES = formRules<Invited>({ name: 'Name', email: 'Email' }, ({ name, email }) => ({
  name: name.trim() === '' ? 'Enter a name.' : null,
  email: /^[^\s@]+@[^\s@]+$/u.test(email.trim()) ? null : 'Enter an email address.',
}))

/** Asks for name, email and roles of a new person; the request comes next. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { propose } = useSigning()
  const [roles, setRoles] = useState<readonly Role[]>([])
  const form = useSchemaForm<Invited>(RULES, { name: '', email: '' })
  const send = ({ name, email }: Invited) => {
    onClose()
    propose('staff.invite', { name: name.trim(), email: email.trim(), roles })
  }
  return (
    <Dialog isOpen onClose={onClose} title="Invite a person">
      <Form onSubmit={(event) => void form.handleSubmit(send)(event)}>
        <TextInput control={form.control} name="name" label="Name" maxLength={TEXT_MAX} autoComplete="off" />
        <TextInput
          control={form.control}
          name="email"
          label="Email"
          type="email"
          maxLength={TEXT_MAX}
          autoComplete="off"
        />
        <RoleChips chosen={roles} onChange={setRoles} />
        <SubmitButton control={form.control} rules={RULES} busy={false} alsoNeeded={roles.length === 0 ? 'a role' : ''}>
          Continue
        </SubmitButton>
      </Form>
    </Dialog>
  )
}

/** Asks for the new roles of a person. */
export function RolesDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { propose } = useSigning()
  const [roles, setRoles] = useState<readonly Role[]>(person.roles)
  const send = () => {
    onClose()
    propose('staff.roles', { staff: person.id, roles })
  }
  return (
    <Dialog isOpen onClose={onClose} title={`Roles of ${person.name}`}>
      <div className={styles['form']}>
        <RoleChips chosen={roles} onChange={setRoles} />
        {roles.length === 0 && <p>A person needs at least one role. To take all of them, disable the person.</p>}
        <Button block disabled={roles.length === 0} onClick={send}>
          Continue
        </Button>
      </div>
    </Dialog>
  )
}

function RoleChips({ chosen, onChange }: { chosen: readonly Role[]; onChange: (roles: readonly Role[]) => void }) {
  return (
    <CheckboxChips
      legend="Roles"
      options={ROLES.map((role) => ({ value: role, label: ROLE_TEXTS[role].name }))}
      chosen={chosen}
      onChange={onChange}
      note={
        chosen.length === 0
          ? 'Roles add up. Nobody approves what they proposed.'
          : chosen.map((role) => `${ROLE_TEXTS[role].name}: ${ROLE_TEXTS[role].text}.`).join(' ')
      }
    />
  )
}
