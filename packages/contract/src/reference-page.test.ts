import { describe, expect, it } from 'vitest'
import { calls } from './calls.ts'
import { openApiDocument } from './openapi.ts'
import { REFERENCE_STYLE_PATH, referencePage } from './reference-page.ts'
import { pathOf } from './paths.ts'

const document = openApiDocument(calls, { serverUrl: 'https://lottery.example', version: '1.2.3' })
const { html, css } = referencePage(document)

describe('the reference page', () => {
  it.each(Object.entries(calls))('the page shows %s with its address and its summary', (name, call) => {
    expect(html).toContain(`id="${name}"`)
    expect(html).toContain(pathOf(call).replaceAll('/', '/<wbr>'))
    expect(html).toContain(call.summary)
  })

  it('the page has no inline script or style, so the strictest policy allows it', () => {
    expect(html).not.toMatch(/<script|<style|style=|\son\w+=|javascript:/i)
    expect(html).toContain(`<link rel="stylesheet" href="${REFERENCE_STYLE_PATH}">`)
    expect(css).not.toMatch(/url\(|@import/)
  })

  it('every link inside the page has a target', () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(100)
    for (const target of targets) expect(ids).toContain(target)
  })

  it('no id appears twice', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('markup in a text is shown as text', () => {
    const hostile = { ...document, info: { ...document.info, title: '<img src=x onerror=alert(1)>' } }
    expect(referencePage(hostile).html).not.toContain('<img')
  })
})
