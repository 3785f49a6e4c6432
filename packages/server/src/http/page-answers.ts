import type { Client } from '@fairball/contract/client'
import type { PageRequest, SiteLook, Web } from '@fairball/contract/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../runtime/runtime.ts'
import { callerAddress } from './caller-address.ts'
import { missingPages } from './missing-page.ts'
import { ownInline } from './own-inline.ts'
import { type Page, pageOf, sendPage } from './page-answer.ts'
import { pageCache } from './page-cache.ts'
import { isPrivatePath } from './private-paths.ts'
import { renderLimit } from './render-limit.ts'
import { API_POLICY, pagePolicy } from './security-headers.ts'

/** What an address without a page of its own leads to. */
interface Redirect {
  readonly status: number
  readonly location: string
}

type Rendered = { readonly page: Page } | { readonly other: Redirect }

interface PageAnswersDeps {
  readonly web: Pick<Web<Response>, 'render' | 'renderMissing' | 'sharedAddress' | 'leadsNowhere' | 'spelledRight'>
  readonly api: Client
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'random'>
  /** Every game there is, by its key and by each alias. */
  readonly games: () => Promise<ReadonlyMap<string, { readonly key: string }>>
  readonly configNow: () => PageRequest['config']
  readonly lookNow: () => SiteLook
  /** What the policy of every page says. */
  readonly shield: { readonly isHttps: boolean; readonly isDemo: boolean; readonly isDevelopment: boolean }
}

/**
 * Answers the addresses of pages. A public page is rendered for nobody in particular: nothing of a request but its
 * address reaches the renderer, so the same bytes answer every visitor for a second. Private addresses, and queries of
 * one visitor, are rendered each time.
 */
export function pageAnswers(deps: PageAnswersDeps) {
  const { web, runtime } = deps
  const cache = pageCache<Redirect>(() => runtime.clock.nowMs())
  const mayRender = renderLimit(() => runtime.monotonic.nowMs())
  const answerMissing = missingPages({
    now: runtime.clock.now,
    async make() {
      const { nonce, parts } = partsOf(deps, minuteOf(runtime.clock.now()))
      const marked = await web.renderMissing(parts)
      return marked === null ? null : withPolicy({ status: 404, marked, nonce }, deps.shield)
    },
  })

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { url } = request
    const shared = isPrivatePath(url) ? null : web.sharedAddress(url)
    const present = shared === null ? null : cache.present(shared)
    if (present !== null) return await sendPage(request, reply, present, true)

    const games = await deps.games()
    const spelledRight = web.spelledRight(url, games)
    if (spelledRight !== null) return await reply.redirect(spelledRight, 301)
    if (web.leadsNowhere(url, games) && (await answerMissing(request, reply))) return reply
    const coming = shared === null ? undefined : cache.coming(shared)
    if (coming === undefined && !mayRender(callerAddress(request.ip))) return sendTooMany(reply)
    const now = runtime.clock.now()
    const made = await (coming ??
      (shared === null ? rendered(deps, url, now) : cache.make(shared, () => rendered(deps, shared, minuteOf(now)))))
    if ('other' in made) return await reply.redirect(made.other.location, made.other.status)
    return await sendPage(request, reply, made.page, shared !== null)
  }
}

/** Renders what an address shows at a time. */
async function rendered(deps: PageAnswersDeps, url: string, now: number): Promise<Rendered> {
  const { nonce, parts } = partsOf(deps, now)
  const answer = await deps.web.render({ ...parts, url })
  const { status, headers } = answer
  if (status >= 300 && status < 400) return { other: { status, location: headers.get('location') ?? '/' } }
  const frameOrigins = framesOf(url, parts.config.content.feedbackFormUrl)
  return { page: withPolicy({ status, marked: await answer.text(), nonce }, { ...deps.shield, frameOrigins }) }
}

function partsOf({ api, runtime, configNow, lookNow }: PageAnswersDeps, now: number) {
  const nonce = Buffer.from(runtime.random.bytes(16)).toString('base64url')
  return { nonce, parts: { api, now, nonce, config: configNow(), look: lookNow() } }
}

/** A page with the policy that names its own inline scripts and styles. */
function withPolicy(
  { status, marked, nonce }: { status: number; marked: string; nonce: string },
  shield: Omit<Parameters<typeof pagePolicy>[0], 'inline'>,
): Page {
  const { html, inline } = ownInline(marked, nonce)
  return pageOf({ status, html, policy: pagePolicy({ ...shield, inline }) })
}

/**
 * The time that shared pages are rendered for: within a minute their bytes change only with what they show. The browser
 * asks for the present time before it takes a page over.
 */
function minuteOf(now: number): number {
  return now - (now % 60)
}

/**
 * The origins that the page at an address may frame: the feedback form's, only on the feedback page. An unknown
 * spelling of that address frames nothing.
 */
export function framesOf(url: string, feedbackFormUrl: string | null): string[] {
  const [path = ''] = url.split('?')
  return feedbackFormUrl !== null && /^\/feedback\/?$/.test(path) ? [new URL(feedbackFormUrl).origin] : []
}

const TOO_MANY =
  '<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width"><title>Too many pages at once</title><h1>Too many pages at once</h1><p>Your network has opened too many pages in a short time. Please try again in a few seconds.'

function sendTooMany(reply: FastifyReply): FastifyReply {
  return reply
    .code(429)
    .headers({ 'retry-after': '5', 'cache-control': 'no-store', 'content-security-policy': API_POLICY })
    .type('text/html; charset=utf-8')
    .send(TOO_MANY)
}
