import { expect, it } from 'vitest'
import { commonHeaders, pagePolicy } from './security-headers.ts'

it('lets a page run its own files and the scripts with its nonce, and frame only what is named', () => {
  const policy = pagePolicy({ nonce: 'abc', frameOrigins: ['https://forms.example'] })
  expect(policy).toContain("script-src 'self' 'nonce-abc'")
  expect(policy).toContain('frame-src https://forms.example')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

it('asks for https ever after only where the site is reached by https', () => {
  expect(commonHeaders({ isHttps: true })).toHaveProperty('strict-transport-security')
  expect(commonHeaders({ isHttps: false })).not.toHaveProperty('strict-transport-security')
})
