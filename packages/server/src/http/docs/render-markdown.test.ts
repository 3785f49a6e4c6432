import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './render-markdown.ts'

const render = (source: string) => renderMarkdown(source, (href) => (href.startsWith('javascript:') ? null : href)).html

describe('a document as HTML', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a <b onclick="x">b</b>', '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>'],
    ['<!-- part -->', ''],
    ['<a id="here"></a>\n\nThere', '<p><a id="here"></a></p>\n<p>There</p>'],
    ['[x](javascript:alert)', '<p>x</p>'],
    ['[x](a"b)', '<p><a href="a&quot;b">x</a></p>'],
    ['`<i>` & *e* **s**', '<p><code>&lt;i&gt;</code> &amp; <em>e</em> <strong>s</strong></p>'],
    ['```sh\na | <b>\n```', '<pre tabindex="0"><code>a | &lt;b&gt;</code></pre>'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['> a', '<blockquote><p>a</p></blockquote>'],
    ['![A <b>](x.png)', '<p><img src="x.png" alt="A &lt;b&gt;" loading="lazy"></p>'],
  ])('%j is shown as %j', (source, html) => {
    expect(render(source)).toBe(html)
  })

  it('a table has its cells, with code and bars in them, and figures at the right', () => {
    const html = render('before\n\n| a | `b` |\n| - | --: |\n| `x \\| y` | 1 |\n\nafter')
    expect(html).toContain('<thead><tr><th>a</th><th class="right"><code>b</code></th></tr></thead>')
    expect(html).toContain('<tr><td><code>x | y</code></td><td class="right">1</td></tr>')
    expect(html).toMatch(/^<p>before<\/p>[\s\S]*<p>after<\/p>$/)
  })

  it('lines with bars in code are no table', () => {
    expect(render('```\n| a | b |\n| - | - |\n```')).not.toContain('<table>')
  })

  it('headings have the anchors that code hosts give them, and a second one of a name its number', () => {
    const { headings } = renderMarkdown('# T\n\n## 1. What is it, and `who`?\n\n## a\n\n## a', () => null)
    expect(headings.map(({ id }) => id)).toEqual(['t', '1-what-is-it-and-who', 'a', 'a-1'])
  })
})
