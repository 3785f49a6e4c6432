// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { find, focus, press, render } from './testing/render.tsx'
import type { Rendered } from './testing/render.tsx'
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

const isOpen = () => document.querySelector('dialog') !== null

describe('a dialog', () => {
  let screen: Rendered
  beforeEach(async () => {
    screen = render(<Screen />)
    const opener = find('button')
    focus(opener)
    await press(opener)
  })
  afterEach(() => screen.unmount())

  it('a dialog is named by its title, is modal once it was shown, and takes the focus', async () => {
    const dialog = find('dialog') as HTMLDialogElement
    expect(dialog.open).toBe(true)
    const showModal = vi.spyOn(dialog, 'showModal')
    await vi.waitFor(() => expect(showModal).toHaveBeenCalledOnce())
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('SELECT NUMBERS')
    expect(dialog.contains(document.activeElement)).toBe(true)
  })

  it('a dialog closes with Escape, which the browser turns into a request to close', () => {
    const request = new Event('cancel', { cancelable: true })
    act(() => void find('dialog').dispatchEvent(request))
    expect(isOpen()).toBe(false)
    expect(request.defaultPrevented).toBe(true)
  })

  it('a dialog closes with its button', async () => {
    await press(find('[aria-label="Close"]'))
    expect(isOpen()).toBe(false)
  })

  it('a dialog closes by a press on the background, but not inside', () => {
    const pressOn = (element: Element) =>
      act(() => void element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })))
    pressOn(find('dialog p'))
    expect(isOpen()).toBe(true)
    pressOn(find('dialog'))
    expect(isOpen()).toBe(false)
  })
})
