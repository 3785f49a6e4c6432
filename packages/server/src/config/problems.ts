import { BlockList, isIP } from 'node:net'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { parseAccountKey } from '../ports/payment-provider/account-key.ts'
import { STAND_IN_PATH } from '../ports/social-login/stand-in.ts'
import { NONE_I_KNOW } from './policy-file.ts'
import { LEAST_SECRET_BYTES } from './texts.ts'
import type { Values, VariableName } from './variables.ts'
import { LEAST_MAINNET_CONFIRMATIONS, type PaymentsName } from '../ports/bitcoin.ts'

/** Problems of variables that are each valid: what does not fit together, and what a mode cannot run on. */

/** Networks that outsiders cannot read. */
const NEARBY = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  NEARBY.addSubnet(network, bits)
NEARBY.addAddress('::1', 'ipv6')
NEARBY.addSubnet('fc00::', 7, 'ipv6')

/** Addresses that tokens are sent to. */
const PROVIDER_URLS = [
  'GOOGLE_API_URL',
  'GOOGLE_AUTH_URL',
  'FACEBOOK_API_URL',
  'FACEBOOK_AUTH_URL',
  'TWITTER_API_URL',
  'TWITTER_AUTH_URL',
] as const

/**
 * Addresses that the keys to the money are sent to; a BTCPay Server beside this one is reached through its own proxy.
 */
const MONEY_URLS = ['BTCPAY_URL', 'OPENNODE_API_URL'] as const

const isSetIn =
  (env: Readonly<Record<string, string | undefined>>) =>
  (name: VariableName): boolean =>
    (env[name]?.trim() ?? '') !== ''

/** Half of a provider's settings would silently leave it off. */
export function socialLoginProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = isSetIn(env)
  const [one, other] = ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET'] as const
  if (isSet(one) === isSet(other)) return []
  const [given, missing] = isSet(one) ? [one, other] : [other, one]
  return [`${missing}: needed with ${given}. Set both, or neither.`]
}

/** With any provider, payouts leave from a wallet of the operator's own node. */
/** What the program needs of an lnd node. */
const LND_NEEDS = [
  ['LND_REST_URL', 'the address of its REST API, like https://127.0.0.1:8080'],
  ['LND_MACAROON_FILE', 'the file of a macaroon, like /etc/fairball/lnd.macaroon'],
  ['LND_TLS_CERT_FILE', 'its tls.cert, like /var/lib/lnd/tls.cert'],
] as const
const NODE = ['BITCOIN_RPC_URL', 'the RPC address of your node, like http://user:password@127.0.0.1:8332'] as const

/** The requirements of each provider. */
const NEEDED_BY: Readonly<Record<PaymentsName, readonly (readonly [name: VariableName, remedy: string])[]>> = {
  test: [],
  'bitcoin-core': [
    NODE,
    ['BITCOIN_XPUB', 'the account key deposits are derived from, like [d34db33f/84h/0h/0h]xpub6…'],
  ],
  btcpay: [
    NODE,
    ['BTCPAY_URL', 'the address of your BTCPay Server, like https://btcpay.example'],
    ['BTCPAY_API_KEY', "a key of your store's, made under Account, API keys"],
    ['BTCPAY_STORE_ID', "your store's id, as its general settings show it"],
    ['BTCPAY_WEBHOOK_SECRET', "the secret of the store's webhook"],
  ],
  opennode: [NODE, ['OPENNODE_API_KEY', 'a key of your account that may create invoices']],
}

/** What the chosen provider lacks, and what does not fit together with any provider. */
export function paymentProblems(env: Readonly<Record<string, string | undefined>>, values: Values): string[] {
  const isSet = isSetIn(env)
  const problems: string[] = []
  const chosen = values.PAYMENTS ?? 'test'
  for (const [name, remedy] of NEEDED_BY[chosen])
    if (!isSet(name)) problems.push(`${name}: needed with PAYMENTS=${chosen}. Set ${remedy}.`)

  const address = values.BITCOIN_RPC_URL
  const { username = '', password = '' } = address === null ? {} : new URL(address)
  const hasLogin = username !== '' && password !== ''
  if (address !== null && !hasLogin && username + password !== '')
    problems.push('BITCOIN_RPC_URL: set both user and password in it, or neither and BITCOIN_RPC_COOKIE.')
  if (address !== null && username + password === '' && !isSet('BITCOIN_RPC_COOKIE'))
    problems.push(
      "BITCOIN_RPC_COOKIE: needed without a user and password in BITCOIN_RPC_URL. Set the node's .cookie file.",
    )
  if (hasLogin && isSet('BITCOIN_RPC_COOKIE'))
    problems.push('BITCOIN_RPC_COOKIE: BITCOIN_RPC_URL has a user and a password already. Leave one of them out.')
  if (isSet('BITCOIN_RPC_COOKIE') && !isSet('BITCOIN_RPC_URL'))
    problems.push('BITCOIN_RPC_URL: needed with BITCOIN_RPC_COOKIE. Set the RPC address of your node.')
  if (values.BITCOIN_WATCH_WALLET !== null && values.BITCOIN_WATCH_WALLET === values.BITCOIN_HOT_WALLET)
    problems.push(
      'BITCOIN_HOT_WALLET: the same as BITCOIN_WATCH_WALLET. Set two wallets: one of them has no private keys.',
    )

  if (values.LIGHTNING !== null && values.LIGHTNING !== 'none' && (chosen === 'btcpay' || chosen === 'opennode'))
    problems.push(
      `LIGHTNING=${values.LIGHTNING}: with PAYMENTS=${chosen} the provider takes Lightning itself. Leave it out, or take payments by bitcoin-core.`,
    )

  if (values.LIGHTNING === 'cln' && !isSet('CLN_RPC_FILE'))
    problems.push(
      'CLN_RPC_FILE: needed with LIGHTNING=cln. Set the socket of your node, like /var/lib/lightning/bitcoin/lightning-rpc.',
    )

  if (values.LIGHTNING === 'lnd')
    for (const [name, remedy] of LND_NEEDS)
      if (!isSet(name)) problems.push(`${name}: needed with LIGHTNING=lnd. Set ${remedy}.`)

  const { BITCOIN_XPUB: xpub, BITCOIN_NETWORK: network } = values
  const keyProblem = xpub === null || network === null ? null : accountKeyProblem(xpub, network)
  if (keyProblem !== null) problems.push(`BITCOIN_XPUB: ${keyProblem}.`)
  const confirmations = values.BITCOIN_CONFIRMATIONS
  if (confirmations !== null && isMainnet(values) && confirmations < LEAST_MAINNET_CONFIRMATIONS)
    problems.push(
      `BITCOIN_CONFIRMATIONS=${confirmations}: too few on mainnet, where a block can be undone. Set ${LEAST_MAINNET_CONFIRMATIONS} or more.`,
    )
  return problems
}

/**
 * This computer, or one of a private network: an address of RFC 1918, RFC 4193 or loopback, or a name without a dot.
 */
function isNearby(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0) return !host.includes('.')
  return NEARBY.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}

function accountKeyProblem(xpub: string, network: BitcoinNetwork): string | null {
  try {
    parseAccountKey(xpub, network)
    return null
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

/** A word for production that is not read as such. */
export function modeProblems({ NODE_ENV: name }: Values): string[] {
  if (name === null || name === 'production' || name.toLowerCase() !== 'production') return []
  return [`NODE_ENV=${name}: set production in small letters. Anything else is the demo, open to everybody.`]
}

/** What an address of the console may not be in production, for the console itself and for all who check against it. */
export function consoleUrlProblems({ CONSOLE_URL: url, PUBLIC_URL: publicUrl }: Values): string[] {
  if (url === null) return []
  const problems: string[] = []
  if (url.startsWith('http:'))
    problems.push(`CONSOLE_URL=${url}: browsers give passkeys to https alone. Set an https address.`)
  if (publicUrl !== null && new URL(publicUrl).hostname === new URL(url).hostname)
    problems.push(
      `CONSOLE_URL=${url}: the host of PUBLIC_URL, whose pages could use the console's passkeys and cookies. Set another host.`,
    )
  return problems
}

/** What the demo must not be mistaken for. */
export function demoProblems(values: Values): string[] {
  const problems = modeProblems(values)
  if (values.BITCOIN_NETWORK === 'mainnet')
    problems.push('BITCOIN_NETWORK=mainnet: the demo has no real bitcoin. Leave it out, or set NODE_ENV=production.')
  return problems
}

/** What production cannot run on: a part of the demo, or a missing setting. */
export function productionProblems(
  env: Readonly<Record<string, string | undefined>>,
  values: Values,
  isDevelopment: boolean,
): string[] {
  const isSet = isSetIn(env)
  const problems: string[] = []
  const demoPart = (name: VariableName, part: string, remedy: string): void => {
    if (values[name] === part)
      problems.push(`${name}${isSet(name) ? `=${part}` : ''}: part of the demo. Set ${remedy}.`)
  }
  const needed = (name: VariableName, remedy: string): void => {
    if (!isSet(name)) problems.push(`${name}: needed in production. Set ${remedy}.`)
  }
  needed('PUBLIC_URL', 'the address players reach it at, like https://lottery.example')
  if (values.PUBLIC_URL?.startsWith('http:'))
    problems.push(`PUBLIC_URL=${values.PUBLIC_URL}: players' passwords would travel in the open. Set an https address.`)
  problems.push(...consoleUrlProblems(values))
  needed('DATABASE_URL', 'a PostgreSQL, like postgres://user:password@host/database')
  demoPart('BITCOIN_NETWORK', 'regtest', 'mainnet (testnet4 or signet for a rehearsal)')
  demoPart('PAYMENTS', 'test', 'bitcoin-core, btcpay or opennode')
  demoPart('LIGHTNING', 'test', 'cln or lnd, or leave it out')
  demoPart('BEACON', 'local', 'drand')
  demoPart('RATES', 'fixed', 'live')
  needed(
    'WITNESSES',
    `the path of a policy whose witnesses cosign the log, or ${NONE_I_KNOW}: nobody can prove then when a draw was sealed`,
  )
  needed('SMTP_URL', 'a mail server, like smtps://user:password@host')
  needed('SECRET_KEY', `${LEAST_SECRET_BYTES} random bytes in hex: openssl rand -hex ${LEAST_SECRET_BYTES}`)
  for (const name of PROVIDER_URLS) {
    const address = values[name]
    if (address?.startsWith('http:'))
      problems.push(`${name}=${address}: players' tokens would travel in the open. Set an https address.`)
    else if (address !== null && isStandIn(address))
      problems.push(`${name}=${address}: part of the demo, where anyone can use any name. Set the provider's address.`)
  }
  for (const name of MONEY_URLS) {
    const address = values[name]
    if (address?.startsWith('http:'))
      problems.push(`${name}=${address}: its key would travel in the open. Set an https address.`)
  }
  const node = values.BITCOIN_RPC_URL
  if (node?.startsWith('http:') && !isNearby(new URL(node).hostname))
    problems.push(
      "BITCOIN_RPC_URL: the login to the payouts' wallet would travel in the open. Reach the node by a tunnel, or set an https address.",
    )
  if (isDevelopment) problems.push('--dev: part of the demo. Build the web (npm run build) and leave it out.')
  return problems
}

/** Whether real money is used. */
export function isMainnet(values: Values): boolean {
  return values.BITCOIN_NETWORK === 'mainnet'
}

/** The demo's stand-in for social networks, or any other provider on this computer. */
function isStandIn(address: string): boolean {
  const { hostname, pathname } = new URL(address)
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) || pathname.startsWith(STAND_IN_PATH)
}
