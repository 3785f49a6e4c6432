// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { find, focus, press, pressKey, render } from '../testing/render.tsx'
import type { Rendered } from '../testing/render.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

function Screen() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Choose numbers</Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="SELECT NUMBERS" footer={<Button>CONFIRM</Button>}>
        <p>Content</p>
      </Dialog>
    </>
  )
}

const isOpen = () => document.querySelector('[role="dialog"]') !== null

describe('a dialog', () => {
  let screen: Rendered
  beforeEach(async () => {
    screen = render(<Screen />)
    const opener = find('button')
    focus(opener)
    await press(opener)
  })
  afterEach(() => screen.unmount())

  it('is named by its title and takes the focus', () => {
    const dialog = find('[role="dialog"]')
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('SELECT NUMBERS')
    expect(dialog.contains(document.activeElement)).toBe(true)
  })

  it('closes with Escape', () => {
    pressKey(find('[role="dialog"]'), 'Escape')
    expect(isOpen()).toBe(false)
  })

  it('closes with its button', async () => {
    await press(find('[aria-label="Close"]'))
    expect(isOpen()).toBe(false)
  })

  it('closes by a press on the background', () => {
    const overlay = find('[role="dialog"]').parentElement?.parentElement
    act(() => {
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
        overlay?.dispatchEvent(
          new PointerEvent(type, { bubbles: true, cancelable: true, button: 0, pointerType: 'mouse' }),
        )
      }
    })
    expect(isOpen()).toBe(false)
  })
})
