import { useState } from 'react'
import { Checkbox, Toggle } from '../../../ui/checkbox.tsx'
import { CheckboxChips, FilterChips, RadioChips } from '../../../ui/chips.tsx'
import { CodeField } from '../../../ui/code-field.tsx'
import { Field, FieldError, ReadOnlyField, SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import { Link } from '../../../ui/link.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { Stepper } from '../../../ui/stepper.tsx'
import { paths } from '../../../app/paths.ts'
import { Row, Section, Specimen, Stack } from './specimen.tsx'

const COUNTRIES = [
  { value: 'IE', label: 'Ireland' },
  { value: 'GB', label: 'United Kingdom' },
]
const DAYS = [
  { value: 1, label: 'Mon' },
  { value: 2, label: 'Tue' },
  { value: 3, label: 'Wed', disabled: true },
]
const MONTHS = [
  { value: 1, label: '1 week' },
  { value: 2, label: '2 weeks' },
  { value: 4, label: '4 weeks', disabled: true },
]
const ERROR = 'Something about the value is wrong: this says what to do.'

/** Fields for text, choices from a list, passwords and codes. */
export function Fields() {
  return (
    <Section id="fields">
      <Specimen name="Text" of={['field.tsx']}>
        {() => (
          <Stack>
            <Text label="Empty" />
            <Text label="Filled, with a hint" first="Lucky" hint="A hint stays in view." />
            <Text label="Wrong" first="Lucky" error={ERROR} />
            <TextField label="Disabled" value="Nothing to type" onChange={() => {}} disabled />
            <TextField label="Read only" value="Only to read" onChange={() => {}} readOnly />
            <Text label="With something beside its name" aside={<Link href={paths.links()}>Why?</Link>} />
            <Text label="Address" first="bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080" mono />
            <Area />
            <Choice />
            <Choice error={ERROR} />
            <ReadOnlyField label="A setting that is not being edited">Its value</ReadOnlyField>
          </Stack>
        )}
      </Specimen>
      <Specimen name="Passwords and codes" of={['password-field.tsx', 'code-field.tsx']}>
        {() => (
          <Stack>
            <Password />
            <Password error={ERROR} />
            <Code />
            <Code first="12" error="Six digits are needed." />
          </Stack>
        )}
      </Specimen>
      <Specimen name="A control of one’s own" of={['field.tsx']}>
        {() => (
          <Stack>
            <Field label="A date">{(control) => <input {...control} type="date" />}</Field>
            <FieldError>{ERROR}</FieldError>
          </Stack>
        )}
      </Specimen>
    </Section>
  )
}

/** Boxes to tick, switches, chips and small counts. */
export function Choices() {
  return (
    <Section id="choices">
      <Specimen name="Ticks and switches" of={['checkbox.tsx']}>
        {() => (
          <Stack>
            <Tick look="box" label="Not ticked" />
            <Tick look="box" label="Ticked, with a hint" first hint="What it means." />
            <Tick look="box" label="Has to be ticked" error={ERROR} />
            <Checkbox label="Disabled" checked={false} onChange={() => {}} disabled />
            <Tick look="switch" label="Off" />
            <Tick look="switch" label="On" first />
            <Toggle label="Disabled" checked onChange={() => {}} disabled />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Chips" of={['chips.tsx']}>
        {(at) => (
          <Stack>
            <Chips at={at} />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Small counts" of={['stepper.tsx']}>
        {() => (
          <Row>
            <Count />
          </Row>
        )}
      </Specimen>
    </Section>
  )
}

function Text({
  first = '',
  ...field
}: Omit<Parameters<typeof TextField>[0], 'value' | 'onChange'> & { first?: string }) {
  const [value, setValue] = useState(first)
  return <TextField {...field} value={value} onChange={setValue} />
}

function Area() {
  const [value, setValue] = useState('')
  return <TextAreaField label="Several lines" rows={3} value={value} onChange={setValue} />
}

function Choice({ error }: { error?: string }) {
  const [value, setValue] = useState('')
  return (
    <SelectField
      label="From a list"
      placeholder="Choose"
      options={COUNTRIES}
      value={value}
      onChange={setValue}
      error={error}
    />
  )
}

function Password({ error }: { error?: string }) {
  const [value, setValue] = useState('')
  return <PasswordField label="Password" autoComplete="new-password" value={value} onChange={setValue} error={error} />
}

function Code({ first = '', error }: { first?: string; error?: string }) {
  const [value, setValue] = useState(first)
  return <CodeField label="Six-digit code" value={value} onChange={setValue} error={error} />
}

function Tick({
  look,
  first = false,
  ...tick
}: { look: 'box' | 'switch'; first?: boolean } & Omit<Parameters<typeof Checkbox>[0], 'checked' | 'onChange'>) {
  const [checked, setChecked] = useState(first)
  const Control = look === 'box' ? Checkbox : Toggle
  return <Control {...tick} checked={checked} onChange={setChecked} />
}

function Chips({ at }: { at: string }) {
  const [days, setDays] = useState([1])
  const [weeks, setWeeks] = useState(1)
  const [shown, setShown] = useState(1)
  return (
    <>
      <CheckboxChips
        legend="Several of a few"
        options={DAYS}
        chosen={days}
        onChange={setDays}
        note="What is struck through cannot be chosen; the note says why."
      />
      <RadioChips legend="One of a few" options={MONTHS} chosen={weeks} onChange={setWeeks} />
      <FilterChips label={`Filters, ${at}`} options={MONTHS} chosen={shown} onChange={setShown} />
    </>
  )
}

function Count() {
  const [value, setValue] = useState(0)
  return <Stepper label="Lucky dip lines" value={value} max={3} onChange={setValue} />
}
