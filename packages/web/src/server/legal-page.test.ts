import { ApiError } from '@fairball/contract/client'
import type { WebConfig } from '@fairball/contract/pages'
import type { LegalText } from '@fairball/contract/schemas/legal'
import { expect, it } from 'vitest'
import { OWN_TEXT } from '../testing/legal-text.ts'
import { OWN_LOOK } from '../testing/quiet-config.ts'
import { visitorPage } from '../testing/visitor-page.ts'

/** Friday 15 January 2027, 12:00 UTC. */
const NOON = 1_800_014_400

async function pageOf(url: string, answer: LegalText | Error, config: Partial<WebConfig> = {}) {
  const answerTo = (name: string) => {
    if (name === 'getGames') return []
    if (name !== 'getLegalText') throw new Error(`The page asks for ${name}.`)
    if (answer instanceof Error) throw answer
    return answer
  }
  const response = await visitorPage(url, NOON, answerTo, OWN_LOOK, config)
  return { status: response.status, html: await response.text() }
}

it('a version of a legal text is in the HTML, and an unknown one is the 404 page', async () => {
  for (const path of ['/terms', '/privacy-policy', '/cookies']) {
    const text: LegalText = {
      ...OWN_TEXT,
      version: 2,
      status: 'withdrawn',
      date: '2027-01-01',
      blocks: [
        { kind: 'heading', level: 2, id: 'text-one', title: 'One', words: ['One'] },
        { kind: 'paragraph', words: ['Two.'] },
      ],
    }
    const { status, html } = await pageOf(`${path}?version=2`, text)
    expect([path, status]).toEqual([path, 200])
    expect(html).toMatch(/<h2[^>]*>One<\/h2><p>Two\.<\/p>/u)
    const gone = new ApiError({ status: 404, code: 'NOT_FOUND', message: 'There is no such version.' })
    expect((await pageOf(`${path}?version=9`, gone)).status).toBe(404)
  }
})

it('an announced text is named on every page without scripts, before anything else but the test mode', async () => {
  const comingTexts = [{ name: 'terms', version: 2, fromAt: NOON + 86_400 }] as const
  const { html } = await pageOf('/cookies', OWN_TEXT, { comingTexts })
  expect(html).toContain('The terms change on Jan 16, 2027.')
  expect(html.indexOf('href="/terms?version=2"')).toBeLessThan(html.indexOf('<header'))
  expect(html).not.toContain('aria-label="Dismiss"')
  expect(html).toContain("==='terms 2'")
  expect((await pageOf('/cookies', OWN_TEXT)).html).not.toContain('Announced changes')
})
