import { describe, expect, it } from 'vitest'
import { calls } from './calls.ts'
import { openApiDocument } from './openapi.ts'
import { REFERENCE_STYLE_PATH, referencePage } from './reference-page.ts'
import { pathOf } from './paths.ts'

const document = openApiDocument(calls, { serverUrl: 'https://lottery.example', version: '1.2.3' })
const { html, css } = referencePage(document)

describe('the reference page', () => {
  it.each(Object.entries(calls))('shows %s with its address and its sentence', (name, call) => {
    expect(html).toContain(`id="${name}"`)
    expect(html).toContain(pathOf(call).replaceAll('/', '/<wbr>'))
    expect(html).toContain(call.summary)
  })

  it('needs no script and no style inside, so that the strictest policy lets it through', () => {
    expect(html).not.toMatch(/<script|<style|style=|\son\w+=|javascript:/i)
    expect(html).toContain(`<link rel="stylesheet" href="${REFERENCE_STYLE_PATH}">`)
    expect(css).not.toMatch(/url\(|@import/)
  })

  it('leads every link inside it somewhere', () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(100)
    for (const target of targets) expect(ids).toContain(target)
  })

  it('has no id twice', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('shows markup in a text as text', () => {
    const hostile = { ...document, info: { ...document.info, title: '<img src=x onerror=alert(1)>' } }
    expect(referencePage(hostile).html).not.toContain('<img')
  })
})
