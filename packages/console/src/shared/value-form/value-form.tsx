import { useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { Field, SelectField, TextAreaField, TextField } from '@fairball/ui/field.tsx'
import { emptyOf, momentField, momentOfField, numberText, recordOf, typedNumber, withFields } from './shape.ts'
import type { Shape, ShapeField } from './shape.ts'
import styles from './value-form.module.css'

interface Props<S extends Shape> {
  shape: S
  label: string
  hint?: string | undefined
  value: unknown
  onChange: (value: unknown) => void
}
type Of<Kind extends Shape['kind']> = Props<Extract<Shape, { kind: Kind }>>

/** Edits a value field by field, as its shape has them. What is wrong with it is said by the server, which knows. */
export function ValueForm({ shape, ...props }: Props<Shape>) {
  switch (shape.kind) {
    case 'text':
      return <TextPart shape={shape} {...props} />
    case 'number':
      return <NumberPart shape={shape} {...props} />
    case 'moment':
      return <MomentPart shape={shape} {...props} />
    case 'choice':
      return <ChoicePart shape={shape} {...props} />
    case 'picture':
      return <PicturePart shape={shape} {...props} />
    case 'object':
      return <ObjectPart shape={shape} {...props} />
    case 'list':
      return <ListPart shape={shape} {...props} />
  }
}

function TextPart({ shape: { type = 'text', isLong, isNullable }, label, hint, value, onChange }: Of<'text'>) {
  const shared = {
    label,
    ...(hint !== undefined && { hint }),
    value: typeof value === 'string' ? value : '',
    onChange: (text: string) =>
      onChange(text === '' && isNullable === true ? null : type === 'color' ? text.toUpperCase() : text),
  }
  if (isLong === true) return <TextAreaField {...shared} rows={12} className={styles['wide']} />
  return <TextField {...shared} type={type} autoComplete="off" spellCheck={false} />
}

function NumberPart({ shape: { digits = 0 }, label, hint, value, onChange }: Of<'number'>) {
  // What is being typed stays as it is: 1. is on its way to 1.5.
  const [typed, setTyped] = useState(numberText(value, digits))
  const text = typedNumber(typed, digits) === value ? typed : numberText(value, digits)
  return (
    <TextField
      label={label}
      {...(hint !== undefined && { hint })}
      inputMode={digits === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={text}
      onChange={(next) => {
        setTyped(next)
        onChange(typedNumber(next, digits))
      }}
    />
  )
}

function MomentPart({ label, hint, value, onChange }: Of<'moment'>) {
  return (
    <TextField
      label={`${label} (UTC)`}
      {...(hint !== undefined && { hint })}
      type="datetime-local"
      value={momentField(value)}
      onChange={(text) => onChange(momentOfField(text))}
    />
  )
}

function ChoicePart({ shape: { options }, label, hint, value, onChange }: Of<'choice'>) {
  const known = typeof value === 'number' || typeof value === 'string' ? value : ''
  return (
    <SelectField<string | number>
      label={label}
      {...(hint !== undefined && { hint })}
      value={known}
      onChange={(text) => onChange(options.find((one) => String(one.value) === String(text))?.value ?? text)}
      options={options}
    />
  )
}

function PicturePart({ label, hint, value, onChange }: Of<'picture'>) {
  const size = typeof value === 'string' ? `${Math.ceil((value.length * 3) / 4 / 1000)} kB` : 'none'
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(control) => (
        <input
          {...control}
          type="file"
          accept="image/png,image/webp,image/jpeg"
          title={`Now: ${size}`}
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file !== undefined) void base64Of(file).then(onChange)
          }}
        />
      )}
    </Field>
  )
}

async function base64Of(file: File): Promise<string> {
  return btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCodePoint(byte)).join(''))
}

function ObjectPart({ shape, label, hint, value, onChange }: Of<'object'>) {
  const { fields, isNullable } = shape
  if (value === null || value === undefined)
    return (
      <div className={styles['part']}>
        <span className={styles['name']}>{label}</span>
        <span className={styles['note']}>{hint ?? 'It is not set.'}</span>
        <Button size="small" variant="soft" onClick={() => onChange(emptyOf(shape))}>
          {`Set: ${label}`}
        </Button>
      </div>
    )
  const own = recordOf(value)
  const change = ({ name }: ShapeField, part: unknown) => onChange(withFields(fields, { ...own, [name]: part }))
  return (
    <div className={styles['part']}>
      <span className={styles['name']}>{label}</span>
      <div className={styles['group']}>
        {fields
          .filter(({ isIn }) => isIn?.(own) !== false)
          .map((field) => (
            <ValueForm
              key={field.name}
              shape={field.shape}
              label={field.label}
              hint={field.hint}
              value={own[field.name]}
              onChange={(part) => change(field, part)}
            />
          ))}
      </div>
      {isNullable === true && (
        <Button size="small" variant="soft" onClick={() => onChange(null)}>
          {`Remove: ${label}`}
        </Button>
      )}
    </div>
  )
}

function ListPart({ shape: { item, of }, label, hint, value, onChange }: Of<'list'>) {
  const all: readonly unknown[] = Array.isArray(value) ? value : []
  return (
    <div className={styles['part']}>
      <span className={styles['name']}>{label}</span>
      {hint !== undefined && <span className={styles['note']}>{hint}</span>}
      {all.map((one, index) => (
        // Rows have no names of their own: one that is removed takes its place along.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${all.length} ${index}`} className={styles['group']}>
          <ValueForm
            shape={of}
            label={`${item} ${index + 1}`}
            value={one}
            onChange={(next) => onChange(all.with(index, next))}
          />
          <Button size="small" variant="soft" onClick={() => onChange(all.toSpliced(index, 1))}>
            {`Remove ${item.toLowerCase()} ${index + 1}`}
          </Button>
        </div>
      ))}
      <Button size="small" variant="soft" onClick={() => onChange([...all, emptyOf(of)])}>
        {`Add ${item.toLowerCase()}`}
      </Button>
    </div>
  )
}
