import { Window } from 'happy-dom'
import { afterAll, expect, it, vi } from 'vitest'
import { authenticate } from '../src/modules/identity/sessions.ts'
import { sanitiseHtml } from '../src/modules/messages/sanitise-html.ts'
import { sendMessage } from '../src/modules/messages/service.ts'
import { useAccounts } from './accounts.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

const http = useAccounts()
const window = new Window({ settings: { disableJavaScriptEvaluation: true, disableJavaScriptFileLoading: true } })
afterAll(() => window.happyDOM.close())

const SCHEMES = [
  'javascript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  'blob:x',
  'file:///etc/passwd',
]

/** Spellings of an address that a filter reads differently from the browser. */
const ENCODINGS: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => Array.from(text, (character) => `&#${character.charCodeAt(0)};`).join(''),
  (text) => Array.from(text, (character) => `&#x${character.charCodeAt(0).toString(16)}`).join(''),
  (text) => `${text.slice(0, 4)}\t${text.slice(4)}`,
  (text) => `${text.slice(0, 4)}&Tab;${text.slice(4)}`,
  (text) => `${text.slice(0, 4)}\n${text.slice(4)}`,
  (text) => `\u0001 ${text}`,
  (text) => text.replace(':', '&colon;'),
]

const TAGS = ['img', 'svg', 'body', 'video', 'p', 'a', 'details', 'iframe', 'b', 'input', 'math', 'x-own', 'marquee']
const HANDLERS = ['onerror', 'onload', 'ONCLICK', 'onmouseover', 'ontoggle', 'onfocus']
const SEPARATORS = [' ', '/', '\t', '\n', '"x"', '\f']

/** Tags that close wrongly, nest in one another, or change how the rest is read. */
const WRAPPERS: ((inner: string) => string)[] = [
  (inner) => `<noscript><p title="</noscript>${inner}">`,
  (inner) => `<svg><style>${inner}</style></svg>`,
  (inner) => `<math><mtext><table><mglyph><style><!--</style>${inner}-->`,
  (inner) => `<p title='">${inner}'>x</p>`,
  (inner) => `<!-- --!>${inner}<!-- -->`,
  (inner) => `<![CDATA[>${inner}]]>`,
  (inner) => `<template>${inner}</template>`,
  (inner) => `<title>${inner}</title></title>${inner}`,
  (inner) => `<textarea></textarea ${inner}`,
  (inner) => `<scr<script>ipt>${inner}</scr</script>ipt>`,
  (inner) => `<?xml ${inner} ?>`,
  (inner) => `<b <${inner}`,
]

function payloads(): string[] {
  const links = SCHEMES.flatMap((scheme) =>
    ENCODINGS.flatMap((encode) => [`<a href="${encode(scheme)}">x</a>`, `<a href=${encode(scheme)}>x</a>`]),
  )
  const handlers = TAGS.flatMap((tag, tagAt) =>
    HANDLERS.map(
      (handler, at) =>
        `<${tag}${SEPARATORS[(tagAt + at) % SEPARATORS.length]}${handler}=alert(1) src=x href="https://ok.example">x`,
    ),
  )
  const wrapped = WRAPPERS.flatMap((wrap) => ['<img src=x onerror=alert(1)>', '<script>alert(1)</script>'].map(wrap))
  return [...links, ...handlers, ...wrapped]
}

const ALLOWED = new Set('p br b strong i em u ul ol li h3 h4 blockquote code a'.split(' '))

/** What a browser would find in it that could run, load or lead somewhere it must not. */
function dangersIn(html: string): string[] {
  const body = window.document.createElement('div')
  body.innerHTML = html
  const dangers: string[] = []
  for (const element of body.querySelectorAll('*')) {
    const name = element.tagName.toLowerCase()
    if (!ALLOWED.has(name)) dangers.push(name)
    for (const attribute of element.attributes) {
      const isFine =
        name === 'a' && (attribute.name === 'rel' || (attribute.name === 'href' && isHarmless(attribute.value ?? '')))
      if (!isFine) dangers.push(`${name} ${attribute.name}=${attribute.value}`)
    }
  }
  return dangers
}

function isHarmless(address: string): boolean {
  const { protocol, host } = new URL(address, 'https://fairball.test/')
  return ['http:', 'https:', 'mailto:'].includes(protocol) && !host.includes('evil')
}

it('the check finds what can run, so that the tests below mean something', () => {
  expect(dangersIn('<img src=x onerror=alert(1)>')).not.toEqual([])
  expect(dangersIn('<a href="javascript:alert(1)">x</a>')).not.toEqual([])
  expect(dangersIn('<a href="&#106;avascript:alert(1)">x</a>')).not.toEqual([])
  expect(dangersIn('<p onclick="x">y</p>')).not.toEqual([])
  expect(dangersIn('<p>You <b>win</b>, <a href="/game/treasure">play on</a></p>')).toEqual([])
})

it('of 200 attempts, nothing that can run is stored in a message as a player reads it', async () => {
  const all = payloads()
  expect(new Set(all).size).toBeGreaterThanOrEqual(200)
  const player = await http.register()
  const signedIn = await authenticate(http.accounts, player.access)
  for (const [index, html] of all.entries())
    await http.transaction((tx) =>
      sendMessage(http.messages, tx, {
        playerId: signedIn?.id ?? 0n,
        title: `<b>${index}</b>`,
        html: `<p>before</p>${html}<p>after</p>`,
        action: null,
        key: `xss:${index}`,
      }),
    )
  let read = 0
  for (let page = 1; page <= Math.ceil(all.length / 10); page++) {
    const { body } = await http.call('GET', `/settings/messages?_page=${page}`, { token: player.access })
    for (const { content } of body.results as { content: string }[]) {
      expect([content, dangersIn(content)]).toEqual([content, []])
      expect(content).toContain('<p>before</p>')
      read += 1
    }
  }
  expect(read).toBe(all.length)
})

it('cleaning a cleaned text changes nothing, and pieces of attempts leave nothing that can run', () => {
  const all = payloads()
  for (const [index, html] of all.entries()) {
    const other = all[(index * 7 + 3) % all.length] ?? ''
    for (const mixed of [html.slice(0, html.length / 2) + other, html + other.slice(other.length / 2)]) {
      const clean = sanitiseHtml(mixed)
      expect([mixed, dangersIn(clean)]).toEqual([mixed, []])
      expect(sanitiseHtml(clean)).toBe(clean)
    }
  }
})
