import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { AnyRouter, RouterHistory } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import { queryText } from '../shared/paths.ts'

/** The content of the tab at its address. */
const ShownContext = createContext<ReactNode>(null)

/** A browser's tab that shows one screen: a history, and a router over it. Another page never finishes loading, so the screen stays. */
export class Tab {
  /** The addresses of the history, the first one first. */
  readonly entries: string[]
  readonly router: AnyRouter
  readonly #history: RouterHistory

  constructor(address = '/') {
    this.entries = [address]
    this.#history = createMemoryHistory({ initialEntries: this.entries })
    const root = createRootRoute()
    const getParentRoute = () => root
    const path = this.#history.location.pathname
    const shown = createRoute({ getParentRoute, path, component: Shown })
    const elsewhere = createRoute({ getParentRoute, path: '$', loader: () => new Promise(() => {}) })
    this.router = createRouter({
      routeTree: root.addChildren([shown, elsewhere]),
      history: this.#history,
      parseSearch: queryOf,
      stringifySearch: textOf,
      disableGlobalCatchBoundary: true,
    })
  }

  /** The tab with this in it. */
  show(node: ReactNode): ReactNode {
    return (
      <ShownContext value={node}>
        <RouterProvider router={this.router} />
      </ShownContext>
    )
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

function Shown() {
  return use(ShownContext)
}

function queryOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function textOf(search: Record<string, string>): string {
  const text = queryText(search)
  return text === '' ? '' : `?${text}`
}
