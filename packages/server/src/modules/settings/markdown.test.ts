import { blockSchema } from '@fairball/contract/schemas/legal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHref, readMarkdown } from './markdown.ts'

const blocksOf = (text: string) => {
  const { blocks, faults } = readMarkdown(text)
  expect(faults).toEqual([])
  return blocks
}
const wordsOf = (text: string) => {
  const [block] = blocksOf(text)
  return block?.kind === 'paragraph' ? block.words : expect.fail('no paragraph')
}
const faultsOf = (text: string) => readMarkdown(text).faults.map(({ line, text: fault }) => `${line}: ${fault}`)
/** Where links lead. */
const hrefsIn = (blocks: unknown) =>
  [...JSON.stringify(blocks).matchAll(/"href":("(?:[^"\\]|\\.)*")/gu)].map(([, href = '']) => String(JSON.parse(href)))
const paragraph = (text: string) => ({ kind: 'paragraph', words: [text] })

describe('Markdown of legal texts', () => {
  it('headings, paragraphs, lists in lists and quotes are read', () => {
    const text = [
      '# Terms of *play*',
      '',
      'Two lines',
      'of one paragraph.',
      '## 1. Who may play',
      '- adults',
      '  of any country',
      '- others:',
      '    1. guests',
      '    2. friends',
      '',
      '       with a second paragraph',
      '',
      '7. numbered',
      '8. on',
      '### Who may play',
      '> A quote',
      '> - with a list',
      'Behind it',
    ].join('\n')
    expect(blocksOf(text)).toEqual([
      {
        kind: 'heading',
        level: 1,
        id: 'text-terms-of-play',
        title: 'Terms of play',
        words: ['Terms of ', { kind: 'emphasis', words: ['play'] }],
      },
      paragraph('Two lines\nof one paragraph.'),
      { kind: 'heading', level: 2, id: 'text-1-who-may-play', title: '1. Who may play', words: ['1. Who may play'] },
      {
        kind: 'list',
        from: null,
        items: [
          [paragraph('adults\nof any country')],
          [
            paragraph('others:'),
            {
              kind: 'list',
              from: 1,
              items: [[paragraph('guests')], [paragraph('friends'), paragraph('with a second paragraph')]],
            },
          ],
        ],
      },
      { kind: 'list', from: 7, items: [[paragraph('numbered')], [paragraph('on')]] },
      { kind: 'heading', level: 3, id: 'text-who-may-play', title: 'Who may play', words: ['Who may play'] },
      {
        kind: 'quote',
        blocks: [paragraph('A quote'), { kind: 'list', from: null, items: [[paragraph('with a list\nBehind it')]] }],
      },
    ])
  })

  it.each([
    ['a **b *c* d** e', ['a ', { kind: 'strong', words: ['b ', { kind: 'emphasis', words: ['c'] }, ' d'] }, ' e']],
    ['***a***', [{ kind: 'emphasis', words: [{ kind: 'strong', words: ['a'] }] }]],
    ['*a **b** c*', [{ kind: 'emphasis', words: ['a ', { kind: 'strong', words: ['b'] }, ' c'] }]],
    [
      '_a_ and snake_case_name and 2 * 3 * 4',
      [{ kind: 'emphasis', words: ['a'] }, ' and snake_case_name and 2 * 3 * 4'],
    ],
    ['1 Street  \nTown\\\nCountry', ['1 Street', { kind: 'break' }, 'Town', { kind: 'break' }, 'Country']],
    ['\\*as it is\\* \\[x\\] \\<b\\> [note] a < b & c', ['*as it is* [x] <b> [note] a < b & c']],
    [
      'See [the **rules**](/terms#x), [a (b)](https://a.test/b_(c)) or [mail](mailto:a@b.test).',
      [
        'See ',
        { kind: 'link', href: '/terms#x', words: ['the ', { kind: 'strong', words: ['rules'] }] },
        ', ',
        { kind: 'link', href: 'https://a.test/b_(c)', words: ['a (b)'] },
        ' or ',
        { kind: 'link', href: 'mailto:a@b.test', words: ['mail'] },
        '.',
      ],
    ],
  ])('words are read: %j', (text, words) => expect(wordsOf(text)).toEqual(words))

  it('parts of one name have ids of their own', () => {
    const ids = blocksOf('## Fees\n\n## Fees').map((block) => (block.kind === 'heading' ? block.id : null))
    expect(ids).toEqual(['text-fees', 'text-fees--2'])
  })

  const html = (tag: string) => `leave out "${tag}": HTML is not shown; write \\< for the sign itself`
  const picture = 'leave out the picture: pictures are not shown'
  const rule = 'leave out the rule; a heading begins with ##'
  const table = 'write the table as a list: tables are not read'
  const href = (found: string) => `"${found}" is no address of a link: set https://…, mailto:… or a path like /terms`
  it.each([
    ['A\n<b>bold</b>', `2: ${html('<b>')}`, `2: ${html('</b>')}`],
    ['<div>\na\n</div>', `1: ${html('<div>')}`],
    ['&nbsp;', '1: write the sign itself in place of "&nbsp;", or \\& for the sign &'],
    [
      '![a](/x.png) ![b]\n\n[b]: /x',
      `1: ${picture}`,
      `1: ${picture}`,
      `3: leave out "[b]: /x": addresses at another place are not read`,
    ],
    [
      '[a][b]\n\n[b]: /x',
      '1: write "[a][b]" as [text](address): addresses at another place are not read',
      `3: leave out "[b]: /x": addresses at another place are not read`,
    ],
    ['a\n\n# Late', '3: write ## here: # is the title, and comes once, at the beginning'],
    ['#Hash', '1: write a space behind #, or \\# for the sign itself'],
    ['## A\n#### Deep', '2: write ### here: no level may be left out'],
    ['# A\n## B\n### C\n#### D\n##### E', '5: write at most ####'],
    ['##', '1: write a text behind #'],
    ['- # in a list', '1: move the heading out of the list or quote'],
    ['Title\n===', `1: ${rule}`],
    ['a\n\n---', `3: ${rule}`],
    ['| a | b |\n|---|---|', `1: ${table}`, `2: ${table}`],
    ['1. one\n3. three', '2: number this item 2, as it is shown'],
    ['a\nAn **open\nend', '2: close "**", or write \\* for the sign itself'],
    ['an _open end', '1: close "_", or write \\_ for the sign itself'],
    ['`code`', '1: leave out "`": code is not read; write \\` for the sign itself'],
    ['```\na\n```', '1: leave out the fence: code is not read'],
    ['    indented', '1: begin the line with fewer spaces: code is not read'],
    ['[bad](javascript:alert)', `1: ${href('javascript:alert')}`],
    ['[bad](java&#115;cript:alert)', `1: ${href('javascript:alert')}`],
    ['<ftp://a.test>', `1: ${href('ftp://a.test')}`],
    ['[](/x)', '1: a link needs a text: [text](address)'],
    ['[a](/x "b")', '1: leave out what follows the address of the link: it is not shown'],
    ['a\r\nb \u202e', '2: leave out the control character'],
    ['text[^1]', '1: leave out the footnote: footnotes are not read'],
    ['~~gone', '1: leave out "~~": struck-out text is not read; write \\~ for the sign itself'],
    [`${'> '.repeat(10)}a`, '1: write it with fewer lists in lists'],
    [`${'*'.repeat(30)}a${'*'.repeat(30)}`, '1: write it with less emphasis in emphasis'],
  ])('%j is refused with its lines', (text, ...faults) => expect(faultsOf(text)).toEqual(faults))

  it.each([
    ['https://a.test/b?c=d#e', true],
    ['http://a.test', true],
    ['mailto:a@b.test', true],
    ['/terms?version=2', true],
    ['#text-a', true],
    ['//evil.test', false],
    ['/\\evil.test', false],
    ['javascript:alert(1)', false],
    ['JaVaScRiPt:alert(1)', false],
    ['data:text/html,x', false],
    ['https://user:password@a.test', false],
    ['https:a', false],
    ['mailto:a@b.test?bcc=c', false],
    ['terms', false],
    ['', false],
  ])('a link may lead to %j: %s', (href, may) => expect(isHref(href)).toBe(may))

  it('any text is read without an error, into parts that pages know and links that may be followed', () => {
    const sign = fc.constantFrom(
      ...Array.from('#*_[]()<>!&`~|-+\\ \n\t1.a:/\'"'),
      '\n\n',
      '](',
      '**',
      '  \n',
      '> ',
      '- ',
      '[x](javascript:a)',
      '<img src=x onerror=a>',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(sign, { maxLength: 80 }).map((all) => all.join('')),
          fc.string(),
        ),
        (text) => {
          const { blocks, faults } = readMarkdown(text)
          for (const { line } of faults) expect(line).toBeGreaterThan(0)
          for (const block of blocks) expect(blockSchema.parse(block)).toEqual(block)
          if (faults.length === 0) expect(hrefsIn(blocks).filter((href) => !isHref(href))).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
    for (const part of ['> ', '- ', '[', '*a ', '**a ', '_a', '[a](', '[*](x)', '1. ', '  - a\n', '&a', '<a', ']('])
      readMarkdown(part.repeat(300))
  })
})
