// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { find, render } from './testing/render.tsx'
import type { Rendered } from './testing/render.tsx'
import { Stepper } from './stepper.tsx'

function Count() {
  const [value, setValue] = useState(2)
  return <Stepper label="Lines" value={value} max={1_000} onChange={setValue} />
}

let screen: Rendered
beforeEach(() => void (screen = render(<Count />)))
afterEach(() => screen.unmount())

const field = () => find('input') as HTMLInputElement
const type = (text: string) =>
  act(() => {
    // React listens to the native setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field(), text)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
const leave = () => act(() => void field().dispatchEvent(new FocusEvent('focusout', { bubbles: true })))

it('a typed count holds once the field is left, up to the maximum', () => {
  type('12')
  leave()
  expect(field().value).toBe('12')
  type('2000')
  leave()
  expect(field().value).toBe('1000')
})

it('nothing typed, and what is no number, leaves the count as it was', () => {
  type('')
  leave()
  expect(field().value).toBe('2')
  type('x7-')
  expect(field().value).toBe('7')
})
