// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { find, focus, press, pressKey, render } from './testing/render.tsx'
import type { Rendered } from './testing/render.tsx'
import { NumberPickerGrid } from './number-picker-grid.tsx'

function Picker({ start }: { start: number[] }) {
  const [picked, setPicked] = useState(start)
  const toggle = (number: number) =>
    setPicked(picked.includes(number) ? picked.filter((other) => other !== number) : [...picked, number])
  return <NumberPickerGrid pool={49} pick={6} picked={picked} onToggle={toggle} />
}

const number = (value: number) => find(`[data-number="${value}"]`)
const focused = () => document.activeElement?.getAttribute('data-number')
const picked = () => [...document.querySelectorAll('[aria-pressed="true"]')].map((button) => button.textContent)

describe('the number picker', () => {
  let screen: Rendered
  beforeEach(() => {
    screen = render(<Picker start={[9]} />)
  })
  afterEach(() => screen.unmount())

  it('the number picker has one tab stop, at the first picked number', () => {
    const stops = [...document.querySelectorAll('[data-number]')].filter(
      (button) => button.getAttribute('tabindex') === '0',
    )
    expect(stops.map((button) => button.textContent)).toEqual(['9'])
  })

  it.each([
    ['ArrowRight', 9, '10'],
    ['ArrowLeft', 9, '8'],
    ['ArrowDown', 9, '16'],
    ['ArrowUp', 9, '2'],
    ['ArrowUp', 3, '3'],
    ['ArrowDown', 45, '45'],
    ['ArrowLeft', 1, '1'],
    ['ArrowRight', 49, '49'],
    ['Home', 9, '8'],
    ['End', 9, '14'],
  ])('the key %s leads from %i to %s', (key, from, to) => {
    focus(number(from))
    pressKey(number(from), key)
    expect(focused()).toBe(to)
  })

  it('Control with Home or End leads to the first or last number', () => {
    focus(number(20))
    pressKey(number(20), 'End', { ctrlKey: true })
    expect(focused()).toBe('49')
    pressKey(number(49), 'Home', { ctrlKey: true })
    expect(focused()).toBe('1')
  })

  it('the tab stop moves with the focus', () => {
    focus(number(9))
    pressKey(number(9), 'ArrowRight')
    expect(number(10).tabIndex).toBe(0)
    expect(number(9).tabIndex).toBe(-1)
  })

  it('a press toggles a number, with an announcement', async () => {
    await press(number(10))
    expect(picked()).toEqual(['9', '10'])
    await press(number(9))
    expect(picked()).toEqual(['10'])
    expect(find('[role="progressbar"]').getAttribute('aria-valuetext')).toBe('1 of 6')
  })

  it('a number too many is refused with a flash and an announcement, until one is removed', async () => {
    for (const value of [1, 2, 3, 4, 5]) await press(number(value))
    await press(number(30))
    expect(picked()).toEqual(['1', '2', '3', '4', '5', '9'])
    expect(find('[aria-live]').textContent).toBe('You have all 6. Remove one to change it.')
    expect(find('[role="progressbar"]').className).toContain('flash')
    await press(number(9))
    expect(find('[aria-live]').textContent).toBe('5 of 6 picked')
  })
})
