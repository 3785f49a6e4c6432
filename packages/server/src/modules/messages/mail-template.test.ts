import { describe, expect, it } from 'vitest'
import { oneLine, renderMail, type MailContent } from './mail-template.ts'
import { MAIL_CATEGORIES } from './queries.ts'

const SITE = { name: 'Fairball', publicUrl: 'https://lottery.example', supportEmail: 'help@lottery.example' }
const KEY_LINK = `https://lottery.example/verify-email/${'k'.repeat(43)}`
const CONTENT: MailContent = {
  subject: 'Please verify your email address',
  paragraphs: ['Hello player-abc234,', 'Please confirm that this email address is yours.'],
  action: { label: 'Verify my email address', address: KEY_LINK },
  closing: ['The link works once and for 24 hours.'],
}

describe('a mail', () => {
  it('a mail says the same in text and in HTML, with the full address of its button', () => {
    const { text, html, links } = renderMail(CONTENT, 'account', SITE)
    for (const sentence of [...CONTENT.paragraphs, ...(CONTENT.closing ?? []), KEY_LINK]) {
      expect(text).toContain(sentence)
      expect(html).toContain(sentence)
    }
    expect(html).toContain(`>${KEY_LINK}</a>`)
    expect(html.split(`href="${KEY_LINK}"`)).toHaveLength(3)
    expect(links).toEqual([KEY_LINK])
  })

  it('a mail is headed by the product’s mark, a ball without a letter, and its name', () => {
    const { html } = renderMail(CONTENT, 'account', SITE)
    const head = html.slice(html.indexOf('<table role', html.indexOf('max-width:560px')), html.indexOf('<h1'))
    expect(head.replaceAll(/<[^>]*>/g, '').trim()).toBe('Fairball')
    expect(head.match(/border-radius/g)).toHaveLength(3)
  })

  it('a mail shows its first sentence beside the subject, and not the greeting', () => {
    const { html } = renderMail(CONTENT, 'account', SITE)
    const [preview] = /<div style="display:none[^>]*>([^<]*)</.exec(html)?.slice(1) ?? []
    expect(preview).toBe('Please confirm that this email address is yours.')
  })

  it('a mail loads nothing and runs nothing: inline styles, tables, no picture, no style sheet, no script', () => {
    const { html } = renderMail(CONTENT, 'account', SITE)
    expect(html).not.toMatch(/<(img|style|link|script|iframe|svg)\b|url\(|@import|\bclass=/i)
    for (const table of html.match(/<table[^>]*>/g) ?? []) expect(table).toContain('role="presentation"')
    expect(html).toContain('max-width:560px')
    expect(html).toContain('<html lang="en">')
  })

  it('a row of balls is a picture that travels with the mail, with its words for those who see none', () => {
    const words = 'Line B: 1, 7, 21, 25, 30. Drawn of them: 7, 21.'
    const look = { accent: '#22C58F', pattern: 'solid' } as const
    const row = { words, numbers: [1, 7, 21, 25, 30], matched: [7, 21], look }
    const { text, html, pictures } = renderMail(
      { ...CONTENT, paragraphs: ['Hello player-abc234,', row, 'Well done.', row] },
      'win',
      SITE,
    )
    expect(pictures).toEqual([row, row])
    expect(text.split(words)).toHaveLength(3)
    expect(html.match(/<img src="[^"]*" alt="[^"]*" width="\d+"/g)).toEqual([
      `<img src="cid:balls-1" alt="${words}" width="204"`,
      `<img src="cid:balls-2" alt="${words}" width="204"`,
    ])
    expect(html.indexOf('cid:balls-1')).toBeLessThan(html.indexOf('Well done.'))
    expect(html).not.toMatch(/src="(?!cid:)/)
  })

  it('a mail sets a text colour only together with its background, so that it can be read on dark pages', () => {
    const { html } = renderMail(CONTENT, 'account', SITE)
    for (const [style] of html.matchAll(/style="[^"]*[";]color:#[^"]*"/g)) {
      const isBallOrButton = style.includes('background-color:') || style.includes('color:#ffffff')
      expect(isBallOrButton, style).toBe(true)
    }
  })

  it.each(MAIL_CATEGORIES)('a mail about %s says where it is from and why it came', (category) => {
    const { text, html } = renderMail(CONTENT, category, SITE)
    for (const form of [text, html]) {
      expect(form).toContain('Fairball')
      expect(form).toContain('https://lottery.example')
      expect(form).toMatch(
        category === 'contact' ? /contact form of Fairball/ : /You (get this mail because|chose to get emails about)/,
      )
    }
  })

  it.each([
    ['results', true],
    ['reminder', true],
    ['news', true],
    ['account', false],
    ['payment', false],
    ['win', false],
    ['contact', false],
  ] as const)('a mail about %s leads to the email preferences: %s', (category, isChosen) => {
    const preferences = 'https://lottery.example/settings/profile-and-settings/email-preferences'
    expect(renderMail(CONTENT, category, SITE).text.includes(preferences)).toBe(isChosen)
  })

  it('a mail names the support if there is one', () => {
    expect(renderMail(CONTENT, 'account', SITE).html).toContain('href="mailto:help@lottery.example"')
    const { text, html } = renderMail(CONTENT, 'account', { ...SITE, supportEmail: null })
    expect(text + html).not.toMatch(/Questions|mailto/)
  })

  it('a mail escapes whatever a person typed, anywhere in it', () => {
    const nasty = `"><script>alert(1)</script>'&`
    const { html, text } = renderMail(
      {
        subject: nasty,
        paragraphs: [nasty],
        action: { label: nasty, address: `https://x/${nasty}` },
        closing: [nasty],
      },
      'contact',
      SITE,
    )
    expect(html).not.toContain('<script')
    expect(html.split('&quot;&gt;&lt;script&gt;').length).toBeGreaterThan(6)
    expect(text).toContain(nasty)
  })
})

it.each(['\r\n', '\n', '\r', '\0', '\u0085', '\u009f', '\u2028', '\u2029', '\u001b'])(
  'a header has no %j in it, and no header is longer than a line may be',
  (character) => {
    expect(oneLine(`a${character}Bcc: b@example.org`)).toBe('a Bcc: b@example.org')
    expect(oneLine(`${character}${'x'.repeat(5000)}`)).toHaveLength(200)
  },
)
