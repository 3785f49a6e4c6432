import { ApiError } from '@fairball/contract/client'
import type { Checkout } from '@fairball/contract/schemas/order'
import { describe, expect, it } from 'vitest'
import { CHECKOUT, CHECKOUT_ADDRESS as ADDRESS, CHECKOUT_NOW as NOW } from '../testing/checkout.ts'
import { visitorPage } from '../testing/visitor-page.ts'

const crypto = (value: string) => ({ value, code: 'BTC' as const })

/** The page as sent to an anonymous visitor. */
async function pageOf(answer: Partial<Checkout> | Error) {
  const response = await visitorPage('/checkout/order-1', NOW, (name) => {
    if (name === 'getGames') return []
    if (name !== 'getCheckout') throw new Error(`The page asks for ${name}.`)
    if (answer instanceof Error) throw answer
    return { ...CHECKOUT, confirmations_needed: 3, can_pay_from_test_wallet: false, ...answer }
  })
  const html = await response.text()
  // The text a browser without scripts shows.
  const text = (/<main.*<\/main>/su.exec(html)?.[0] ?? '')
    .replaceAll(/<script.*?<\/script>/gsu, '')
    .replaceAll(/<[^>]*>/gu, '')
  return { status: response.status, html, text }
}

describe('the checkout page without its scripts', () => {
  it('the checkout page without scripts has everything needed to pay', async () => {
    const { status, html, text } = await pageOf({})
    expect(status).toBe(200)
    expect(text).toContain('Waiting for your payment')
    expect(text).toContain('0.00002000')
    expect(text).toContain(ADDRESS)
    expect(text).toContain('until 12:15 PM UTC')
    expect(html).toContain(`href="${CHECKOUT.uri}"`)
    expect(html).toMatch(/<svg[^>]*role="img"[^>]*aria-label="QR code[^>]*>.*<path d="M4 4h7v1h-7z/u)
    expect(html).not.toContain('Log in to see')
  })

  it('the checkout page shows its time, and reloads while something may change', async () => {
    const { html, text } = await pageOf({})
    expect(text).toContain('Status at 12:00 PM UTC.')
    expect(html).toContain('<a href="/checkout/order-1">Check again</a>')
    expect(html).toMatch(/<noscript><meta http-equiv="refresh" content="30"\/?><\/noscript>/iu)
    expect((await pageOf({ status: 'PAID' })).html).not.toContain('http-equiv="refresh"')
  })

  it('the checkout page shows the missing amount and the confirmations', async () => {
    const uri = `bitcoin:${ADDRESS}?amount=0.00000600`
    const underpaid = await pageOf({
      status: 'UNDERPAID',
      uri,
      received: crypto('0.00001400'),
      missing: crypto('0.00000600'),
    })
    expect(underpaid.text).toContain('0.00000600')
    expect(underpaid.html).toContain(`href="${uri}"`)
    const seen = { received: crypto('0.00002000'), missing: crypto('0.00000000') }
    const txid = 'ab'.repeat(32)
    const transactions = [{ outpoint: `${txid}:0`, txid, link: null, amount: seen.received, confirmations: 2 }]
    const confirming = await pageOf({ status: 'PROCESSING', confirmations: 2, ...seen, transactions })
    expect(confirming.text).toContain('2 of 3 confirmations')
    expect(confirming.html).not.toContain('href="bitcoin:')
  })

  it('the checkout page of an unknown order is a 404, and is excluded from search engines', async () => {
    const gone = new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
    expect((await pageOf(gone)).status).toBe(404)
    expect((await pageOf({})).html).toMatch(/<meta name="robots" content="noindex[^>]*>/u)
  })

  it('the checkout page of an order that could not be read is left to the browser', async () => {
    const silent = new ApiError({ status: 503, code: 'UNEXPECTED_ERROR', message: 'of the server' })
    const { status, html } = await pageOf(silent)
    expect(status).toBe(200)
    expect(html).toContain('Pay with bitcoin')
    expect(html).toMatch(/<noscript>.*<a href="\/checkout\/order-1">Check again<\/a>.*<meta http-equiv="refresh"/su)
  })
})
