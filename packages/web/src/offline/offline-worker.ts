import { dateLabel, timeLabel } from '@fairball/domain/draw-time-label'
import { ownOffsetSeconds } from '@fairball/domain/time-zone'
import { LEAVE } from '../shared/offline/leave.ts'
import { offlinePage } from './offline-page.ts'
import { SiteCache } from './site-cache.ts'

/** The part of a service worker's scope that is used here; the page's types lack the scope of workers. */
export interface WorkerScope {
  addEventListener(type: 'install' | 'activate', listen: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listen: (event: PageEvent) => void): void
  addEventListener(type: 'message', listen: (event: LifeEvent & { data: unknown }) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  registration: {
    unregister(): Promise<boolean>
    navigationPreload?: { enable(): Promise<void> } | undefined
  }
  caches: CacheStorage
  fetch: (request: Request | string, init?: RequestInit) => Promise<Response>
}

/** An event whose work the browser waits for. */
interface LifeEvent {
  waitUntil(work: Promise<unknown>): void
}

/** A request of a page. */
export interface PageEvent extends LifeEvent {
  request: Pick<Request, 'url' | 'mode' | 'method'>
  preloadResponse?: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

/** Values that the build puts into the worker. */
export interface WorkerFiles {
  /** Changes with the kept content: a new version discards the old one. */
  version: string
  fonts: { display: string; text: string }
}

/**
 * Makes the site readable without a connection: a page is still fetched from the network, and only when that fails does
 * the worker answer, with a page of its own and the last results. It handles only pages, and the files of its own page.
 * It fetches its content itself, as a visitor without tokens: nothing about a player can be in it.
 *
 * @param now the device's time in epoch seconds
 */
export function serveOffline(scope: WorkerScope, files: WorkerFiles, now: () => number): void {
  const keptFiles = [files.fonts.display, files.fonts.text, '/favicon.svg']
  const kept = new SiteCache(scope, files.version, now)

  scope.addEventListener('install', (event) => {
    // It has no state that a page could rely on: the new one may take over immediately.
    event.waitUntil(kept.fill(keptFiles).then(() => scope.skipWaiting()))
  })

  scope.addEventListener('activate', (event) => {
    event.waitUntil(
      (async () => {
        await kept.deleteOthers()
        // While the worker wakes up, the page is already being fetched.
        await scope.registration.navigationPreload?.enable()
        await scope.clients.claim()
        await kept.keepResults()
      })(),
    )
  })

  scope.addEventListener('message', (event) => {
    if (event.data !== LEAVE) return
    event.waitUntil(Promise.all([scope.registration.unregister(), kept.deleteAll()]))
  })

  scope.addEventListener('fetch', (event) => {
    const { request } = event
    const { pathname } = new URL(request.url)
    if (request.mode === 'navigate' && request.method === 'GET') {
      event.respondWith(pageOf(event))
      event.waitUntil(kept.keepResults())
    } else if (keptFiles.includes(pathname)) event.respondWith(fileOf(event))
  })

  async function pageOf({ request, preloadResponse }: PageEvent): Promise<Response> {
    try {
      return (await preloadResponse) ?? (await scope.fetch(request as Request))
    } catch {
      const { pathname, search } = new URL(request.url)
      const html = offlinePage({ path: pathname + search, results: await kept.results(), fonts: files.fonts, dateTime })
      return new Response(html, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy':
            "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'",
          'cache-control': 'no-store',
        },
      })
    }
  }

  async function fileOf({ request }: PageEvent): Promise<Response> {
    const file = await kept.file(new URL(request.url).pathname)
    return file ?? (await scope.fetch(request as Request))
  }
}

/** As the pages write it, by the clock of the device: "Nov 18, 2026 at 6:04 PM". */
function dateTime(at: number): string {
  const utcOffsetSeconds = ownOffsetSeconds(at)
  return `${dateLabel(at, utcOffsetSeconds)} at ${timeLabel(at, utcOffsetSeconds)}`
}
