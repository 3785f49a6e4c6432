import type { Game } from '@fairball/contract/schemas/game'
import type { WebConfig } from '@fairball/contract/pages'
import { paths } from '../../shared/paths.ts'
import type { PageFacts, PageMeta } from './page-meta.ts'

/** A node of schema.org's vocabulary. */
type Node = Readonly<Record<string, unknown>>

/**
 * Describes a page in schema.org's vocabulary: the site and its operator, the breadcrumbs, a game's next draw or one
 * draw as an event, the results of a game as a dataset. It contains only what the page itself shows.
 */
export function structuredData(meta: PageMeta, facts: PageFacts, config: WebConfig): Node {
  const { publicUrl } = config
  const absolute = (path: string) => publicUrl + path
  const nodes: Node[] = [organization(config), website(config)]
  if (meta.crumbs.length > 0)
    nodes.push({
      '@type': 'BreadcrumbList',
      itemListElement: meta.crumbs.map(({ name, path }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: absolute(path),
      })),
    })
  const game = facts.games.find(({ key }) => key === facts.params['gameKey'])
  if (game !== undefined) nodes.push(...gameNodes(game, meta, facts, absolute))
  return { '@context': 'https://schema.org', '@graph': nodes }
}

function organization({ publicUrl, siteName, logo, content }: WebConfig): Node {
  const { operator, social } = content
  return {
    '@type': 'Organization',
    '@id': `${publicUrl}/#organization`,
    name: operator?.name ?? siteName,
    url: `${publicUrl}/`,
    logo: `${publicUrl}${logo?.light ?? '/icons/icon-512.png'}`,
    ...(operator !== null && { email: operator.email }),
    ...(social.length > 0 && { sameAs: social.map(({ url }) => url) }),
  }
}

function website({ publicUrl, siteName }: WebConfig): Node {
  return {
    '@type': 'WebSite',
    '@id': `${publicUrl}/#website`,
    name: siteName,
    url: `${publicUrl}/`,
    inLanguage: 'en',
    publisher: { '@id': `${publicUrl}/#organization` },
  }
}

function gameNodes(
  game: Game,
  meta: PageMeta,
  { pattern, draw, params }: PageFacts,
  absolute: (path: string) => string,
): Node[] {
  const shared = (number: number) => ({
    '@type': 'Event',
    name: `${game.name} draw ${number}`,
    description: meta.description,
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: absolute(paths.watch(game.key)) },
    organizer: { '@id': absolute('/#organization') },
    image: absolute(meta.image.path),
  })
  if (pattern.startsWith('/game/$gameKey/draw/')) {
    if (draw === null) return []
    return [
      {
        ...shared(Number(params['number'])),
        url: absolute(paths.draw(game.key, draw.number)),
        startDate: isoTime(draw.datetime),
        endDate: isoTime(draw.end_at),
        eventStatus: `https://schema.org/${draw.status === 'VOID' ? 'EventCancelled' : 'EventScheduled'}`,
      },
    ]
  }
  if (pattern.startsWith('/game/$gameKey/draws'))
    return [
      {
        '@type': 'Dataset',
        name: `${game.name} results`,
        description: meta.description,
        url: absolute(paths.draws(game.key)),
        isAccessibleForFree: true,
        creator: { '@id': absolute('/#organization') },
        distribution: [
          {
            '@type': 'DataDownload',
            encodingFormat: 'application/json',
            contentUrl: absolute(`/api/v1/games/${game.key}/draws`),
          },
        ],
      },
    ]
  if (pattern !== '/game/$gameKey/' && pattern !== '/game/$gameKey') return []
  const next = game.next_draw
  const price = game.ticket_price.fiat[game.currency]
  return [
    {
      ...shared(next.number),
      url: absolute(paths.game(game.key)),
      startDate: isoTime(next.start_at),
      endDate: isoTime(next.end_at),
      eventStatus: 'https://schema.org/EventScheduled',
      ...(price !== undefined && {
        offers: {
          '@type': 'Offer',
          price: price.value.toFixed(2),
          priceCurrency: game.currency,
          url: absolute(paths.game(game.key)),
          validThrough: isoTime(next.ticket_sell_closes_at),
        },
      }),
    },
  ]
}

/** @param at epoch seconds @returns the moment in schema.org's format: "2026-11-21T18:00:00Z" */
function isoTime(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000', '')
}
