import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { parseWitnesses, type Witnesses } from '@fairball/domain/fairness/statements'
import { emailProblem } from '@fairball/domain/validation'
import { z } from 'zod'
import type { Mailbox } from './ports/mail/mailer.ts'
import { RATE_SOURCES, type RateSourceName } from './ports/rates/price-sources.ts'
import { FACEBOOK_API_URL, FACEBOOK_AUTH_URL } from './ports/social-login/facebook.ts'
import { GOOGLE_API_URL, GOOGLE_AUTH_URL } from './ports/social-login/google.ts'
import { LOG_LEVELS } from './runtime/logger.ts'

/**
 * The configuration: environment variables, read once at the start into one object.
 *
 * Whatever is wrong is listed at once, each problem with the variable's name and what to set (decisions, section 1).
 * The table below is the only place where a variable, its default and its meaning are written; the README's table is made
 * from it.
 */

/** The whole configuration, as the program works with it. */
export type Config = Readonly<{
  /** `demo` when `NODE_ENV` is not `production`: everything brought along, the controls under `/dev`, the banner. */
  mode: 'demo' | 'production'
  /** Which part of the program this process is. */
  role: Role
  /** Serve the web from its sources, with hot reload. */
  isDevelopment: boolean
  host: string
  /** 0 takes any free port. */
  port: number
  /** The origin players see, without a slash at its end. */
  publicUrl: string
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trustProxy: readonly string[]
  dataDir: string
  /** Null for the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null
  databasePoolSize: number
  bitcoinNetwork: BitcoinNetwork
  payments: PaymentsName
  /** The operator's own node; null where no address of one is given. */
  bitcoinNode: BitcoinNodeSettings | null
  /** The account of the deposits, with its key origin: `[fingerprint/84h/0h/0h]xpub…`; null where it is not set. */
  bitcoinXpub: string | null
  /** The node's wallet that watches the deposits. */
  bitcoinWatchWallet: string
  /** The node's wallet that payouts leave from. */
  bitcoinHotWallet: string
  /** A payment on the chain counts from so many confirmations on. */
  bitcoinConfirmations: number
  /** Null unless all of it is set. */
  btcpay: BtcpaySettings | null
  /** Null unless the key is set. */
  opennode: OpennodeSettings | null
  /** The address of a page that shows a transaction, up to its id; null for the network's usual explorer. */
  explorerUrl: string | null
  /** A payout above it waits for the operator's approval, sats; null for none. */
  payoutApprovalSats: bigint | null
  /** The most the payouts' wallet should hold, sats; null for no limit. */
  payoutFloatSats: bigint | null
  beacon: 'local' | 'drand'
  /** Base addresses of drand's HTTP relays, without a slash at their end; asked only with `beacon` `drand`. */
  drandRelays: readonly string[]
  /** Who has to see the closes of draws opened from now on. */
  witnesses: Witnesses
  rates: 'fixed' | 'live'
  /** Asked with `rates` `live`: two or more. */
  rateSources: readonly RateSourceName[]
  /** Null keeps the mails in the outbox. */
  smtpUrl: string | null
  /** Who mails are from; null for the site's own name at the host of `publicUrl`. */
  mailFrom: Mailbox | null
  /** Where the contact form's messages go, and whom pages and mails name for help; null where nobody answers mail. */
  supportEmail: string | null
  /** The social networks players can log in with; null for one that is not configured. */
  socialLogins: SocialLogins
  /** At least 32 bytes that keys and tokens are derived from. */
  secretKey: Uint8Array
  logLevel: (typeof LOG_LEVELS)[number]
}>

/** The configuration as it was read: what only a start can settle may still be open. */
export type ConfigAsRead = Omit<Config, 'publicUrl' | 'secretKey'> & {
  /** Null when it follows from a free port that is still to be found. */
  readonly publicUrl: string | null
  /** Null in the demo when the key is to be made and kept in `dataDir`. */
  readonly secretKey: Uint8Array | null
}

/** The site's applications at the social networks, and the addresses of their pages and APIs. */
export interface SocialLogins {
  readonly google: { readonly clientId: string; readonly apiUrl: string; readonly authUrl: string } | null
  readonly facebook: {
    readonly appId: string
    readonly appSecret: string
    readonly apiUrl: string
    readonly authUrl: string
  } | null
  readonly twitter: { readonly clientId: string; readonly apiUrl: string } | null
}

/** Who takes and sends bitcoin. */
export type PaymentsName = 'test' | 'bitcoin-core' | 'btcpay' | 'opennode'

/** How the operator's bitcoin node is reached. */
export interface BitcoinNodeSettings {
  /** The RPC address, without user, password or a slash at its end. */
  readonly url: string
  /** A user and password, or the file in which the node keeps those it made. */
  readonly login: { readonly user: string; readonly password: string } | { readonly cookieFile: string }
}

/** A store of a BTCPay Server. */
export interface BtcpaySettings {
  /** without a slash at its end */
  readonly url: string
  readonly apiKey: string
  readonly storeId: string
  readonly webhookSecret: string
}

/** An account at OpenNode. */
export interface OpennodeSettings {
  /** without a slash at its end */
  readonly url: string
  readonly apiKey: string
}

/** Which part of the program a process is. */
export type Role = 'web' | 'worker' | 'both'
/** The bitcoin network whose addresses are taken and paid. */
export type BitcoinNetwork = (typeof NETWORKS)[number]

/** The configuration cannot be used. The message lists every problem. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super(`The configuration has ${count}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** One row of the README's table. */
export interface ConfigRow {
  name: string
  default: string
  meaning: string
}

const NETWORKS = ['mainnet', 'testnet4', 'signet', 'regtest'] as const
/** OpenNode's real network, and its test network for everything but mainnet. */
const OPENNODE_URL = 'https://api.opennode.com'
const OPENNODE_TEST_URL = 'https://dev-api.opennode.com'
/** Coins that ever exist, in sats. */
const MOST_SATS = 2_100_000_000_000_000n
/** Fewer confirmations on mainnet than this are a free try at a double spend. */
const LEAST_MAINNET_CONFIRMATIONS = 2
const MOST_CONFIRMATIONS = 100
const PAYMENTS_NAMES = ['test', 'bitcoin-core', 'btcpay', 'opennode'] as const satisfies readonly PaymentsName[]
const ROLES = ['web', 'worker', 'both'] as const
const LEAST_SECRET_BYTES = 32
/** The League's public relays (drand's HTTP API). */
const DRAND_RELAYS = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
]
/** An open statement has at most 4096 bytes (fairness.md section 3), and other lines too. */
const LONGEST_WITNESS_LINE = 3000
/** All of them are asked at once. */
const MOST_RELAYS = 10

interface Variable<T> {
  /** What is used when the variable is not set or empty; null for nothing. */
  fallback: string | null
  /** The default as the table writes it, where it is more than `fallback`. */
  defaultText?: string
  meaning: string
  /** Reads a text, or fails with what to set. */
  schema: z.ZodType<T, string>
  /** Its value is not repeated in a message. */
  isSecret?: true
}

const variable = <T>(declaration: Variable<T>): Variable<T> => declaration

const wholeNumber = (least: number, most: number, what: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `set ${what} from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `set ${what} from ${least} to ${most}`)

const oneOf = <const W extends readonly [string, ...string[]]>(words: W) =>
  z.enum(words, `set one of ${words.join(', ')}`)

/** What of a choice this version has; the rest is known by name and refused. */
const PAYMENTS_HERE: readonly PaymentsName[] = ['test']
const RATES_HERE: readonly Config['rates'][] = ['fixed']

/** A choice between providers, of which some come with a later version. */
const provider = <const W extends readonly [string, ...string[]]>(names: W, here: readonly W[number][]) =>
  oneOf(names).refine((value) => here.includes(value), 'this provider is not part of this version yet')

const sats = z
  .string()
  .regex(/^\d{1,16}$/, 'set a whole number of satoshis')
  .transform(BigInt)
  .refine((value) => value >= 1n && value <= MOST_SATS, `set from 1 to ${MOST_SATS} satoshis`)

/** An account's public key with its origin, as a descriptor writes it (BIP 380): what the node imports. */
const accountKey = z
  .string()
  .regex(
    /^\[[0-9a-f]{8}(\/\d{1,10}[h'])+\](xpub|tpub)[1-9A-HJ-NP-Za-km-z]{107,108}$/,
    'set the account key with its origin, like [d34db33f/84h/0h/0h]xpub6…; never a private key',
  )

/** A wallet's name at the node is a folder there. */
const walletName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'set a name of letters, digits, dots, dashes and underscores')

const rpcUrl = z.string().refine((value) => {
  const url = parseUrl(value)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === ''
}, 'set an address like http://user:password@127.0.0.1:8332')

const rateSources = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((part) => part.trim()))])
  .refine(
    (names): names is RateSourceName[] =>
      names.length >= 2 && names.every((name) => (RATE_SOURCES as readonly string[]).includes(name)),
    `list two or more of ${RATE_SOURCES.join(', ')} by commas`,
  )

const urlOf = (protocols: readonly string[], example: string) =>
  z.string().refine((value) => protocols.includes(parseUrl(value)?.protocol ?? ''), `set an address like ${example}`)

const origin = urlOf(['http:', 'https:'], 'https://lottery.example')
  .refine((value) => {
    const url = parseUrl(value)
    return url === null || (url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '')
  }, 'set the address without a path, like https://lottery.example')
  .transform((value) => new URL(value).origin)

const proxies = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine(
    (parts) => parts.every(isAddressOrNetwork),
    'list the addresses or networks of your proxies, like 10.0.0.5, 192.168.0.0/16',
  )

const secret = z
  .string()
  .regex(
    new RegExp(`^([0-9a-f]{2}){${LEAST_SECRET_BYTES},}$`, 'i'),
    `set at least ${LEAST_SECRET_BYTES} random bytes in hex: openssl rand -hex ${LEAST_SECRET_BYTES}`,
  )
  .transform((value) => new Uint8Array(Buffer.from(value, 'hex')))

/** An address of a provider, to which a path or a query is added. */
const providerUrl = (example: string) =>
  urlOf(['http:', 'https:'], example)
    .refine((value) => {
      const url = parseUrl(value)
      return url === null || (url.search === '' && url.hash === '' && url.username === '' && url.password === '')
    }, `set the address without a query or a password, like ${example}`)
    .transform((value) => value.replace(/\/+$/, ''))

const relays = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim().replace(/\/+$/, '')))
  .refine((parts) => parts.length <= MOST_RELAYS && parts.every(isRelay), {
    message: `list up to ${MOST_RELAYS} addresses of relays by commas, like https://api.drand.sh, without user, query or password`,
  })
  .transform((parts) => [...new Set(parts)])

const witnesses = z.string().transform((value, context): Witnesses => {
  try {
    // Longer, and the line would not fit into an open statement.
    if (value.length <= LONGEST_WITNESS_LINE) return parseWitnesses(value)
  } catch {
    // what is wrong with it is said below
  }
  context.addIssue({
    code: 'custom',
    message:
      'set how many witnesses have to sign, a space, and their names and public keys by commas, like ' +
      `1 alice=<64 hex>,bob=<64 hex>, in at most ${LONGEST_WITNESS_LINE} characters; 0 for none`,
  })
  return z.NEVER
})

/** An id or a secret that a provider gave: no space, no line feed, nothing that could end a header or a query. */
const providerWord = z.string().regex(/^[\x21-\x7e]{1,250}$/, 'set it as the provider gave it, without spaces')

const MAILBOX = /^(?:(?:"([^"<>\\]{0,100})"|([^"<>\\]{0,100}))\s*<([^<>\s]+)>|([^<>\s]+))$/

const mailbox = z.string().transform((value, context): Mailbox => {
  const [, quoted, plain, inBrackets, alone] = (hasControlCharacter(value) ? null : MAILBOX.exec(value)) ?? []
  const address = inBrackets ?? alone ?? ''
  if (emailProblem(address) !== null)
    context.addIssue({ code: 'custom', message: 'set one mailbox, like Fairball <no-reply@lottery.example>' })
  return { name: (quoted ?? plain ?? '').trim(), address }
})

const emailAddress = z
  .string()
  .refine((value) => emailProblem(value) === null, 'set an e-mail address, like help@lottery.example')

const VARIABLES = {
  NODE_ENV: variable({
    fallback: 'demo',
    defaultText: '(unset)',
    meaning:
      '`production` runs the real lottery and refuses to start on a part of the demo; anything else is the demo.',
    schema: z.string(),
  }),
  PORT: variable({
    fallback: '3000',
    meaning: 'The port the pages and the API are served on; 0 takes any free one.',
    schema: wholeNumber(0, 65_535, 'a port'),
  }),
  HOST: variable({
    fallback: null,
    defaultText: '127.0.0.1 in the demo, 0.0.0.0 in production',
    meaning: 'The address it listens on.',
    schema: z.string().refine((value) => isIP(value) > 0 || value === 'localhost', 'set an IP address, like 127.0.0.1'),
  }),
  PUBLIC_URL: variable({
    fallback: null,
    defaultText: 'http://localhost:PORT; needed in production',
    meaning: 'The address players reach it at; links in mails and checkout addresses start with it.',
    schema: origin,
  }),
  TRUST_PROXY: variable({
    fallback: null,
    defaultText: '(none)',
    meaning: 'Addresses or networks of your reverse proxies, by commas. Only their `X-Forwarded-For` is believed.',
    schema: proxies,
  }),
  ROLE: variable({
    fallback: 'both',
    meaning: '`web` serves pages and API, `worker` draws, settles and pays, `both` does both. Also as `--role`.',
    schema: oneOf(ROLES),
  }),
  DATA_DIR: variable({
    fallback: './data',
    meaning:
      "Where the embedded PostgreSQL, the demo's secret key and the head of the fairness log live. One running copy per folder.",
    schema: z.string(),
  }),
  DATABASE_URL: variable({
    fallback: null,
    defaultText: '(embedded PostgreSQL); needed in production',
    meaning:
      'A PostgreSQL of version 15 or newer, `postgres://user:password@host/database`. Several processes can share it.',
    schema: urlOf(['postgres:', 'postgresql:'], 'postgres://user:password@host/database'),
    isSecret: true,
  }),
  DATABASE_POOL_SIZE: variable({
    fallback: '10',
    meaning: 'The most connections of one process to the database, beside one that listens.',
    schema: wholeNumber(2, 500, 'a number'),
  }),
  BITCOIN_NETWORK: variable({
    fallback: 'regtest',
    defaultText: 'regtest; needed in production',
    meaning: '`mainnet`, `testnet4`, `signet` or `regtest`: the network whose addresses are taken and paid.',
    schema: oneOf(NETWORKS),
  }),
  PAYMENTS: variable({
    fallback: 'test',
    meaning: "Who takes and sends bitcoin: `test` (the demo's wallet), `bitcoin-core`, `btcpay` or `opennode`.",
    schema: provider(PAYMENTS_NAMES, PAYMENTS_HERE),
  }),
  BITCOIN_RPC_URL: variable({
    fallback: null,
    defaultText: '(none); needed with `bitcoin-core`',
    meaning:
      "The RPC address of your own node, `http://user:password@127.0.0.1:8332`, or without user and password beside BITCOIN_RPC_COOKIE. Payouts leave from this node's wallet.",
    schema: rpcUrl,
    isSecret: true,
  }),
  BITCOIN_RPC_COOKIE: variable({
    fallback: null,
    defaultText: '(none)',
    meaning: 'The file in which the node keeps the user and password it made: `.cookie` in its data folder.',
    schema: z.string(),
  }),
  BITCOIN_XPUB: variable({
    fallback: null,
    defaultText: '(none); needed with `bitcoin-core`',
    meaning:
      'The account key that deposit addresses are derived from, with its origin: `[d34db33f/84h/0h/0h]xpub6…`. The private keys stay elsewhere.',
    schema: accountKey,
    isSecret: true,
  }),
  BITCOIN_WATCH_WALLET: variable({
    fallback: 'fairball-watch',
    meaning: "The node's wallet, without private keys, that watches the deposits; made where it is missing.",
    schema: walletName,
  }),
  BITCOIN_HOT_WALLET: variable({
    fallback: 'fairball-hot',
    meaning: "The node's wallet that payouts leave from. It holds private keys: keep only the float in it.",
    schema: walletName,
  }),
  BITCOIN_CONFIRMATIONS: variable({
    fallback: null,
    defaultText: '2 on mainnet, otherwise 1',
    meaning: 'A payment on the chain counts from so many confirmations on; at least 2 on mainnet.',
    schema: wholeNumber(1, MOST_CONFIRMATIONS, 'a number'),
  }),
  BTCPAY_URL: variable({
    fallback: null,
    defaultText: '(none); needed with `btcpay`',
    meaning: 'The address of your BTCPay Server.',
    schema: providerUrl('https://btcpay.example'),
  }),
  BTCPAY_API_KEY: variable({
    fallback: null,
    defaultText: '(none); needed with `btcpay`',
    meaning:
      'A key for that store alone, allowed `cancreateinvoice`, `canviewinvoices` and `canviewwallet`, and nothing else.',
    schema: providerWord,
    isSecret: true,
  }),
  BTCPAY_STORE_ID: variable({
    fallback: null,
    defaultText: '(none); needed with `btcpay`',
    meaning: "Your store's id.",
    schema: providerWord,
  }),
  BTCPAY_WEBHOOK_SECRET: variable({
    fallback: null,
    defaultText: '(none); needed with `btcpay`',
    meaning: "The secret of the store's webhook, which goes to `PUBLIC_URL/webhooks/btcpay`.",
    schema: providerWord,
    isSecret: true,
  }),
  OPENNODE_API_KEY: variable({
    fallback: null,
    defaultText: '(none); needed with `opennode`',
    meaning: 'A key of your account at OpenNode that may create invoices. Its webhooks are signed with it.',
    schema: providerWord,
    isSecret: true,
  }),
  OPENNODE_API_URL: variable({
    fallback: null,
    defaultText: `${OPENNODE_URL} on mainnet, otherwise ${OPENNODE_TEST_URL}`,
    meaning: 'The address of OpenNode.',
    schema: providerUrl(OPENNODE_URL),
  }),
  EXPLORER_URL: variable({
    fallback: null,
    defaultText: "(mempool.space's page of the network; none on regtest)",
    meaning: 'The address of a page that shows a transaction, up to its id: `https://mempool.space/tx/`.',
    schema: urlOf(['http:', 'https:'], 'https://mempool.space/tx/'),
  }),
  PAYOUT_APPROVAL_SATS: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      'What is paid to one address beyond this many satoshis waits until the operator approves it (`payouts-approve`), in a batch of its own.',
    schema: sats,
  }),
  PAYOUT_FLOAT_SATS: variable({
    fallback: null,
    defaultText: '(no limit)',
    meaning:
      'What the wallet payouts leave from is meant to hold, in satoshis. No batch of several payouts is larger; more than it in the wallet is told to the operator.',
    schema: sats,
  }),
  BEACON: variable({
    fallback: 'local',
    meaning: "Where the draws' randomness comes from: `local` (the demo's) or `drand`.",
    schema: oneOf(['local', 'drand']),
  }),
  DRAND_RELAYS: variable({
    fallback: DRAND_RELAYS.join(','),
    defaultText: '(four public ones)',
    meaning: `Base addresses of relays of drand's HTTP API, by commas, asked with \`BEACON=drand\` for the rounds of quicknet: ${DRAND_RELAYS.join(', ')}. None is trusted: every signature is verified.`,
    schema: relays,
    isSecret: true,
  }),
  WITNESSES: variable({
    fallback: '0',
    defaultText: '0 (none)',
    meaning:
      'Who has to sign a close before its draw, and how many of them: `1 alice=<key>,bob=<key>`, the public keys in hex. It stands in the open statement, so it holds for draws opened from then on.',
    schema: witnesses,
  }),
  RATES: variable({
    fallback: 'fixed',
    meaning: "Exchange rates: `fixed` (the demo's) or `live`.",
    schema: provider(['fixed', 'live'], RATES_HERE),
  }),
  RATE_SOURCES: variable({
    fallback: RATE_SOURCES.join(','),
    defaultText: '(all of them)',
    meaning: `Public sources asked with \`RATES=live\`, two or more by commas: \`${RATE_SOURCES.join('`, `')}\`. Nothing is sold unless two agree.`,
    schema: rateSources,
  }),
  SMTP_URL: variable({
    fallback: null,
    defaultText: '(outbox); needed in production',
    meaning: 'The mail server, `smtps://user:password@host`. In the demo mails stay in the outbox without it.',
    schema: urlOf(['smtp:', 'smtps:'], 'smtps://user:password@host'),
    isSecret: true,
  }),
  MAIL_FROM: variable({
    fallback: null,
    defaultText: '`Fairball <no-reply@HOST>`, the host of PUBLIC_URL',
    meaning: 'Who mails are from: a name and an address in angle brackets, or an address.',
    schema: mailbox,
  }),
  SUPPORT_EMAIL: variable({
    fallback: null,
    defaultText: '(none)',
    meaning: 'Where messages of the contact form go. Pages and mails name it for help.',
    schema: emailAddress,
  }),
  GOOGLE_CLIENT_ID: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      'The client id of your application at Google; with it there is a Google button. Its redirect address is `PUBLIC_URL/social-login/google`.',
    schema: providerWord,
  }),
  GOOGLE_API_URL: variable({
    fallback: GOOGLE_API_URL,
    meaning: 'Behind it are `/tokeninfo` and `/userinfo`. Another OpenID provider with both can stand in.',
    schema: providerUrl(GOOGLE_API_URL),
  }),
  GOOGLE_AUTH_URL: variable({
    fallback: GOOGLE_AUTH_URL,
    meaning: 'The page of Google on which a player agrees to log in.',
    schema: providerUrl(GOOGLE_AUTH_URL),
  }),
  FACEBOOK_APP_ID: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      'The id of your application at Facebook; with it and its secret there is a Facebook button. Its redirect address is `PUBLIC_URL/social-login/facebook`.',
    schema: providerWord,
  }),
  FACEBOOK_APP_SECRET: variable({
    fallback: null,
    defaultText: '(none)',
    meaning: 'The secret of your application at Facebook.',
    schema: providerWord,
    isSecret: true,
  }),
  FACEBOOK_API_URL: variable({
    fallback: FACEBOOK_API_URL,
    meaning: 'Behind it are `/debug_token` and `/me`.',
    schema: providerUrl(FACEBOOK_API_URL),
  }),
  FACEBOOK_AUTH_URL: variable({
    fallback: FACEBOOK_AUTH_URL,
    meaning: 'The page of Facebook on which a player agrees to log in.',
    schema: providerUrl(FACEBOOK_AUTH_URL),
  }),
  TWITTER_CLIENT_ID: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      'The client id of your application at X. It only opens the API call: X does not tell for which application a token was made, so there is no button.',
    schema: providerWord,
  }),
  TWITTER_API_URL: variable({
    fallback: null,
    defaultText: '(none)',
    meaning: 'Behind it is `/2/users/me`: `https://api.x.com`. Set it together with TWITTER_CLIENT_ID.',
    schema: providerUrl('https://api.x.com'),
  }),
  SECRET_KEY: variable({
    fallback: null,
    defaultText: '(made and kept in DATA_DIR); needed in production',
    meaning:
      'At least 32 random bytes in hex, the same in every process: `openssl rand -hex 32`. Keep it: tokens and keys hang on it.',
    schema: secret,
    isSecret: true,
  }),
  LOG_LEVEL: variable({
    fallback: 'info',
    meaning: `\`${LOG_LEVELS.join('`, `')}\`.`,
    schema: oneOf(LOG_LEVELS),
  }),
}

/** Addresses that tokens are sent to. */
const PROVIDER_URLS = [
  'GOOGLE_API_URL',
  'GOOGLE_AUTH_URL',
  'FACEBOOK_API_URL',
  'FACEBOOK_AUTH_URL',
  'TWITTER_API_URL',
] as const

/** Addresses that the keys to the money are sent to; a BTCPay Server beside this one is asked through its own proxy. */
const MONEY_URLS = ['BTCPAY_URL', 'OPENNODE_API_URL'] as const

type VariableName = keyof typeof VARIABLES
type Values = { [K in VariableName]: z.output<(typeof VARIABLES)[K]['schema']> | null }

/** Every variable, as the README lists them. */
export const CONFIG_TABLE: readonly ConfigRow[] = Object.entries<Variable<unknown>>(VARIABLES).map(
  ([name, { fallback, defaultText, meaning }]) => ({ name, default: defaultText ?? fallback ?? '', meaning }),
)

/**
 * Reads the configuration.
 *
 * @param env usually `process.env`; an empty variable counts as not set
 * @param args the arguments of the command: `--role web|worker|both`, `--dev`
 * @throws ConfigError with every problem at once
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): ConfigAsRead {
  const problems: string[] = []
  const flags = readFlags(args, problems)
  const given: Readonly<Record<string, string | undefined>> = {
    ...env,
    ...(flags.role === undefined ? {} : { ROLE: flags.role }),
  }
  const values = readValues(given, problems)
  const mode = given['NODE_ENV'] === 'production' ? 'production' : 'demo'
  problems.push(...socialLoginProblems(given))
  problems.push(...paymentProblems(given, values))
  problems.push(...(mode === 'production' ? productionProblems(given, values, flags.dev) : demoProblems(values)))
  if (problems.length > 0) throw new ConfigError(problems)

  const port = known(values.PORT)
  return {
    mode,
    role: known(values.ROLE),
    isDevelopment: flags.dev,
    host: values.HOST ?? (mode === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicUrl: values.PUBLIC_URL ?? (port === 0 ? null : `http://localhost:${port}`),
    trustProxy: values.TRUST_PROXY ?? [],
    dataDir: known(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: known(values.DATABASE_POOL_SIZE),
    bitcoinNetwork: known(values.BITCOIN_NETWORK),
    payments: known(values.PAYMENTS),
    bitcoinNode: bitcoinNodeOf(values),
    bitcoinXpub: values.BITCOIN_XPUB,
    bitcoinWatchWallet: known(values.BITCOIN_WATCH_WALLET),
    bitcoinHotWallet: known(values.BITCOIN_HOT_WALLET),
    bitcoinConfirmations: values.BITCOIN_CONFIRMATIONS ?? (isMainnet(values) ? LEAST_MAINNET_CONFIRMATIONS : 1),
    btcpay: btcpayOf(values),
    opennode:
      values.OPENNODE_API_KEY === null
        ? null
        : {
            url: values.OPENNODE_API_URL ?? (isMainnet(values) ? OPENNODE_URL : OPENNODE_TEST_URL),
            apiKey: values.OPENNODE_API_KEY,
          },
    explorerUrl: values.EXPLORER_URL,
    payoutApprovalSats: values.PAYOUT_APPROVAL_SATS,
    payoutFloatSats: values.PAYOUT_FLOAT_SATS,
    beacon: known(values.BEACON),
    drandRelays: known(values.DRAND_RELAYS),
    witnesses: known(values.WITNESSES),
    rates: known(values.RATES),
    rateSources: known(values.RATE_SOURCES),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    supportEmail: values.SUPPORT_EMAIL,
    socialLogins: socialLoginsOf(values),
    secretKey: values.SECRET_KEY,
    logLevel: known(values.LOG_LEVEL),
  }
}

/** A provider is on when everything that only its operator knows is set. */
function socialLoginsOf(values: Values): SocialLogins {
  const { GOOGLE_CLIENT_ID, FACEBOOK_APP_ID, FACEBOOK_APP_SECRET, TWITTER_CLIENT_ID, TWITTER_API_URL } = values
  return {
    google:
      GOOGLE_CLIENT_ID === null
        ? null
        : {
            clientId: GOOGLE_CLIENT_ID,
            apiUrl: known(values.GOOGLE_API_URL),
            authUrl: known(values.GOOGLE_AUTH_URL),
          },
    facebook:
      FACEBOOK_APP_ID === null || FACEBOOK_APP_SECRET === null
        ? null
        : {
            appId: FACEBOOK_APP_ID,
            appSecret: FACEBOOK_APP_SECRET,
            apiUrl: known(values.FACEBOOK_API_URL),
            authUrl: known(values.FACEBOOK_AUTH_URL),
          },
    twitter:
      TWITTER_CLIENT_ID === null || TWITTER_API_URL === null
        ? null
        : { clientId: TWITTER_CLIENT_ID, apiUrl: TWITTER_API_URL },
  }
}

function isMainnet(values: Values): boolean {
  return values.BITCOIN_NETWORK === 'mainnet'
}

function bitcoinNodeOf(values: Values): BitcoinNodeSettings | null {
  const { BITCOIN_RPC_URL: address, BITCOIN_RPC_COOKIE: cookieFile } = values
  if (address === null) return null
  const { username, password, origin: at, pathname } = new URL(address)
  const url = `${at}${pathname}`.replace(/\/+$/, '')
  if (cookieFile !== null) return { url, login: { cookieFile } }
  return { url, login: { user: decodeURIComponent(username), password: decodeURIComponent(password) } }
}

function btcpayOf(values: Values): BtcpaySettings | null {
  const { BTCPAY_URL: url, BTCPAY_API_KEY: apiKey, BTCPAY_STORE_ID: storeId } = values
  const { BTCPAY_WEBHOOK_SECRET: webhookSecret } = values
  if (url === null || apiKey === null || storeId === null || webhookSecret === null) return null
  return { url, apiKey, storeId, webhookSecret }
}

/** A variable with a default has a value once there are no problems. */
function known<T>(value: T | null): T {
  if (value === null) throw new Error('a variable with a default has no value')
  return value
}

function readFlags(args: readonly string[], problems: string[]): { role?: string | undefined; dev: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { role: { type: 'string' }, dev: { type: 'boolean', default: false } },
    })
    return { role: values.role, dev: values.dev }
  } catch (error) {
    problems.push(`${(error as Error).message}. The arguments are --role web|worker|both and --dev.`)
    return { dev: false }
  }
}

function readValues(env: Readonly<Record<string, string | undefined>>, problems: string[]): Values {
  const read = ([name, declaration]: [string, Variable<unknown>]): [string, unknown] => {
    const text = env[name]?.trim() || declaration.fallback
    if (text === null) return [name, null]
    const result = declaration.schema.safeParse(text)
    if (result.success) return [name, result.data]
    const shown = declaration.isSecret ? name : `${name}=${text}`
    problems.push(`${shown}: ${result.error.issues[0]?.message ?? 'set another value'}.`)
    return [name, null]
  }
  return Object.fromEntries(Object.entries<Variable<unknown>>(VARIABLES).map(read)) as Values // one for each name
}

const isSetIn =
  (env: Readonly<Record<string, string | undefined>>) =>
  (name: VariableName): boolean =>
    (env[name]?.trim() ?? '') !== ''

/** Half of what a provider needs would leave it off without a word. */
function socialLoginProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = isSetIn(env)
  const pairs: readonly [VariableName, VariableName][] = [
    ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET'],
    ['TWITTER_CLIENT_ID', 'TWITTER_API_URL'],
  ]
  return pairs.flatMap(([one, other]) => {
    if (isSet(one) === isSet(other)) return []
    const [given, missing] = isSet(one) ? [one, other] : [other, one]
    return [`${missing}: needed with ${given}. Set both, or neither.`]
  })
}

/** What each provider cannot work without. */
const NEEDED_BY: Readonly<Record<PaymentsName, readonly (readonly [name: VariableName, remedy: string])[]>> = {
  test: [],
  'bitcoin-core': [
    ['BITCOIN_RPC_URL', 'the RPC address of your node, like http://user:password@127.0.0.1:8332'],
    ['BITCOIN_XPUB', 'the account key deposits are derived from, like [d34db33f/84h/0h/0h]xpub6…'],
  ],
  btcpay: [
    ['BTCPAY_URL', 'the address of your BTCPay Server, like https://btcpay.example'],
    ['BTCPAY_API_KEY', "a key of your store's, made under Account, API keys"],
    ['BTCPAY_STORE_ID', "your store's id, as its general settings show it"],
    ['BTCPAY_WEBHOOK_SECRET', "the secret of the store's webhook"],
  ],
  opennode: [['OPENNODE_API_KEY', 'a key of your account that may create invoices']],
}

/** What the chosen provider lacks, and what does not fit together whoever is chosen. */
function paymentProblems(env: Readonly<Record<string, string | undefined>>, values: Values): string[] {
  const isSet = isSetIn(env)
  const problems: string[] = []
  // Also of a provider this version does not have yet: its operator sees everything at once.
  const chosen = PAYMENTS_NAMES.find((name) => name === env['PAYMENTS']?.trim()) ?? 'test'
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

  const xpub = values.BITCOIN_XPUB
  if (xpub !== null && values.BITCOIN_NETWORK !== null && xpub.includes(']xpub') !== isMainnet(values))
    problems.push(
      `BITCOIN_XPUB: a key of another network than BITCOIN_NETWORK=${values.BITCOIN_NETWORK}. Set one that begins with ${isMainnet(values) ? 'xpub' : 'tpub'}.`,
    )
  const confirmations = values.BITCOIN_CONFIRMATIONS
  if (confirmations !== null && isMainnet(values) && confirmations < LEAST_MAINNET_CONFIRMATIONS)
    problems.push(
      `BITCOIN_CONFIRMATIONS=${confirmations}: too few on mainnet, where a block can be undone. Set ${LEAST_MAINNET_CONFIRMATIONS} or more.`,
    )
  return problems
}

function demoProblems(values: Values): string[] {
  if (values.BITCOIN_NETWORK !== 'mainnet') return []
  return ['BITCOIN_NETWORK=mainnet: the demo has no real bitcoin. Leave it out, or set NODE_ENV=production.']
}

/** What production cannot run on: a part of the demo, or nothing where there must be something. */
function productionProblems(
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
  needed('DATABASE_URL', 'a PostgreSQL, like postgres://user:password@host/database')
  demoPart('BITCOIN_NETWORK', 'regtest', 'mainnet (testnet4 or signet for a rehearsal)')
  demoPart('PAYMENTS', 'test', 'bitcoin-core, btcpay or opennode')
  demoPart('BEACON', 'local', 'drand')
  demoPart('RATES', 'fixed', 'live')
  needed('SMTP_URL', 'a mail server, like smtps://user:password@host')
  needed('SECRET_KEY', `${LEAST_SECRET_BYTES} random bytes in hex: openssl rand -hex ${LEAST_SECRET_BYTES}`)
  for (const name of PROVIDER_URLS) {
    const address = values[name]
    if (address?.startsWith('http:'))
      problems.push(`${name}=${address}: players' tokens would travel in the open. Set an https address.`)
  }
  for (const name of MONEY_URLS) {
    const address = values[name]
    if (address?.startsWith('http:'))
      problems.push(`${name}=${address}: its key would travel in the open. Set an https address.`)
  }
  if (isDevelopment) problems.push('--dev: part of the demo. Build the web (npm run build) and leave it out.')
  return problems
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isRelay(text: string): boolean {
  const url = parseUrl(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false
  return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

function hasControlCharacter(text: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
}
