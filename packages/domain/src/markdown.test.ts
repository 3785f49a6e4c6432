import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMarkdown } from './markdown.ts'
import { isHref, textOfWords } from './markdown-words.ts'

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
        words: ['Terms of ', { kind: 'emphasis', words: ['play'] }],
      },
      paragraph('Two lines\nof one paragraph.'),
      { kind: 'heading', level: 2, id: 'text-1-who-may-play', words: ['1. Who may play'] },
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
      { kind: 'heading', level: 3, id: 'text-who-may-play', words: ['Who may play'] },
      {
        kind: 'quote',
        blocks: [paragraph('A quote'), { kind: 'list', from: null, items: [[paragraph('with a list\nBehind it')]] }],
      },
    ])
  })

  it.each([
    ['a **b *c* d** e', ['a ', { kind: 'strong', words: ['b ', { kind: 'emphasis', words: ['c'] }, ' d'] }, ' e']],
    ['***a***', [{ kind: 'strong', words: [{ kind: 'emphasis', words: ['a'] }] }]],
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

  it('every fault is named with its line', () => {
    const text = [
      'A <b>bold</b> word &nbsp; and a ![picture](/x.png)',
      '',
      '# Late title',
      '#Hash',
      '#### Deep',
      '| a | b |',
      '---',
      '1. one',
      '3. three',
      '',
      'An **open',
      'end and `code` and [bad](javascript:alert) and [](/x) and \u202e',
      '    indented',
      '',
      '- # in a list',
      '',
      '  text[^1] ~~gone~~ <https://a.test>',
    ].join('\n')
    expect(faultsOf(text)).toEqual([
      '1: leave out "<b>": HTML is not shown; write \\< for the sign itself',
      '1: leave out "</b>": HTML is not shown; write \\< for the sign itself',
      '1: write the sign itself in place of "&nbsp;", or \\& for the sign &',
      '1: leave out the picture: pictures are not shown',
      '3: write ## here: # is the title, and comes once, at the beginning',
      '4: write a space behind #, or \\# for the sign itself',
      '5: write ## here: no level may be left out',
      '6: write the table as a list: tables are not read',
      '7: leave out the rule; a heading begins with ##',
      '9: number this item 2, as it is shown',
      '11: close "**", or write \\* for the sign itself',
      '12: leave out the control character',
      '12: leave out "`": code is not read; write \\` for the sign itself',
      '12: leave out "`": code is not read; write \\` for the sign itself',
      '12: "javascript:alert" is no address of a link: set https://…, mailto:… or a path like /terms',
      '12: a link needs a text: [text](address)',
      '15: move the heading out of the list or quote',
      '17: leave out the footnote: footnotes are not read',
      '17: leave out "~~": struck-out text is not read; write \\~ for the sign itself',
      '17: leave out "~~": struck-out text is not read; write \\~ for the sign itself',
      '17: write "<https://a.test>" as [text](address): addresses in < > are not read',
    ])
  })

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

  it('any text is read without an error, and quickly even where it nests without end', () => {
    const sign = fc.constantFrom(
      ...Array.from('#*_[]()<>!&`~|-+\\ \n\t1.a:/\'"'),
      '\n\n',
      '](',
      '**',
      '  \n',
      '> ',
      '- ',
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
          for (const block of blocks) if ('words' in block) textOfWords(block.words)
        },
      ),
      { numRuns: 2000 },
    )
    for (const part of ['> ', '- ', '[', '*a ', '**a ', '_a', '[a](', '[*](x)', '1. ', '  - a\n', '&a', '<a', '](('])
      readMarkdown(part.repeat(20_000))
  })
})
