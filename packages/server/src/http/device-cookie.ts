import { KNOWN_DEVICE_SECONDS } from '@fairball/domain/periods'
import { API_BASE } from '@fairball/contract/paths'

/** The cookie that identifies a browser that has logged in before; the page on cookies names it. */
export const DEVICE_COOKIE = 'fairball_device'

/** 256 random bits as base64url. Anything else in the cookie is not ours. */
const TOKEN = new RegExp(`(?:^|;) *${DEVICE_COOKIE}=([\\w-]{43}) *(?:;|$)`)

/** The device token in a request, or null. @param header the `Cookie` header */
export function deviceTokenOf(header: string | undefined): string | null {
  return header === undefined ? null : (TOKEN.exec(header)?.[1] ?? null)
}

/**
 * The `Set-Cookie` header that gives a browser its device token. No script reads it, and only the login calls get it.
 */
export function deviceCookie(token: string): string {
  return `${DEVICE_COOKIE}=${token}; Max-Age=${KNOWN_DEVICE_SECONDS}; Path=${API_BASE}/auth; HttpOnly; Secure; SameSite=Lax`
}
