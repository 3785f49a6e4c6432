import { createHash } from 'node:crypto'
import { shortDayWords } from '@fairball/domain/day-words'
import { formatAbbreviated } from '@fairball/domain/fiat'
import type { Pattern } from '@fairball/domain/games'
import { xmlText } from './feeds.ts'
import { WIDGET_SCRIPT } from './widget-script.ts'
import { widgetStyle } from './widget-style.ts'

/** What the widget shows of a game; times are epoch seconds. */
export interface WidgetGame {
  readonly key: string
  readonly name: string
  readonly accent: string
  readonly pattern: Pattern
  /** null where it is not known: no rate is new enough, or the game is not drawn */
  readonly jackpot: {
    readonly crypto: { readonly value: string }
    readonly fiat: Parameters<typeof formatAbbreviated>[0] | null
  } | null
  /** the draw that is on, or the next one; null for none */
  readonly draw: { readonly number: number; readonly startAt: number; readonly endAt: number } | null
  /** in place of the way to play; null for a game on sale */
  readonly note: string | null
  readonly last: { readonly number: number; readonly startAt: number; readonly numbers: readonly number[] } | null
}

/** The site that a widget leads to. */
interface WidgetSite {
  readonly name: string
  readonly publicUrl: string
  /** whether its coins are test coins */
  readonly isDemo: boolean
  readonly now: number
}

/** A page with the policy it is sent under. */
interface Widget {
  readonly html: string
  readonly policy: string
}

/** The page's time is that of the last whole minute, so that it is the same page for that long. */
const SAME_FOR_SECONDS = 60

/** The widget of a game, whole: nothing is loaded besides. */
export function widgetOf(game: WidgetGame, site: WidgetSite): Widget {
  const style = widgetStyle(game)
  const [field, action] = [fieldOf(game, site.now), actionOf(game, site)]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${xmlText(`${game.name} at ${site.name}`)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${xmlText(game.name)} <span>${site.isDemo ? 'Test mode, 18+' : '18+'}</span></h1>
${field}
</header>
<main>
${lastOf(game.last)}
${action}
</main>
<script>${WIDGET_SCRIPT}</script>
</body>
</html>
`
  return { html, policy: policyOf(style) }
}

/** What stands in place of the widget of a game that does not exist. */
export function missingWidget(site: Pick<WidgetSite, 'name' | 'publicUrl'>): Widget {
  const style = widgetStyle({ accent: '#FF9A1F', pattern: 'solid' })
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${xmlText(site.name)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="none">This game does not exist.</p>
<a href="${xmlText(site.publicUrl)}/" target="_blank" rel="noopener">See the games at ${xmlText(site.name)}</a>
</main>
</body>
</html>
`
  return { html, policy: policyOf(style) }
}

/** Any site may show the page, and the page may load nothing. */
function policyOf(style: string): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(WIDGET_SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function fieldOf({ jackpot, draw, note }: WidgetGame, now: number): string {
  const lines: string[] = []
  if (jackpot !== null) {
    const btc = `${jackpot.crypto.value} BTC`
    lines.push(
      `<p class="small">Estimated jackpot${jackpot.fiat === null ? '' : xmlText(`, ${btc}`)}</p>`,
      `<p class="jackpot">${xmlText(jackpot.fiat === null ? btc : formatAbbreviated(jackpot.fiat))}</p>`,
    )
  }
  if (draw !== null) {
    const isOn = draw.startAt <= now
    const made = now - (now % SAME_FOR_SECONDS)
    const counted = `id="left" data-at="${draw.startAt}" data-end="${draw.endAt}" data-now="${made}"`
    lines.push(
      `<p class="when"><span ${counted}>${isOn ? 'The draw is on' : 'Next draw'}</span></p>`,
      ...(isOn || note !== null ? [] : [`<p class="small">${timeOf(draw.startAt)}</p>`]),
    )
  }
  if (note !== null) lines.push(`<p class="small">${xmlText(note)}</p>`)
  return lines.join('\n')
}

function lastOf(last: WidgetGame['last']): string {
  if (last === null) return '<p class="last none">No draw yet.</p>'
  const balls = last.numbers.map((number) => `<li><span>${number}</span></li>`).join('')
  return `<p class="last">Draw ${last.number}, ${timeOf(last.startAt)}</p>\n<ol>${balls}</ol>`
}

function actionOf(
  game: WidgetGame,
  { name, publicUrl, now }: { name: string; publicUrl: string; now: number },
): string {
  const page = `${publicUrl}/game/${encodeURIComponent(game.key)}`
  const isOn = game.draw !== null && game.draw.startAt <= now
  const [to, text] = isOn
    ? [`${page}/watch`, `Watch it at ${name}`]
    : [page, game.note === null ? `Play at ${name}` : `See it at ${name}`]
  return `<a href="${xmlText(to)}" target="_blank" rel="noopener">${xmlText(text)}</a>`
}

/** `<time …>Sat, Nov 28, 18:00 UTC</time>` */
function timeOf(at: number): string {
  const iso = new Date(at * 1000).toISOString().replace('.000', '')
  return `<time datetime="${iso}">${shortDayWords(at)}, ${iso.slice(11, 16)} UTC</time>`
}
