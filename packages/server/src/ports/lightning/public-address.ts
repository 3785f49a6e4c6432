import { BlockList, isIP } from 'node:net'

/** Networks of IPv4 that are not the public internet, or not one host. */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const
/** The public part of IPv6, and the tunnels in it that lead to addresses of IPv4. */
const PUBLIC_V6 = ['2000::', 3] as const
const TUNNELS_V6 = [
  ['2001::', 32],
  ['2002::', 16],
] as const

const notPublicV4 = new BlockList()
for (const [network, bits] of NOT_PUBLIC_V4) notPublicV4.addSubnet(network, bits, 'ipv4')
const publicV6 = new BlockList()
publicV6.addSubnet(...PUBLIC_V6, 'ipv6')
const tunnelsV6 = new BlockList()
for (const [network, bits] of TUNNELS_V6) tunnelsV6.addSubnet(network, bits, 'ipv6')

/** Whether an address is one of the public internet: no host of the operator's own network is reached through it. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notPublicV4.check(address, 'ipv4')
  if (isIP(address) !== 6 || address.includes('%')) return false
  return publicV6.check(address, 'ipv6') && !tunnelsV6.check(address, 'ipv6')
}
