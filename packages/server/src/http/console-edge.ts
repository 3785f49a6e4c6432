import { BlockList, isIP } from 'node:net'
import { LotteryError } from '@fairball/domain/errors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../runtime/runtime.ts'
import { assertHost } from './hosts.ts'
import { API_POLICY } from './security-headers.ts'

/** The pages' files and nothing else: nothing inline, nothing from elsewhere, in no frame. */
const CONSOLE_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Headers of every answer, page, file or data, beside those of the site's. */
const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
}
/** The methods that change nothing. */
const READING = new Set(['GET', 'HEAD'])

/** What the gate of the console lets in. */
interface ConsoleEdge {
  /** the console's origin */
  readonly url: string
  /** addresses and networks that may connect; empty for all */
  readonly allow: readonly string[]
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Puts the console's rules before every route, the unknown ones too: who may connect, at which host, and that whatever
 * is not a reading call comes from the console's own pages.
 */
export function guardConsole(app: FastifyInstance, { url, allow, clock }: ConsoleEdge): void {
  const allowed = networksOf(allow)
  const hosts = new Set([new URL(url).hostname, 'localhost'])
  app.addHook('onRequest', (request, reply, done) => {
    const isCall = isConsoleCall(request.url)
    void reply.headers(HEADERS).header('content-security-policy', isCall ? API_POLICY : CONSOLE_PAGE_POLICY)
    done(refusalOf())

    function refusalOf(): Error | undefined {
      if (allowed !== null && !allowed(request.ip)) return new LotteryError('ACCESS_DENIED')
      if (!READING.has(request.method) && request.headers.origin !== url) return new LotteryError('ACCESS_DENIED')
      try {
        assertHost(request.raw, hosts)
      } catch (error) {
        return error as Error
      }
      return undefined
    }
  })
  app.addHook('onSend', async (request, reply: FastifyReply) => {
    if (isConsoleCall(request.url)) void reply.header('x-fairball-now', String(clock.now()))
  })
}

/** Whether an address is a call's, known or unknown. */
export function isConsoleCall(address: string): boolean {
  return /^\/console\/api(?:[/?]|$)/u.test(address)
}

/** Tells whether an address is in one of some networks; null for networks that hold every address. */
function networksOf(networks: readonly string[]): ((address: string) => boolean) | null {
  if (networks.length === 0) return null
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  // A list of IPv4 networks holds the same addresses written as IPv6 (::ffff:10.0.0.1), too.
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}
