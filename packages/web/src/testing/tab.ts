import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { queryText } from '../shared/paths.ts'
import type { AnyRouter, RouterHistory } from '@tanstack/react-router'

/** A browser's tab that shows one screen: a history, and a router over it. Another page is only asked for, and the screen stays. */
export class Tab {
  /** The addresses of the history, the first one first. */
  readonly entries: string[]
  readonly router: AnyRouter
  readonly #history: RouterHistory

  constructor(address = '/') {
    this.entries = [address]
    this.#history = createMemoryHistory({ initialEntries: this.entries })
    const routeTree = createRootRoute({ notFoundComponent: () => null })
    this.router = createRouter({ routeTree, history: this.#history, parseSearch: queryOf, stringifySearch: textOf })
    const { pathname } = this.#history.location
    this.#history.subscribe(({ location }) => {
      if (location.pathname === pathname) void this.router.load()
    })
  }

  /** Follows a link to an address, the present one too. */
  follow(address: string): void {
    this.#history.push(address)
  }

  back(): void {
    this.#history.back()
  }

  forward(): void {
    this.#history.forward()
  }
}

function queryOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function textOf(search: Record<string, string>): string {
  const text = queryText(search)
  return text === '' ? '' : `?${text}`
}
