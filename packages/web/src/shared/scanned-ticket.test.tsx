// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it } from 'vitest'
import { render } from '@fairball/ui/testing/render.tsx'
import { keepCodesFromAddress } from './scanned-ticket.ts'
import { useScannedCode } from './use-scanned-code.ts'

const PROOF = '/game/a-game/draw/12/proof'

/** An address bar, and how it changed. */
class AddressBar {
  readonly replaced: string[] = []
  readonly #listeners: (() => void)[] = []
  #url: URL

  constructor(address: string) {
    this.#url = new URL(address, 'http://localhost')
  }

  get location(): Location {
    return this.#url as unknown as Location
  }

  readonly history = {
    state: { key: 'kept' },
    replaceState: (state: unknown, _: string, address: string) => {
      expect(state).toEqual({ key: 'kept' })
      this.replaced.push(address)
      this.#url = new URL(address, this.#url)
    },
  } as unknown as History

  readonly addEventListener = ((type: string, listen: () => void) => {
    expect(type).toBe('popstate')
    this.#listeners.push(listen)
  }) as unknown as Window['addEventListener']

  goTo(address: string): void {
    this.#url = new URL(address, this.#url)
    for (const listen of this.#listeners) listen()
  }
}

function Shown({ path }: { path: string }) {
  return <p>{useScannedCode(path)?.fragment ?? 'nothing'}</p>
}

it('a ticket’s code is taken out of the address before anything reads it, and shown on its own page alone', () => {
  const bar = new AddressBar(`${PROOF}?a=b#t=2.0.secret.name`)
  keepCodesFromAddress(bar)
  expect(bar.replaced).toEqual([`${PROOF}?a=b`])
  expect(bar.location.hash).toBe('')
  const page = render(<Shown path={PROOF} />)
  expect(document.body.textContent).toBe('t=2.0.secret.name')
  page.unmount()
  const other = render(<Shown path="/game/a-game/draw/13/proof" />)
  expect(document.body.textContent).toBe('nothing')
  other.unmount()
})

it('a code that is pasted while the page is open replaces the one before, and other fragments stay', () => {
  const bar = new AddressBar(`${PROOF}#t=2.0.first.name`)
  keepCodesFromAddress(bar)
  const page = render(<Shown path={PROOF} />)
  act(() => bar.goTo(`${PROOF}#t=2.1.second.name`))
  expect(document.body.textContent).toBe('t=2.1.second.name')
  bar.goTo(`${PROOF}#build`)
  expect(bar.location.hash).toBe('#build')
  expect(document.body.textContent).toBe('t=2.1.second.name')
  page.unmount()
})
