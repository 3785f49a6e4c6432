import { createRoute, lazyRouteComponent, useParams, useSearch } from '@tanstack/react-router'
import type { AnyRoute } from '@tanstack/react-router'
import type { ComponentType, FunctionComponent } from 'react'
import { firstView, useFirstView } from '../../shared/first-view.ts'
import type { LoadContext, PageParams, ScreenLoader } from '../../shared/screen.ts'
import type { Opening } from './guards.ts'
import { rootRoute } from './root-route.tsx'

/** The parts of an address beside its path. */
export interface PageAddress {
  readonly params: PageParams
  /** The query: texts, as `app/router.tsx` reads it. */
  readonly search: PageParams
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The source of the page's screen relative to the package: its scripts and styles go into the HTML. On the server only. */
    screen?: string | undefined
    /** Whether the sitemap lists the page. On the server only. */
    isListed?: boolean
  }
}

/** A screen's file: one component named `…Screen`, and a `load` if its first view needs answers of the API. */
type ScreenFile<File, Props> = {
  [Name in keyof File]: Name extends 'load'
    ? ScreenLoader<Props>
    : Name extends `${string}Screen`
      ? ComponentType<Props>
      : unknown
}

/** One page of the site. */
interface Page<Props extends object, File> {
  /** Below that of `under`, with `$name` for each variable part. */
  path: string
  /** The parent route with the guard or the frame of several pages; the document by default. */
  under?: AnyRoute
  /** Imports the screen's file. Keep this form: `vite.config.ts` reads the file's name from it for the server. */
  screen: () => Promise<File>
  /** The screen's props, from an address that `beforeLoad` has checked. */
  params?: (address: PageAddress) => Props
  /** Whether the server renders the page; the others start in the browser. */
  prerender?: boolean
  /** Whether the sitemap lists it. */
  sitemap?: boolean
  beforeLoad?: (opening: Opening) => void | Promise<void>
  /** Written by `vite.config.ts` in the server's build. */
  source?: string
}

/** Makes a page's route: its address, what the server preloads and renders, the screen's component and the sitemap's entry. */
export function page<Props extends object, File extends ScreenFile<File, NoInfer<Props>>>(row: Page<Props, File>) {
  const { path, under = rootRoute, screen, params = nothing as () => Props, prerender = false, beforeLoad } = row
  const loader = (opening: Opening & { context: LoadContext }): Promise<void> =>
    loadScreen(screen, opening.context, params({ params: opening.params, search: opening.location.search }))
  return createRoute({
    getParentRoute: () => under,
    path,
    ...(import.meta.env.SSR && { staticData: { screen: sourceOf(row), isListed: row.sitemap === true } }),
    ...(beforeLoad !== undefined && { beforeLoad }),
    // A page that begins in the browser asks for its answers while React takes over the document, and then shows at once
    // what it has. If one fails, the screen asks again.
    ...(prerender
      ? { loader }
      : {
          ssr: false,
          loader: async (opening: Opening & { context: LoadContext }) => {
            loader(opening).catch(nothing)
            await firstView
          },
        }),
    component: lazyScreen(screen, params),
  })
}

function nothing(): object {
  return NOTHING
}

const NOTHING = {}

/** @throws Error when the server's build could not read the row */
function sourceOf({ path, source }: { path: string; source?: string }): string | undefined {
  if (import.meta.env.PROD && source === undefined)
    throw new Error(`The page ${path} does not name its screen as vite.config.ts reads it: screen: () => import('…')`)
  return source
}

/** Makes a route's component of a screen that is loaded when its page is first opened. */
function lazyScreen<Props extends object>(screen: () => Promise<object>, params: (address: PageAddress) => Props) {
  const Lazy = lazyRouteComponent(async (): Promise<{ default: FunctionComponent }> => {
    const file = Object.entries(await screen())
    return { default: file.find(([name]) => name.endsWith('Screen'))?.[1] as FunctionComponent }
  })
  function Screen() {
    const props = params({ params: useParams({ strict: false }), search: useSearch({ strict: false }) })
    useFirstView()
    // `page` has checked the screen's type.
    const Component = Lazy as ComponentType<Props>
    return <Component {...props} />
  }
  // The router preloads and hydrates by this property.
  return Object.assign(Screen, { preload: async () => Lazy.preload?.() })
}

/** Runs the `load` of a screen's file, if it has one. */
async function loadScreen<Props>(screen: () => Promise<object>, context: LoadContext, props: Props): Promise<void> {
  const file: { load?: ScreenLoader<Props> } = await screen()
  try {
    await file.load?.({ api: context.api, queryClient: context.queryClient }, props)
  } catch (error) {
    if (isRouting(error)) throw error
  }
}

// `notFound()` and `redirect()` are values of the router, not errors of a call.
function isRouting(error: unknown): boolean {
  return error instanceof Response || (typeof error === 'object' && error !== null && 'isNotFound' in error)
}
