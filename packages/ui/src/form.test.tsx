// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { find, render } from './testing/render.tsx'
import { Button } from './button.tsx'
import { CodeInput, Form, TextInput, useSchemaForm } from './form.tsx'

interface Values {
  email: string
  code: string
}

const schema = z.object({
  email: z.string().check(z.email('Invalid email')),
  code: z.string().check(z.length(6, 'Invalid 6-digits code! Try again.')),
})

function Login({ save }: { save: (values: Values) => void }) {
  const { control, handleSubmit } = useSchemaForm<Values>(schema, { email: '', code: '' })
  return (
    <Form onSubmit={handleSubmit((values) => save(values))}>
      <TextInput control={control} name="email" label="Email" hint="Where the link goes." />
      <CodeInput control={control} name="code" label="Code" />
      <Button type="submit">Log in</Button>
    </Form>
  )
}

const submit = () =>
  act(async () => {
    find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })

async function type(name: string, text: string) {
  await act(async () => {
    const input = find(`[name="${name}"]`)
    // React listens to the native setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

it('a form shows an error under its field, tied to it, and sends nothing until every value is valid', async () => {
  const save = vi.fn()
  const screen = render(<Login save={save} />)

  await submit()
  const email = find('[name="email"]')
  expect(email.getAttribute('aria-invalid')).toBe('true')
  const described = (email.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(described).toEqual(['Invalid email', 'Where the link goes.'])
  expect(document.activeElement).toBe(email)
  expect(save).not.toHaveBeenCalled()

  await type('email', 'player@example.org')
  await type('code', '12a34 567')
  await submit()
  expect(save).toHaveBeenCalledWith({ email: 'player@example.org', code: '123456' })
  screen.unmount()
})
