import type { KeptDraw, KeptGame, KeptResults } from './kept-results.ts'

/** The page's inputs besides the results. */
interface OfflinePageParts {
  /** The requested address: its game comes first. */
  path: string
  /** The kept results; null without any. */
  results: KeptResults | null
  /** The font files, which are kept with the page. */
  fonts: { display: string; text: string }
  /** Writes a moment as a date with its time, in the visitor's time zone. */
  dateTime: (at: number) => string
}

/** The colour of the rings of a game whose own colour is not known. */
const ORANGE = '#ff9a1f'

/**
 * Writes the offline page: a notice, and the last results with their time. It is self-contained, without scripts.
 *
 * @returns the whole HTML document
 */
export function offlinePage({ path, results, fonts, dateTime }: OfflinePageParts): string {
  const key = /^\/game\/([^/?#]+)/u.exec(path)?.[1]
  const games = (results?.games ?? []).toSorted((a, b) => Number(b.key === key) - Number(a.key === key))
  const from =
    results === null
      ? 'No results are kept on this device yet. They will be once you are online.'
      : `These are the last results kept on this device, from <time>${escaped(dateTime(results.keptAt))}</time>. Newer draws are missing.`
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="robots" content="noindex"><title>You are offline – Fairball</title>',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<style>${styleOf(fonts)}${games.map(ringOf).join('')}</style></head><body>`,
    `<header><a href="/" aria-label="Fairball, home">${LOGO}<span>Fairball</span></a></header><main>`,
    '<h1>You are offline</h1>',
    `<p class="lead">${from}</p>`,
    `<p><a class="button" href="${escaped(path)}">Try again</a></p>`,
    ...games.map((game, place) => gameOf(game, place, dateTime)),
    '</main></body></html>',
  ].join('')
}

/** The rule with the colour of a game's rings. Anything else than a colour could end the rule. */
function ringOf({ color = '' }: KeptGame, place: number): string {
  return `#game-${place}{--g:${/^#[\da-f]{6}$/iu.test(color) ? color : ORANGE}}`
}

function gameOf({ name, draws }: KeptGame, place: number, dateTime: (at: number) => string): string {
  const list =
    draws.length === 0
      ? '<p class="quiet">No draw yet.</p>'
      : `<ol>${draws.map((draw) => drawOf(draw, dateTime)).join('')}</ol>`
  return `<section id="game-${place}"><h2>${escaped(name)}</h2>${list}</section>`
}

function drawOf({ number, datetime, numbers }: KeptDraw, dateTime: (at: number) => string): string {
  const balls = numbers.map((ball) => `<li>${escaped(String(ball))}</li>`).join('')
  return `<li><p><strong>Draw ${escaped(String(number))}</strong> <span class="quiet">${escaped(dateTime(datetime))}</span></p><ul aria-label="Numbers">${balls}</ul></li>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

const LOGO =
  '<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#1c1433"/><circle cx="16" cy="16" r="11.5" fill="#ff9a1f"/><circle cx="16" cy="16" r="7.6" fill="#fffdf8"/><path d="M13.6 12.2h3.1a1.9 1.9 0 0 1 .2 3.8 2.05 2.05 0 0 1-.1 4.1h-3.2zM13.6 16h3.3M14.9 11v1.2M16.9 11v1.2M14.9 20.1v1.2M16.9 20.1v1.2" fill="none" stroke="#1c1433" stroke-width="1.6" stroke-linejoin="round"/></svg>'

/** A few of the product's tokens: its style sheets have names that change with every build. */
function styleOf({ display, text }: OfflinePageParts['fonts']): string {
  return `
@font-face{font-family:Anybody;font-weight:100 900;src:url(${display})}
@font-face{font-family:Figtree;font-weight:300 900;src:url(${text})}
:root{color-scheme:light dark;--ink:#1c1433;--ink-2:#574f6e;--paper:#fbf7ef;--surface:#fff;--line:#e5ddcf}
@media(prefers-color-scheme:dark){:root{--ink:#f4f0fa;--ink-2:#b9b1cc;--paper:#120d20;--surface:#1c162d;--line:#382f52}}
*{box-sizing:border-box;margin:0}
body{background:var(--paper);color:var(--ink);font:1rem/1.5 Figtree,Arial,sans-serif;overflow-wrap:break-word}
header,main{max-width:860px;margin:auto;padding:0 24px}
header{display:flex;align-items:center;min-height:76px}
header a{display:flex;gap:11px;align-items:center;color:inherit;font:800 1.375rem/1 Anybody,Arial,sans-serif;letter-spacing:-.02em;text-decoration:none}
main{display:grid;grid-template-columns:minmax(0,1fr);gap:20px;padding-top:24px;padding-bottom:88px}
h1,h2{font:800 1.375rem/1.05 Anybody,Arial,sans-serif;letter-spacing:-.02em}
h1{font-size:clamp(1.75rem,1.4rem + 1.4vw,2.5rem)}
.lead{max-width:60ch;font-size:1.125rem}
.quiet{color:var(--ink-2)}
.button{display:inline-flex;align-items:center;min-height:48px;padding:0 28px;border-radius:99px;background:var(--ink);color:var(--paper);font-weight:700;text-decoration:none}
:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
section{padding:24px;border:1px solid var(--line);border-radius:22px;background:var(--surface)}
ol,ul{padding:0;list-style:none}
ol>li{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;justify-content:space-between;padding:16px 0 0}
ul{display:flex;gap:8px}
ul li{display:grid;place-items:center;width:44px;min-width:0;aspect-ratio:1;border:8px solid var(--g);border-radius:50%;background:#fffdf8;color:#1c1433;font:800 1rem/1 Anybody,Arial,sans-serif;font-variant-numeric:tabular-nums}
@media(max-width:640px){header,main{padding-left:16px;padding-right:16px}header{min-height:64px}section{padding:20px 16px}ul{gap:6px;max-width:100%}ul li{width:40px;border-width:6px;font-size:.875rem}}`.replaceAll(
    '\n',
    '',
  )
}
