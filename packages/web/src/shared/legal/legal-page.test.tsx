import type { Block, LegalText, LegalVersion, Words } from '@fairball/contract/schemas/legal'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OWN_TEXT } from '../../testing/legal-text.ts'
import { renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { LegalPage } from './legal-page.tsx'
import { MarkdownText } from '@fairball/ui/markdown-text.tsx'

/** Friday 15 January 2027, 12:00 UTC. */
const NOON = 1_800_014_400
const DAY = 86_400

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const VERSIONS: readonly LegalVersion[] = [
  { version: 3, status: 'coming', date: '2027-01-10', from_at: NOON + 5 * DAY, until_at: null },
  { version: 1, status: 'in_force', date: '2026-12-24', from_at: NOON - 9 * DAY, until_at: NOON + 5 * DAY },
  { version: 0, status: 'earlier', date: null, from_at: null, until_at: NOON - 9 * DAY },
]

const open = async (answer: LegalText) => {
  page = await renderPage(
    <LegalPage name="terms" version={undefined} title="Terms & rules" facts={<p>The games.</p>}>
      <p>The product’s own terms.</p>
    </LegalPage>,
    { answers: { getLegalText: () => answer }, profile: null },
  )
}
const versionOf = (version: number, blocks: Block[] | null): LegalText => {
  const view = VERSIONS.find((one) => one.version === version) ?? expect.fail(String(version))
  return { ...view, blocks, versions: [...VERSIONS] }
}
const paragraph = (...words: Words[]): Block => ({ kind: 'paragraph', words })
const chapter = (title: string): Block => {
  return { kind: 'heading', level: 2, id: `text-${title.toLowerCase()}`, title, words: [title] }
}
const links = () => [...document.querySelectorAll('a')].map((a) => [a.textContent, a.getAttribute('href')])

describe('a legal text', () => {
  it('without a text of the operator the product’s own is the whole page', async () => {
    await open(OWN_TEXT)
    expect(text()).toBe('The product’s own terms.')
  })

  it('the operator’s text has its title, its date, its chapters, the facts of the software and all versions', async () => {
    const title: Words[] = ['Our ', { kind: 'emphasis', words: ['terms'] }]
    const link: Words = { kind: 'link', href: '/links', words: ['link'] }
    await open(
      versionOf(1, [
        { kind: 'heading', level: 1, id: 'text-our-terms', title: 'Our terms', words: title },
        paragraph('Before.'),
        chapter('One'),
        { kind: 'list', from: null, items: [[paragraph('a ', link)]] },
        chapter('Two'),
        { kind: 'list', from: 3, items: [[paragraph('third')]] },
      ]),
    )
    expect(document.querySelector('h1')?.textContent).toBe('Our terms')
    expect(text()).toContain('Text of Dec 24, 2026.')
    expect([...document.querySelectorAll('nav a')].map((a) => a.getAttribute('href'))).toEqual([
      '#text-one',
      '#text-two',
    ])
    expect([...document.querySelectorAll('h2')].map((h) => h.textContent)).toEqual([
      'One',
      'Two',
      'Versions of this text',
    ])
    expect(document.querySelector('ol[start="3"] li')?.textContent).toBe('third')
    expect(text()).toContain('The games.')
    expect(text()).not.toContain('The product’s own terms.')
    expect(links()).toEqual(
      expect.arrayContaining([
        ['link', '/links'],
        ['Version 3 of Jan 10, 2027', '/terms?version=3'],
        ['Version 0, without a date', '/terms?version=0'],
      ]),
    )
    const times = [...document.querySelectorAll('td[data-heading="In force"]')].map((cell) => cell.textContent)
    expect(times).toEqual(['from Jan 20, 2027', 'Jan 6, 2027 to Jan 20, 2027', 'until Jan 6, 2027'])
  })

  it('a text that is not in force says so first, with a link to the one that is', async () => {
    await open(versionOf(3, [paragraph('New.')]))
    expect(text()).toContain('This text is not in force yet. It takes effect on Jan 20, 2027 at 12:00 PM.')
    expect(text()).toContain('The games.')
    expect(links()[0]).toEqual(['Read the text in force', '/terms'])
    page.unmount()
    await open(versionOf(0, null))
    expect(text()).toContain('This text was in force until Jan 6, 2027 at 12:00 PM.')
    expect(text()).toContain('they are those of today')
    expect(text()).toContain('The product’s own terms.')
    page.unmount()
    await open({ ...versionOf(3, [paragraph('Typo.')]), status: 'withdrawn' })
    expect(text()).toContain('It was never in force.')
    expect(text()).not.toContain('The games.')
  })

  it('whatever a text says, only elements of texts come out', () => {
    const words = fc.constantFrom<Words>('<script>', '<img src=x onerror=a>', '&lt;', '"', 'a')
    const { block } = fc.letrec<{ piece: Words; pieces: Words[]; block: Block }>((tie) => ({
      piece: fc.oneof(
        { maxDepth: 3 },
        words,
        fc.constant<Words>({ kind: 'break' }),
        fc.record({ kind: fc.constantFrom('strong', 'emphasis'), words: tie('pieces') }),
        fc.record({ kind: fc.constant('link'), href: fc.constant('/"><script>'), words: tie('pieces') }),
      ),
      pieces: fc.array(tie('piece'), { maxLength: 3 }),
      block: fc.oneof(
        { maxDepth: 3 },
        fc.record({ kind: fc.constant('paragraph'), words: tie('pieces') }),
        fc.record({ kind: fc.constant('quote'), blocks: fc.array(tie('block'), { maxLength: 2 }) }),
      ),
    }))
    page = { unmount: () => undefined } as RenderedPage
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const html = renderToStaticMarkup(<MarkdownText blocks={blocks} contents="On this page" />)
        for (const [, tag = ''] of html.matchAll(/<\/?([^\s>/]*)/gu))
          expect([
            'a',
            'blockquote',
            'br',
            'div',
            'em',
            'h1',
            'h2',
            'h3',
            'h4',
            'li',
            'nav',
            'ol',
            'p',
            'section',
            'strong',
            'ul',
          ]).toContain(tag)
      }),
      { numRuns: 200 },
    )
  })
})
