import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { TimersProvider } from '../timers.tsx'
import type { Timers } from '../timers.tsx'

// React requires this before `act` may be used.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** Timers that only the test moves. */
class ManualTimers implements Timers {
  readonly #waiting = new Set<{ dueMs: number; call: () => void }>()
  #nowMs = 0

  after(ms: number, call: () => void): () => void {
    const timer = { dueMs: this.#nowMs + ms, call }
    this.#waiting.add(timer)
    return () => this.#waiting.delete(timer)
  }

  /** Lets time pass and calls what is due, in a React update. */
  pass(ms: number): void {
    this.#nowMs += ms
    act(() => {
      for (const timer of this.#waiting) {
        if (timer.dueMs > this.#nowMs) continue
        this.#waiting.delete(timer)
        timer.call()
      }
    })
  }
}

/** A rendered component and functions to use it like a person. */
export interface Rendered {
  container: HTMLElement
  timers: ManualTimers
  rerender: (node: ReactNode) => void
  unmount: () => void
}

/** Renders a component into the document. */
export function render(node: ReactNode): Rendered {
  const timers = new ManualTimers()
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const rerender = (next: ReactNode) => act(() => root.render(<TimersProvider timers={timers}>{next}</TimersProvider>))
  const unmount = () => {
    act(() => root.unmount())
    container.remove()
  }
  rerender(node)
  return { container, timers, rerender, unmount }
}

/** Finds the one element, or says which selector found none. */
export function find(selector: string, within: ParentNode = document): HTMLElement {
  const element = within.querySelector<HTMLElement>(selector)
  if (element === null) throw new Error(`There is no ${selector}.`)
  return element
}

/** Gives an element the focus. */
export function focus(element: HTMLElement): void {
  act(() => element.focus())
}

/** Presses an element; waits for the immediate result. */
export async function press(element: HTMLElement): Promise<void> {
  await act(async () => element.click())
}

/** Presses a key while an element has the focus. */
export function pressKey(element: Element, key: string, modifiers: { ctrlKey?: boolean } = {}): void {
  act(() => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers }))
  })
}
