// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { find, press, render } from './testing/render.tsx'
import { CopyButton } from './copy-button.tsx'

/** Gives the browser a clipboard with this behaviour. */
function clipboardWith(writeText: (text: string) => Promise<void>) {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
}

describe('a copy button', () => {
  it('a copy button copies the text unchanged and says Copied for 650 ms', async () => {
    const writeText = vi.fn(async (_text: string) => {})
    clipboardWith(writeText)
    const screen = render(<CopyButton text="bcrt1qexample" label="address" />)
    const button = find('button')

    expect(button.getAttribute('aria-label')).toBe('Copy address')
    await press(button)
    expect(writeText).toHaveBeenCalledWith('bcrt1qexample')
    expect(button.textContent).toBe('Copied')
    screen.timers.pass(649)
    expect(button.textContent).toBe('Copied')
    screen.timers.pass(1)
    expect(button.textContent).toBe('Copy')
    screen.unmount()
  })

  it('a copy button does not say Copied if the browser refuses', async () => {
    clipboardWith(() => Promise.reject(new Error('not allowed')))
    Object.assign(document, { execCommand: () => false })
    const screen = render(<CopyButton text="x" label="address" />)
    await press(find('button'))
    expect(find('button').textContent).toBe('Copy')
    screen.unmount()
  })
})
