import { useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { Form, SelectInput, TextAreaInput, TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { useMay } from './may.ts'
import { useSigning } from './signing.ts'
import styles from './signing.module.css'

/** One thing to enter before a request. */
interface ActionField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** a line of text, several lines, a day, or one of some choices */
  readonly type?: 'text' | 'area' | 'date'
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  readonly start?: string
  readonly max?: number
  /** what is wrong with it; null if nothing is */
  readonly problem?: (value: string) => string | null
}

type Values = Record<string, string>

/** Props of {@link FormAction}. */
interface FormActionProps {
  kind: string
  title: string
  fields: readonly ActionField[]
  /** The request's arguments from what was entered. */
  toArgs: (values: Values) => Readonly<Record<string, unknown>>
  variant?: 'primary' | 'secondary' | 'soft' | 'danger'
  label?: string
  children: string
}

/** Starts a request that needs more than a reason: it is entered in a dialog, and signed in the next one. */
export function FormAction(props: FormActionProps) {
  const { kind, variant = 'secondary', label, children } = props
  const may = useMay(kind)
  const [isOpen, setOpen] = useState(false)
  if (!may.isKnown) return null
  return (
    <span className={styles['action']}>
      <Button size="small" variant={variant} disabled={!may.isAllowed} aria-label={label} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {!may.isAllowed && <span className={styles['why']}>{may.why}</span>}
      {isOpen && <ActionDialog {...props} onClose={() => setOpen(false)} />}
    </span>
  )
}

function ActionDialog({ kind, title, fields, toArgs, onClose }: FormActionProps & { onClose: () => void }) {
  const { propose } = useSigning()
  const [rules] = useState(() => rulesOf(fields))
  const form = useSchemaForm<Values>(
    rules,
    Object.fromEntries(fields.map(({ name, start, choices }) => [name, start ?? choices?.[0]?.value ?? ''])),
  )
  const send = (values: Values) => {
    onClose()
    propose(kind, toArgs(values))
  }
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form onSubmit={(event) => void form.handleSubmit(send)(event)}>
        {fields.map((field) => (
          <FieldInput key={field.name} field={field} control={form.control} />
        ))}
        <SubmitButton control={form.control} rules={rules} busy={false}>
          Continue
        </SubmitButton>
      </Form>
    </Dialog>
  )
}

function rulesOf(fields: readonly ActionField[]) {
  return formRules<Values>(Object.fromEntries(fields.map(({ name, label }) => [name, label])), (values) =>
    Object.fromEntries(fields.map(({ name, problem }) => [name, problem?.(values[name] ?? '') ?? null])),
  )
}

type FormControl = ReturnType<typeof useSchemaForm<Values>>['control']

function FieldInput({ field, control }: { field: ActionField; control: FormControl }) {
  const { name, label, hint, type = 'text', choices, max } = field
  const shared = { control, name, label, ...(hint !== undefined && { hint }) }
  if (choices !== undefined) return <SelectInput {...shared} options={choices} />
  const limited = { ...shared, ...(max !== undefined && { maxLength: max }) }
  if (type === 'area') return <TextAreaInput {...limited} rows={4} />
  return <TextInput {...limited} type={type} autoComplete="off" spellCheck={false} />
}
