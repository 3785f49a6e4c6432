import anybodyFont from '@fontsource-variable/anybody/files/anybody-latin-wght-normal.woff2?url'
import figtreeFont from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import type { PageRequest, SiteLook } from '@fairball/contract/pages'
import { parsePage } from '@fairball/domain/pagination'
import type { QueryClient } from '@tanstack/react-query'
import { createRequestHandler, renderSsrHtmlResponse, RouterServer } from '@tanstack/react-router/ssr/server'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import './styles.ts'
import { Clock } from './shared/clock.ts'
import { hideDismissed } from './app/document/coming-texts.ts'
import { pageFacts } from './app/document/page-facts.ts'
import { pageHead } from './app/document/page-head.ts'
import { siteHead, siteRules } from './app/document/site-head.ts'
import { SHOW_THEME } from './app/document/theme.ts'
import { paths } from './shared/paths.ts'
import { createQueryClient } from './app/query-client.ts'
import { createAppRouter } from './app/router.tsx'
import { isPlayersPage } from './shared/players-pages.ts'
import { runtime } from './shared/runtime.ts'
import type { PageParams } from './shared/screen.ts'
import { lookOfEnded } from './shared/data/game-versions.ts'
import { HOLD_ROWS } from './shared/seen-draws.ts'
import { hasWorld, type WorldGame, worldRules } from './shared/world-style.ts'
import { WORLDS_ID, worldsText } from './shared/worlds.ts'
import { VISITOR_ORDER_KEY } from './shared/session/kept-for-player.ts'
import { startElement } from './app/start.ts'
import { NOWHERE, withoutWayBack } from './server/missing-page.ts'
import { builtAssets, EARLY_ORDER } from './server/page-assets.ts'
import type { PageAssets } from './server/page-assets.ts'

export { leadsNowhere, spelledRight } from './server/missing-page.ts'
export { sharedAddress } from './server/shared-address.ts'
export { listedPages } from './server/page-table.ts'

/** The development server gives the scripts and styles to load; otherwise they are those of the build. */
export type RenderOptions = PageRequest & { readonly assets?: PageAssets }

/**
 * Renders a page for an anonymous visitor.
 *
 * @returns the HTML with status 200, 404 or 500, or a redirect with its `Location`. A page that cannot be rendered
 * comes as an empty document that the browser fills, with status 500.
 */
export async function render({
  url,
  api,
  now,
  nonce,
  config,
  look,
  assets = builtAssets(),
}: RenderOptions): Promise<Response> {
  // Joined as text: resolved as an address, a path that begins with two slashes would name another host.
  const request = new Request(`${config.publicUrl}${url}`)
  const queryClient = createQueryClient(true)
  const parts = { api, config, session: null, clock: new Clock(now, runtime), queryClient }
  let screens: string[] = []
  let about = ''
  let games: readonly WorldGame[] = []
  const handler = createRequestHandler({ request, createRouter: () => createAppRouter(parts, nonce) })
  const response = await handler(({ router, responseHeaders }) => {
    // The guards of pages that the browser renders run in the browser, too late to change the server's answer.
    if (router.state.matches.some(({ params }) => parsePage((params as PageParams)['page']) === null))
      return redirectTo(paths.pageNotFound())
    screens = router.state.matches.flatMap((match) => match.staticData.screen || [])
    if (screens.includes(PLAY_SCREEN) && new URL(request.url).searchParams.has('transaction_id'))
      screens.push(...PAYMENT_STEP)
    if (isPlayersPage(url)) screens.push(ACCOUNT_MENU, EARLY)
    const facts = pageFacts(router, queryClient, config.siteName)
    games = [...facts.games, ...facts.ended.map(lookOfEnded)]
    about = pageHead(facts, config)
    return renderSsrHtmlResponse({ router, responseHeaders, render: () => htmlOf(<RouterServer router={router} />) })
  })
  if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return response

  const { comingTexts } = config
  if (comingTexts !== undefined) screens.push(COMING_TEXTS)
  const head = [
    siteHead(look),
    about,
    fontLink(anybodyFont),
    fontLink(figtreeFont),
    assets.head(screens, nonce),
    worldsElement(games, look, nonce),
    startElement({ now, config, queries: answersOf(queryClient) }),
    `<script nonce="${nonce}">${MARK_PLAYER};${MARK_LINES};${SHOW_THEME}${comingTexts === undefined ? '' : `;${hideDismissed(comingTexts)}`}</script>`,
  ].join('')
  const rendered = withoutLoadTimes(await response.text())
  // The router answers a failed render with a plain sentence.
  const html = rendered.includes('</head>') ? rendered : EMPTY_DOCUMENT
  return new Response(
    html.replace('</head>', () => `${head}</head>`),
    { status: response.status, headers: response.headers },
  )
}

/** The answers of the API that were loaded for a page. */
function answersOf(queryClient: QueryClient) {
  const loaded = queryClient.getQueryCache().getAll()
  return loaded
    .filter(({ state }) => state.status === 'success')
    .map(({ queryKey, state }) => [queryKey, state.data] as const)
}

/** Leaves out when the router loaded its routes, in ms, so that a page changes only with what it shows. */
function withoutLoadTimes(html: string): string {
  return html.replaceAll(/(?<=[{,]u:)\d{13}(?=,s:")/gu, '0')
}

function redirectTo(path: string): Response {
  return new Response(null, { status: 307, headers: { location: path } })
}

/**
 * Renders the page for missing addresses, which is the same for all of them.
 *
 * @returns its HTML; null when it cannot be rendered now
 */
export async function renderMissing(options: Omit<RenderOptions, 'url'>): Promise<string | null> {
  const page = await render({ ...options, url: NOWHERE })
  return page.status === 404 ? withoutWayBack(await page.text()) : null
}

/** Marks the document of a returning player before the first paint, so that styles can hide the parts for visitors. */
const MARK_PLAYER = `try{if(localStorage.getItem('refresh_token')){document.documentElement.dataset.session='player';${HOLD_ROWS}}}catch{}`

/** The same for a visitor with lines, whose card grows: what is below it shows once it has. */
const MARK_LINES = `try{if(localStorage.getItem('${VISITOR_ORDER_KEY}'))document.documentElement.dataset.lines='kept'}catch{}`

const PLAY_SCREEN = 'src/features/play/play-screen.tsx'
/** The parts of a game's page that load on demand, except for a player who comes back from paying. */
const PAYMENT_STEP = [
  EARLY_ORDER,
  'src/app/order-result.ts',
  'src/features/play/components/player-steps.tsx',
  'src/features/play/components/payment-step.tsx',
]

/** The part of every page that only players have. */
const ACCOUNT_MENU = 'src/app/layout/account-menu.tsx'

/** What the pages that mostly players see ask for first. */
const EARLY = 'src/app/early.ts'

/** The part of every page that is there only while a legal text is announced. */
const COMING_TEXTS = 'src/app/layout/coming-texts.tsx'

/** The element for the browser to render into if the server could not render. */
const EMPTY_DOCUMENT =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head><body></body></html>'

/**
 * Renders a page including its lazily loaded parts, so that they are in the first HTML as well. Nothing is moved into
 * hidden elements, whose scripts the content security policy would refuse.
 */
async function htmlOf(page: ReactNode): Promise<string> {
  const { prelude } = await prerender(page, { progressiveChunkSize: Number.MAX_SAFE_INTEGER })
  const html = await new Response(prelude).text()
  // The router writes it itself.
  return html.replace('<!DOCTYPE html>', '')
}

/** The rules of the games' colours and the site's. They follow the page's styles, whose values they replace. */
function worldsElement(games: readonly WorldGame[], { colors }: SiteLook, nonce: string): string {
  const known = worldsText(games.filter(hasWorld))
  return `<style nonce="${nonce}" id="${WORLDS_ID}" data-worlds="${known}">${worldRules(games)}${siteRules(colors)}</style>`
}

function fontLink(href: string): string {
  return `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`
}
