import {
  CheckboxInput,
  CodeInput,
  Form,
  FormActions,
  FormNote,
  PasswordInput,
  SelectInput,
  TextAreaInput,
  TextInput,
  ToggleInput,
  useSchemaForm,
} from '../../../ui/form.tsx'
import { Button } from '../../../ui/button.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { SubmitButton } from '../../../ui/submit-button.tsx'
import { Section, Specimen } from './specimen.tsx'

interface Values {
  name: string
  about: string
  password: string
  code: string
  country: string
  agreed: boolean
  news: boolean
}

const NOTHING: Values = { name: '', about: '', password: '', code: '', country: '', agreed: false, news: false }

const RULES = formRules<Values>((values) => ({
  name: values.name === '' ? 'A name is needed.' : null,
  about: values.about === '' ? 'Say something.' : null,
  password: values.password.length < 6 ? 'At least six characters.' : null,
  code: values.code.length < 6 ? 'Six digits are needed.' : null,
  country: values.country === '' ? 'Choose one.' : null,
  agreed: values.agreed ? null : 'Tick the box to go on.',
}))

/** A form that says what is missing when a field is left, and can be sent once nothing is. */
export function Forms() {
  return (
    <Section id="forms">
      <Specimen name="A form" of={['form.tsx', 'form-rules.ts', 'submit-button.tsx']}>
        {(at) => <Sample at={at} />}
      </Specimen>
    </Section>
  )
}

function Sample({ at }: { at: string }) {
  const { control, handleSubmit, reset } = useSchemaForm<Values>(RULES, NOTHING)
  return (
    <Form aria-label={`Sample, ${at}`} onSubmit={(event) => void handleSubmit(() => reset())(event)}>
      <TextInput control={control} name="name" label="Name" autoComplete="off" />
      <TextAreaInput control={control} name="about" label="Message" rows={3} />
      <PasswordInput control={control} name="password" label="Password" autoComplete="new-password" />
      <CodeInput control={control} name="code" label="Code" />
      <SelectInput
        control={control}
        name="country"
        label="Country"
        placeholder="Choose"
        options={[{ value: 'IE', label: 'Ireland' }]}
      />
      <CheckboxInput control={control} name="agreed" label="I agree" />
      <ToggleInput control={control} name="news" label="Tell me the results" />
      <SubmitButton control={control} busy={false}>
        Send
      </SubmitButton>
      <FormActions>
        <Button variant="soft" onClick={() => reset()}>
          Empty it
        </Button>
        <SubmitButton control={control} busy isBlocked>
          On its way
        </SubmitButton>
      </FormActions>
      <FormNote>Send works once every field is filled in and valid.</FormNote>
    </Form>
  )
}
