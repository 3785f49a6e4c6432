import { expect, it } from 'vitest'
import { API_POLICY, commonHeaders, pagePolicy } from './security-headers.ts'

const inline = { scripts: ["'sha256-a'", "'sha256-b'"], styles: ["'sha256-c'"] }

it('a page may run its own files and its own inline scripts by their hashes, and frame only what is named', () => {
  const policy = pagePolicy({ inline, frameOrigins: ['https://forms.example'] })
  expect(policy).toContain("script-src 'self' 'sha256-a' 'sha256-b'")
  expect(policy).toContain('frame-src https://forms.example')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

it('inline styles are refused, except in the demo, whose outbox shows mails', () => {
  expect(pagePolicy({ inline })).not.toMatch(/style-src[^;]*unsafe/)
  expect(pagePolicy({ inline, isHttps: true })).not.toContain('style-src-attr')
  expect(pagePolicy({ inline, isDemo: true })).toContain("style-src-attr 'unsafe-inline'")
  expect(pagePolicy({ inline, isDemo: true })).toContain("style-src 'self' 'sha256-c'")
})

it('a page loads nothing from elsewhere, names no base, sends no form away, and takes markup only from the sanitiser', () => {
  const policy = pagePolicy({ inline, isHttps: true })
  for (const part of [
    "default-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    'trusted-types dompurify fairball-worker fairball-offline',
    'upgrade-insecure-requests',
  ])
    expect(policy.split('; ')).toContain(part)
  expect(policy).not.toMatch(/https?:|\*|unsafe|report/)
  expect(pagePolicy({ inline })).not.toContain('upgrade-insecure-requests')
})

it('an answer of the API may only be data', () => {
  expect(API_POLICY.split('; ')).toEqual([
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ])
})

it('every answer has the headers that protect its type, its address and its window', () => {
  expect(commonHeaders({ isHttps: true })).toEqual({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
})

it('https is required in future only if the site is reached by https', () => {
  expect(commonHeaders({ isHttps: true })).toHaveProperty('strict-transport-security')
  expect(commonHeaders({ isHttps: false })).not.toHaveProperty('strict-transport-security')
})
