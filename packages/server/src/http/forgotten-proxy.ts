import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Runtime } from '../runtime/runtime.ts'

/** The networks of an operator's own proxy, and of no player of a public site: private, local and shared ones. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6')

/** Minimum time between two log lines, in ms. */
const LOG_EVERY_MS = 60_000

/**
 * Notices requests forwarded by a proxy that `TRUST_PROXY` does not name: all players then have its address, and share
 * its limits. The metric counts each, the log says so once a minute.
 *
 * @param onSeen called for each
 */
export function watchForgottenProxies({ clock, log }: Pick<Runtime, 'clock' | 'log'>, onSeen: () => void) {
  let loggedAtMs = Number.NEGATIVE_INFINITY

  return ({ headers, ip, socket }: FastifyRequest): void => {
    const address = socket.remoteAddress ?? ''
    // For a trusted proxy `ip` is the address in its header.
    if (headers['x-forwarded-for'] === undefined || ip !== address || !isPrivate(address)) return
    onSeen()
    if (clock.nowMs() < loggedAtMs + LOG_EVERY_MS) return
    loggedAtMs = clock.nowMs()
    log.error(
      { proxy: address },
      'a proxy that TRUST_PROXY does not name passes requests on: all players share its limits. Add its address',
    )
  }
}

function isPrivate(address: string): boolean {
  const plain = address.replace(/%.*$/s, '') // a zone is no part of the address
  return PRIVATE.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
