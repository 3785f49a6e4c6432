import { satsToBtc } from '@fairball/domain/money'
import type { DrawResult } from '../results/service.ts'

/** A result with the name of its game. */
interface NamedResult extends DrawResult {
  readonly gameName: string
}

/** What a feed of results tells, and where it is. */
interface ResultsFeed {
  readonly siteName: string
  readonly publicUrl: string
  /** newest first */
  readonly results: readonly NamedResult[]
  /** when the feed last changed if it has no result, in epoch seconds */
  readonly begunAt: number
}

const JSON_PATH = '/feeds/results.json'
const ATOM_PATH = '/feeds/results.atom'

/** The results as a JSON Feed 1.1. `_draw` has them for programs: amounts are texts in BTC, times epoch seconds. */
export function jsonFeedOf({ siteName, publicUrl, results }: ResultsFeed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(siteName),
    home_page_url: `${publicUrl}/`,
    feed_url: publicUrl + JSON_PATH,
    description: DESCRIPTION,
    language: 'en',
    items: results.map((result) => ({
      id: addressOf(publicUrl, result),
      url: addressOf(publicUrl, result),
      title: headlineOf(result),
      content_text: storyOf(result),
      date_published: timeText(result.shownAt),
      tags: [result.gameName],
      _draw: {
        game: result.gameKey,
        number: result.number,
        start_at: result.startAt,
        numbers: result.numbers,
        winning_lines: result.winningLines,
        prizes_btc: satsToBtc(result.prizeSats),
        jackpot_btc: satsToBtc(result.jackpotSats),
      },
    })),
  })
}

/** The results as an Atom feed (RFC 4287). */
export function atomFeedOf({ siteName, publicUrl, results, begunAt }: ResultsFeed): string {
  const updatedAt = results.reduce((newest, { shownAt }) => Math.max(newest, shownAt), begunAt)
  const entries = results.flatMap((result) => {
    const address = xmlText(addressOf(publicUrl, result))
    return [
      '<entry>',
      `<id>${address}</id>`,
      `<title>${xmlText(headlineOf(result))}</title>`,
      `<link rel="alternate" type="text/html" href="${address}"/>`,
      `<published>${timeText(result.shownAt)}</published>`,
      `<updated>${timeText(result.shownAt)}</updated>`,
      `<category term="${xmlText(result.gameKey)}" label="${xmlText(result.gameName)}"/>`,
      `<content type="text">${xmlText(storyOf(result))}</content>`,
      '</entry>',
    ]
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>${xmlText(publicUrl + ATOM_PATH)}</id>`,
    `<title>${xmlText(titleOf(siteName))}</title>`,
    `<subtitle>${xmlText(DESCRIPTION)}</subtitle>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(publicUrl + ATOM_PATH)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(`${publicUrl}/`)}"/>`,
    `<author><name>${xmlText(siteName)}</name></author>`,
    `<updated>${timeText(updatedAt)}</updated>`,
    ...entries,
    '</feed>',
    '',
  ].join('\n')
}

const DESCRIPTION = 'The numbers of each draw, once its last ball has been shown.'

function titleOf(siteName: string): string {
  return `${siteName}: results`
}

function addressOf(publicUrl: string, { gameKey, number }: DrawResult): string {
  return `${publicUrl}/game/${encodeURIComponent(gameKey)}/draw/${number}`
}

function headlineOf({ gameName, number, numbers }: NamedResult): string {
  return `${gameName}, draw ${number}: ${numbers.join(', ')}`
}

function storyOf({ startAt, winningLines, prizeSats, jackpotSats }: DrawResult): string {
  const day = new Date(startAt * 1000).toISOString()
  const lines = winningLines === 1 ? '1 line won' : `${winningLines} lines won`
  return [
    `Drawn on ${day.slice(0, 10)} at ${day.slice(11, 16)} UTC.`,
    winningLines === 0 ? 'No line won.' : `${lines}. Money prizes: ${satsToBtc(prizeSats)} BTC.`,
    jackpotSats === 0n ? 'The jackpot was not won.' : `The jackpot was won: ${satsToBtc(jackpotSats)} BTC.`,
  ].join(' ')
}

function timeText(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000', '')
}

/** Characters that no XML 1.0 document may have, not even escaped. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu
const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text inside an element or a quoted attribute of XML or HTML. */
export function xmlText(text: string): string {
  return text.replaceAll(NOT_IN_XML, '').replaceAll(/[&<>"']/gu, (character) => XML_ESCAPES[character] ?? '')
}
