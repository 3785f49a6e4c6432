/** The supported content codings. An element of `Accept-Encoding` with `q=0` refuses one (RFC 9110, 12.5.3). */
const TAKEN = { br: takes('br'), gzip: takes('gzip') } as const

/** @returns whether the sender of this `Accept-Encoding` accepts content in a coding */
export function takesCoding(accepted: string | string[] | undefined, coding: keyof typeof TAKEN): boolean {
  return accepted !== undefined && TAKEN[coding].test(accepted.toString())
}

function takes(coding: string): RegExp {
  return new RegExp(`(?:^|[\\s,])${coding}(?!\\s*;\\s*q=0(?:\\.0*)?(?:[\\s,]|$))(?:[\\s;,]|$)`, 'u')
}
