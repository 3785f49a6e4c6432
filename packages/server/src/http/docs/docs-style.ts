/** The style of the documentation, which follows the tokens and the element defaults of the pages (packages/ui). */
export const DOCS_STYLE = `
.skip { position: absolute; inset-inline-start: -999px; }
.skip:focus { inset-inline-start: var(--margin); inset-block-start: 8px; background: var(--surface); padding: 8px 12px; z-index: 1; }
header, .columns { max-width: var(--page); margin-inline: auto; padding-inline: var(--margin); }
header { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s-2) var(--s-8); padding-block: var(--s-4); }
.site { display: inline-flex; align-items: center; gap: 11px; font: 800 1.125rem / 1 var(--display); letter-spacing: -0.02em; text-decoration: none; min-height: 44px; }
header ul { display: flex; flex-wrap: wrap; gap: 0 clamp(6px, 1.9vw, 20px); font-size: var(--size-small); }
header li a { display: inline-flex; align-items: center; min-height: 44px; text-decoration: none; color: var(--ink-2); }
header li a[aria-current], header li a:hover { color: var(--ink); text-decoration: underline; }
.beside { font-size: var(--size-small); }
.beside summary { cursor: pointer; min-height: 44px; display: flex; align-items: center; font-weight: 600; }
.beside h2 { font: 700 var(--size-small) / 1.4 var(--text); letter-spacing: 0; margin-top: var(--s-4); }
.beside a { display: block; padding-block: 6px; text-decoration: none; color: var(--ink-2); }
.beside a:hover { color: var(--ink); text-decoration: underline; }
.beside a[aria-current] { color: var(--ink); font-weight: 600; }
main { min-width: 0; padding-block: var(--s-6) var(--section); outline: none; }
main > * + * { margin-top: var(--s-4); }
main h1 { text-wrap: balance; }
main h2 { margin-top: var(--s-13); font-size: var(--size-h3); }
main h3 { margin-top: var(--s-8); font-size: var(--size-lead); line-height: 1.25; }
main h4 { margin-top: var(--s-6); font-size: var(--size-body); line-height: 1.3; }
main a { text-decoration-color: var(--line-strong); }
main a:hover { text-decoration-color: currentcolor; }
main .self { color: var(--ink-3); text-decoration: none; font-weight: 400; margin-inline-start: 0.2em; opacity: 0; }
main :is(h2, h3, h4):hover .self, main .self:focus-visible { opacity: 1; }
main ul { list-style: disc; padding-inline-start: 1.4em; }
main ol { list-style: decimal; padding-inline-start: 1.8em; }
main li { max-width: 41.7em; }
main li + li, main li > :is(ul, ol, p, pre) { margin-top: 6px; }
main blockquote { border-inline-start: 3px solid var(--line); padding-inline-start: var(--s-4); }
main hr { border: 0; border-top: 1px solid var(--line); }
main img { border-radius: var(--r-control); border: 1px solid var(--line); height: auto; }
code { font: 0.875em / 1.5 var(--mono); overflow-wrap: anywhere; }
:not(pre) > code { background: var(--sunken); padding: 0.1em 0.3em; border-radius: 5px; }
.code { display: flex; align-items: start; background: var(--sunken); border-radius: var(--r-control); }
.code pre { flex: 1; min-width: 0; }
pre { background: var(--sunken); border-radius: var(--r-control); padding: var(--s-4); overflow-x: auto; }
pre code { font-size: var(--size-small); white-space: pre; overflow-wrap: normal; }
.code button { margin: 8px 8px 8px 0; min-height: 36px; padding-inline: var(--s-3); font-size: var(--size-small); font-weight: 600; background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--r-small); }
.table { overflow-x: auto; }
table { font-size: var(--size-small); min-width: 60%; width: auto; }
th, td { padding: 8px 16px 8px 0; vertical-align: top; border-bottom: 1px solid var(--line); max-width: 46em; }
.right { text-align: end; font-variant-numeric: tabular-nums; }
td code { overflow-wrap: normal; }
.foot { margin-top: var(--section); font-size: var(--size-small); color: var(--ink-2); max-width: none; }
@media (width < 1024px) {
  .beside { border-block: 1px solid var(--line); }
}
@media (width >= 1024px) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: var(--s-13); }
  .beside { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-block: var(--s-4); }
  .beside summary { display: none; }
}
`

/** Copies code, closes the contents on small screens, and shows the theme chosen on the site. Pages work without. */
export const DOCS_SCRIPT = `'use strict'
try {
  const theme = localStorage.getItem('fairball.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
addEventListener('DOMContentLoaded', () => {
  if (matchMedia('(width < 1024px)').matches) document.querySelector('.beside details').open = false
  if (!navigator.clipboard) return
  for (const pre of document.querySelectorAll('pre')) {
    const frame = document.createElement('div')
    const button = document.createElement('button')
    frame.className = 'code'
    button.type = 'button'
    button.textContent = 'Copy'
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent)
      button.textContent = 'Copied'
    })
    pre.replaceWith(frame)
    frame.append(pre, button)
  }
})
`
