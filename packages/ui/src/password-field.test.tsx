// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { find, press, render } from './testing/render.tsx'
import { PasswordField } from './password-field.tsx'

it('the eye shows the password for 5 seconds, or until it is pressed again', async () => {
  const screen = render(
    <PasswordField label="Password" value="secret" onChange={() => {}} autoComplete="current-password" />,
  )
  const input = find('input')
  expect(input.getAttribute('type')).toBe('password')

  await press(find('[aria-label="Show password"]'))
  expect(input.getAttribute('type')).toBe('text')
  screen.timers.pass(4999)
  expect(input.getAttribute('type')).toBe('text')
  screen.timers.pass(1)
  expect(input.getAttribute('type')).toBe('password')

  await press(find('[aria-label="Show password"]'))
  await press(find('[aria-label="Hide password"]'))
  expect(input.getAttribute('type')).toBe('password')
  screen.unmount()
})
