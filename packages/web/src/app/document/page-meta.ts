import { combinations } from '@fairball/domain/combinations'
import { dateLabel, timeLabel } from '@fairball/domain/draw-time-label'
import { formatMoney } from '@fairball/domain/fiat'
import type { DrawDetails, Game, RetiredGame } from '@fairball/contract/schemas/game'
import { paths } from '../../shared/paths.ts'
import type { PageParams } from '../../shared/screen.ts'

/** The identity of a page: its address and its loaded data. */
export interface PageFacts {
  /** the name of the site */
  siteName: string
  /** The pattern of the address, such as `/game/$gameKey/draws/{-$page}`. */
  pattern: string
  params: PageParams
  /** All games; empty if they could not be loaded. */
  games: readonly Game[]
  /** The games that have ended, if the page is one of theirs. */
  ended: readonly RetiredGame[]
  /** The draw that a page is about, if it was loaded. */
  draw: DrawDetails | null
  /** The address has no page. */
  isMissing: boolean
}

/** A page's description of itself for a browser's tab, search engines, and sites that show a link to it. */
export interface PageMeta {
  /** The title, with the product's name. */
  title: string
  /** One or two sentences. */
  description: string
  /** The canonical address of this content, a path; null for pages that should not be found. */
  canonical: string | null
  /** The picture that goes with a link. */
  image: ShareImage
  /** The pages above this one and this one itself, from the home page down; empty for the home page. */
  crumbs: readonly Crumb[]
}

/** A picture of 1200 by 630 px that the server draws. */
interface ShareImage {
  path: string
  alt: string
}

/** A step on the way to a page. */
interface Crumb {
  name: string
  path: string
}

/** For pages without a description of their own. */
const SITE_DESCRIPTION =
  'A provably fair lottery paid in bitcoin. Pick your numbers, watch the draw, and check every step of it yourself.'

/** The description for a pattern of addresses; search engines may list its pages only if it is public. */
interface Entry {
  name: string
  description?: string
  isPublic?: boolean
}

/** The pages without a game. */
const PAGES: Readonly<Record<string, Entry>> = {
  [paths.home()]: { name: '', isPublic: true },
  [paths.howToClaim()]: {
    name: 'How to claim',
    description:
      'There is nothing to claim: prizes are sent to the bitcoin address you save. What to set up, and when the money arrives.',
    isPublic: true,
  },
  [paths.whereTheMoneyGoes()]: {
    name: 'Where the money goes',
    description:
      'How the price of a ticket is divided between prizes, jackpots, good causes and the operator’s fee, with the books of every draw.',
    isPublic: true,
  },
  [paths.winnersAndGoodCauses()]: {
    name: 'Winners & good causes',
    description: 'Winners who agreed to be shown, under masked names, and the good causes that share in every jackpot.',
    isPublic: true,
  },
  [paths.aboutUs()]: {
    name: 'About us',
    description: 'What SITE_NAME is, how its draws are made, and why you do not have to take our word for it.',
    isPublic: true,
  },
  [paths.fairness()]: {
    name: 'Fairness',
    description:
      'How anyone can check every draw: a sealed list of plays, a public random number, and a program that verifies it all on your own device.',
    isPublic: true,
  },
  [paths.helpAndContactUs()]: {
    name: 'Help & contact us',
    description:
      'Questions about playing, paying or prizes? Write to us, or find our address and other ways to reach us.',
    isPublic: true,
  },
  [paths.feedback()]: {
    name: 'Feedback',
    description: 'Tell us what works on SITE_NAME, what does not, and what is missing.',
    isPublic: true,
  },
  [paths.terms()]: {
    name: 'Terms & rules',
    description: 'The rules of every game with its odds, prizes and closing times, and the terms of playing.',
    isPublic: true,
  },
  [paths.privacyPolicy()]: {
    name: 'Privacy policy',
    description: 'What we keep about a player, why and for how long, and how to see or delete it.',
    isPublic: true,
  },
  [paths.cookies()]: {
    name: 'Cookies',
    description: 'What this site stores in your browser and what for. There are no advertising or tracking cookies.',
    isPublic: true,
  },
  [paths.login()]: { name: 'Log in', isPublic: true },
  [paths.openAccount()]: { name: 'Open an account', isPublic: true },
  '/forgotten-password': { name: 'Forgotten password' },
  '/reset-password/$key': { name: 'Reset password' },
  '/login-secure/$key': { name: 'Log in' },
  '/verify-email/$key': { name: 'Verify your email' },
  '/stop-address-change/$key': { name: 'Stop the address change' },
  '/social-login/$provider': { name: 'Log in' },
  '/checkout/$order': { name: 'Payment' },
  '/links': { name: 'Links' },
  '/links/outbox': { name: 'Outbox' },
  '/settings/general/tickets': { name: 'My tickets' },
  '/settings/general/my-games': { name: 'My games' },
  '/settings/general/messages': { name: 'Messages' },
  '/settings/profile-and-settings/personal-details': { name: 'Personal details' },
  '/settings/profile-and-settings/security': { name: 'Security' },
  '/settings/profile-and-settings/password-change': { name: 'Password change' },
  '/settings/profile-and-settings/email-preferences': { name: 'Email preferences' },
  '/settings/profile-and-settings/responsible-play': { name: 'Responsible play' },
  '/settings/profile-and-settings/personal-data': { name: 'Personal data' },
  '/settings/funds-and-payments/balance': { name: 'Balance' },
  '/settings/funds-and-payments/transaction-history': { name: 'Transaction history' },
  '/settings/funds-and-payments/crypto-account-details': { name: 'Crypto account details' },
}

/**
 * @returns a page's description of itself; search engines may not list a missing page, or one that the tables above do
 * not know
 */
export function pageMeta(facts: PageFacts): PageMeta {
  const { siteName } = facts
  if (facts.isMissing) return metaOf(siteName, { name: 'Page not found' })
  const game = facts.games.find(({ key }) => key === facts.params['gameKey'])
  const pattern = withoutOptional(facts.pattern)
  if (game !== undefined) return gameMeta(pattern, game, facts)
  const ended = facts.ended.find(({ key }) => key === facts.params['gameKey'])
  if (ended !== undefined) return metaOf(siteName, { name: `${ended.name}, a game that has ended` })
  return metaOf(siteName, PAGES[pattern] ?? { name: '' }, pattern)
}

/** A page past the first is its own page; the pattern is that of the first. */
function withoutOptional(pattern: string): string {
  return pattern.replace(/\/\{-\$\w+\}$/u, '').replace(/(?<=.)\/$/u, '')
}

function metaOf(
  siteName: string,
  { name, description = SITE_DESCRIPTION, isPublic = false }: Entry,
  path = '',
): PageMeta {
  return {
    title: titleOf(name, siteName),
    description: named(description, siteName),
    canonical: isPublic ? path : null,
    image: {
      path: '/share/fairball.png',
      alt: `${siteName}: numbered balls. The provably fair bitcoin lottery.`,
    },
    crumbs: name === '' || !isPublic ? [] : [homeOf(siteName), { name, path }],
  }
}

function homeOf(siteName: string): Crumb {
  return { name: siteName, path: '/' }
}

/** A description of the tables with the site's name in it. */
function named(description: string, siteName: string): string {
  return description.replace('SITE_NAME', () => siteName)
}

function gameMeta(pattern: string, game: Game, { params, draw, siteName }: PageFacts): PageMeta {
  const { name, key } = game
  const own = [homeOf(siteName), { name, path: paths.game(key) }]
  const image = {
    path: `/share/game/${key}.png`,
    alt: `${name}: pick ${game.sets[0]?.n} numbers from ${game.sets[0]?.N}.`,
  }
  const number = Number(params['number'])
  const below = (title: string, description: string, path: string, ...between: Crumb[]): PageMeta => ({
    title: titleOf(title, siteName),
    description,
    canonical: path,
    image,
    crumbs: [...own, ...between, { name: capitalised(title.replace(`${name} `, '')), path }],
  })
  switch (pattern) {
    case '/game/$gameKey':
    case '/game/$gameKey/lucky-dips/$count':
      return {
        title: titleOf(name, siteName),
        description: describedGame(game),
        canonical: paths.game(key),
        image,
        crumbs: own,
      }
    case '/game/$gameKey/watch':
      return below(
        `Watch ${name}`,
        `Watch the ${name} draw live: each ball as it is drawn, and all prizes at the end. Anyone can check the numbers.`,
        paths.watch(key),
      )
    case '/game/$gameKey/draws': {
      const page = Number(params['page'] ?? 1)
      const title = `${name} results${page > 1 ? `, page ${page}` : ''}`
      return below(
        title,
        `${name} results of the last 180 days: the numbers of every draw, with jackpots and donations, to look through or to download.`,
        paths.draws(key, page),
      )
    }
    case '/game/$gameKey/statistics':
      return below(
        `${name} statistics`,
        `How often each number of ${name} was drawn in the last 180 days, and the jackpots. Past draws say nothing about the next one.`,
        paths.statistics(key),
      )
    case '/game/$gameKey/draw/$number':
    case '/game/$gameKey/draw/$number/proof': {
      const drawCrumb = { name: `Draw ${number}`, path: paths.draw(key, number) }
      const history = { name: 'Results', path: paths.draws(key) }
      const isProof = pattern.endsWith('/proof')
      const shared = isProof
        ? below(
            `Check ${name} draw ${number}`,
            `The proof behind draw ${number} of ${name}: the sealed list, the public random number and the numbers that follow from them, checked in your browser.`,
            paths.proof(key, number),
            history,
            drawCrumb,
          )
        : below(`${name} draw ${number}`, describedDraw(game, number, draw), drawCrumb.path, history)
      const alt = `${name}, draw ${number}${draw?.numbers.length ? `: ${draw.numbers.join(', ')}` : ''}.`
      return { ...shared, image: { path: `/share/game/${key}/draw/${number}.png`, alt } }
    }
    default:
      // The player's own results.
      return { ...metaOf(siteName, { name: `My ${name} results` }), image }
  }
}

function describedGame(game: Game): string {
  const { n = 0, N = 0 } = game.sets[0] ?? {}
  const price = game.ticket_price.fiat[game.currency]
  const forPrice = price === undefined ? '' : ` for ${formatMoney(price, { stripZeros: true })} a line`
  const odds = combinations(N, n).toLocaleString('en-GB')
  return `${game.name}: pick ${n} numbers from ${N}${forPrice}. One line wins the jackpot with a chance of 1 in ${odds}. Prizes are paid in bitcoin, without a claim.`
}

function describedDraw({ name }: Game, number: number, draw: DrawDetails | null): string {
  const end = 'Prizes, lines and the proof behind the numbers.'
  if (draw === null) return `Draw ${number} of ${name}. ${end}`
  const when = `${dateLabel(draw.datetime, 0)} at ${timeLabel(draw.datetime, 0)} UTC`
  if (draw.status === 'VOID')
    return `Draw ${number} of ${name}, ${when}, was void. What happened, and where its plays went.`
  if (draw.numbers.length === 0) return `Draw ${number} of ${name} is on ${when}. ${end}`
  return `Draw ${number} of ${name}, ${when}: ${draw.numbers.join(', ')}. ${end}`
}

/** A step's name begins with a capital. */
function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function titleOf(name: string, siteName: string): string {
  return name === '' ? `${siteName} – the provably fair bitcoin lottery` : `${name} – ${siteName}`
}
