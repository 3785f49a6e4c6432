import { lazyRouteComponent, notFound } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Api } from './api.ts'
import { useFirstView } from './first-view.ts'

/** What a screen's `load` has at hand. */
export interface LoadContext {
  api: Api
  queryClient: QueryClient
}

/**
 * Fills the query cache with what the first view of a screen needs, on the server and before a page changes. A failed load is no failure of
 * the page: the screen asks again and shows what is wrong. Only `pageNotFound()` ends in the 404 page.
 */
export type ScreenLoader<Props = object> = (context: LoadContext, props: Props) => Promise<void>

/** The parts of an address that vary, by the names the routes give them. */
export type PageParams = Readonly<Record<string, string | undefined>>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /**
     * The source of the route's screen relative to the package, on routes the server renders: their scripts and styles go into the HTML. A
     * browser has no use for it, and carries none.
     */
    screen?: string | false
  }
}

/** @returns what to throw inside a `load` when the address names something that does not exist; the server answers 404 */
export function pageNotFound() {
  return notFound()
}

/**
 * Makes a route's component of a screen that is loaded when its page is first opened.
 *
 * @param importer imports the screen's module
 * @param name the screen's export
 * @param useProps a hook that reads the screen's props from the address
 */
export function lazyScreen<Name extends string, Props extends object>(
  importer: () => Promise<Record<NoInfer<Name>, ComponentType<NoInfer<Props>>>>,
  name: Name,
  useProps: () => Props,
) {
  const Lazy = lazyRouteComponent(importer, name)
  function Screen() {
    const props = useProps()
    useFirstView()
    // The wrapper's type is that of any component of the module; it is the one named, which takes exactly these props.
    const Component = Lazy as ComponentType<Props>
    return <Component {...props} />
  }
  // The router preloads and hydrates by this property.
  return Object.assign(Screen, { preload: async () => Lazy.preload?.() })
}

/**
 * Runs the `load` of a screen's module, if it has one.
 *
 * @param importer imports the screen's module
 */
export async function loadScreen<Props>(
  importer: () => Promise<object>,
  context: LoadContext,
  props: Props,
): Promise<void> {
  const module: { load?: ScreenLoader<Props> } = await importer()
  try {
    await module.load?.({ api: context.api, queryClient: context.queryClient }, props)
  } catch (error) {
    if (isRouting(error)) throw error
  }
}

// `notFound()` and `redirect()` are values of the router, not errors of a call.
function isRouting(error: unknown): boolean {
  return error instanceof Response || (typeof error === 'object' && error !== null && 'isNotFound' in error)
}
