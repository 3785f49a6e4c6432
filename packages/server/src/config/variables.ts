import { isIP } from 'node:net'
import { z } from 'zod'
import { MAX_CONFIRMATIONS, PAYMENTS_NAMES } from '../ports/bitcoin.ts'
import { LIGHTNING_NAMES } from '../ports/lightning/choose.ts'
import { OPENNODE_API_URL, OPENNODE_TEST_API_URL } from '../ports/payment-provider/opennode.ts'
import { RATE_SOURCES } from '../ports/rates/price-sources.ts'
import { FACEBOOK_API_URL, FACEBOOK_AUTH_URL } from '../ports/social-login/facebook.ts'
import { GOOGLE_API_URL, GOOGLE_AUTH_URL } from '../ports/social-login/google.ts'
import { TWITTER_API_URL, TWITTER_AUTH_URL } from '../ports/social-login/twitter.ts'
import { LOG_LEVELS } from '../runtime/logger.ts'
import { withSecretFiles } from './secret-files.ts'
import {
  wholeNumber,
  oneOf,
  sats,
  satsOrNone,
  walletName,
  rpcUrl,
  rateSources,
  databaseUrl,
  urlOf,
  origin,
  tlsOrigin,
  networks,
  proxies,
  secret,
  providerUrl,
  relays,
  providerWord,
  mailbox,
  emailAddress,
} from './texts.ts'

/**
 * The variables of the configuration: the only place for a variable, its default and its meaning. The list in
 * docs/configuration.md is made from it.
 */

/** The networks whose addresses are accepted and paid. */
const NETWORKS = ['mainnet', 'testnet4', 'signet', 'regtest'] as const
const ROLES = ['web', 'worker', 'both', 'console'] as const
/** The part of the program that a process runs. */
export type Role = (typeof ROLES)[number]
/** The League's public relays (drand's HTTP API). */
const DRAND_RELAYS = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
]

interface Variable<T> {
  /** The value if the variable is not set or empty; null for nothing. */
  fallback: string | null
  /** The default for the table, if it is more than `fallback`. */
  defaultText?: string
  meaning: string
  /** Parses a text, or fails with what to set. */
  schema: z.ZodType<T, string>
  /** Its value is not repeated in a message. */
  isSecret?: true
}

const variable = <T>(declaration: Variable<T>): Variable<T> => declaration

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
    meaning:
      'Addresses or networks of your reverse proxies, comma-separated. Only their `X-Forwarded-For` is believed.',
    schema: proxies,
  }),
  ROLE: variable({
    fallback: 'both',
    meaning:
      "`web` serves pages and API, `worker` draws, settles and pays, `both` does both; `console` serves the [operator's console](operations.md#11-the-operators-console) and nothing else. Also as `--role`.",
    schema: oneOf(ROLES),
  }),
  CONSOLE_URL: variable({
    fallback: null,
    defaultText: '(http://localhost:CONSOLE_PORT in the demo, otherwise none)',
    meaning:
      "The origin of the operator's console: in production https, at another host than `PUBLIC_URL`'s. Passkeys are made for its host, and workers check signatures against it: set it for the console and for every worker.",
    schema: origin,
  }),
  CONSOLE_PORT: variable({
    fallback: null,
    defaultText: '(3001; in the demo any free port)',
    meaning: 'The port the console is served on.',
    schema: wholeNumber(0, 65_535, 'a port'),
  }),
  CONSOLE_HOST: variable({
    fallback: '127.0.0.1',
    meaning: 'The address the console listens on.',
    schema: z.string().refine((value) => isIP(value) > 0 || value === 'localhost', 'set an IP address, like 127.0.0.1'),
  }),
  CONSOLE_DATABASE_URL: variable({
    fallback: null,
    defaultText: '(made in the demo); needed with ROLE=console',
    meaning:
      'The PostgreSQL with the login `fairball_console` or a member of it, which may do what `operator grants` prints. With any other the console refuses to start.',
    schema: databaseUrl('postgres://fairball_console:password@host/database'),
    isSecret: true,
  }),
  CONSOLE_ALLOW: variable({
    fallback: null,
    defaultText: '(all)',
    meaning:
      'The addresses or networks that may use the console, comma-separated: others get 403. Behind a proxy `TRUST_PROXY` has to name it.',
    schema: networks,
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
      'A PostgreSQL 15 or newer, or what passes `npm run db-conformance`, `postgres://user:password@host/database`. Several processes can share it. With `host1:5432,host2:5432` the one that takes changes is used.',
    schema: databaseUrl('postgres://user:password@host/database'),
    isSecret: true,
  }),
  DATABASE_POOL_SIZE: variable({
    fallback: '10',
    meaning: 'The most connections of one process to the database, beside one that listens.',
    schema: wholeNumber(2, 500, 'a number'),
  }),
  DRAIN_SECONDS: variable({
    fallback: '0',
    meaning:
      'How long a stopping process still serves while `/readyz` says 503, in seconds, so that a load balancer can notice.',
    schema: wholeNumber(0, 300, 'seconds'),
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
    schema: oneOf(PAYMENTS_NAMES),
  }),
  LIGHTNING: variable({
    fallback: null,
    defaultText: '`test` in the demo with PAYMENTS=test, otherwise `none`',
    meaning:
      "Whether orders can also be paid over Lightning, with PAYMENTS `bitcoin-core` or `test`: `none`, `cln` (your own Core Lightning node), `lnd` (your own lnd node) or `test` (the demo's node).",
    schema: oneOf(LIGHTNING_NAMES),
  }),
  CLN_RPC_FILE: variable({
    fallback: null,
    defaultText: '(none); needed with LIGHTNING=cln',
    meaning:
      "The socket of your Core Lightning node, `lightning-rpc` in its folder for the network. The program's user needs to read and write it: `rpc-file-mode=0660` and the node's group.",
    schema: z.string(),
  }),
  LND_REST_URL: variable({
    fallback: null,
    defaultText: '(none); needed with LIGHTNING=lnd',
    meaning: "The address of your lnd node's REST API, like `https://127.0.0.1:8080`.",
    schema: tlsOrigin,
  }),
  LND_MACAROON_FILE: variable({
    fallback: null,
    defaultText: '(none); needed with LIGHTNING=lnd',
    meaning:
      'The macaroon that lets the program use your lnd node: `info:read invoices:read invoices:write offchain:read offchain:write onchain:read`.',
    schema: z.string(),
  }),
  LND_TLS_CERT_FILE: variable({
    fallback: null,
    defaultText: '(none); needed with LIGHTNING=lnd',
    meaning: "Your lnd node's `tls.cert`: no other certificate is trusted.",
    schema: z.string(),
  }),
  LIGHTNING_FIRST_MAX_SATS: variable({
    fallback: '200000',
    meaning: 'Up to this many satoshis the checkout page offers Lightning first, above it the bitcoin address.',
    schema: sats,
  }),
  LIGHTNING_IN_MAX_SATS: variable({
    fallback: '4000000',
    meaning: 'Orders above this many satoshis are paid to a bitcoin address alone.',
    schema: sats,
  }),
  LIGHTNING_PAYOUT_MAX_SATS: variable({
    fallback: '1000000',
    meaning: 'Payouts above this many satoshis are sent over the chain. 0: none goes over Lightning.',
    schema: satsOrNone,
  }),
  LIGHTNING_FEE_PPM: variable({
    fallback: '5000',
    meaning:
      'What the way of a prize over Lightning may cost, in millionths of it; from the third attempt on twice as much.',
    schema: satsOrNone,
  }),
  LIGHTNING_FEE_MIN_SATS: variable({
    fallback: '10',
    meaning: 'The least limit for that cost, in satoshis: the larger of the two counts.',
    schema: satsOrNone,
  }),
  LIGHTNING_FLOAT_SATS: variable({
    fallback: null,
    defaultText: '(what the node can send)',
    meaning:
      'What you mean to hold in your Lightning node, in satoshis: refunds and excess above a share of it in a day wait for `payouts-approve`.',
    schema: sats,
  }),
  BITCOIN_RPC_URL: variable({
    fallback: null,
    defaultText: '(none); needed with real bitcoin',
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
    schema: z.string(),
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
    meaning:
      'A payment on the chain counts from so many confirmations on; at least 2 on mainnet. The setting `bitcoin.confirmations` [replaces it without a restart](operator-content.md#settings).',
    schema: wholeNumber(1, MAX_CONFIRMATIONS, 'a number'),
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
    defaultText: `${OPENNODE_API_URL} on mainnet, otherwise ${OPENNODE_TEST_API_URL}`,
    meaning: 'The address of OpenNode.',
    schema: providerUrl(OPENNODE_API_URL),
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
      'What is paid to one address beyond this many satoshis waits until the operator approves it (`payouts-approve`), in a batch of its own. The setting `payouts.approval_sats` [replaces it without a restart](operator-content.md#settings).',
    schema: sats,
  }),
  PAYOUT_FLOAT_SATS: variable({
    fallback: null,
    defaultText: '(no limit)',
    meaning:
      'Intended size of the hot wallet, in satoshis. A batch of several payouts never exceeds it, and the operator is warned if the wallet holds more. At most 25% of it is returned (refunds, excess) in 24 hours without approval; if it is not set, 25% of what the wallet holds. The setting `payouts.float_sats` [replaces it without a restart](operator-content.md#settings).',
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
    meaning: `Base addresses of relays of drand's HTTP API, comma-separated, asked with \`BEACON=drand\` for the rounds of quicknet: ${DRAND_RELAYS.join(', ')}. None is trusted: every signature is verified.`,
    schema: relays,
    isSecret: true,
  }),
  WITNESSES: variable({
    fallback: null,
    defaultText: '(none); needed in production',
    meaning:
      'Who has to cosign a close before its draw: the path of a policy (C2SP tlog-policy) in which each witness line ends with its URL, or `none-i-know`. Draws name it when they are opened, so it holds for those opened from then on. Without witnesses nobody can prove when a draw was sealed, and the pages say so.',
    schema: z.string(),
  }),
  LOG_AFTER: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      'For a new installation after [a log was lost for good](operations.md#6-backup-and-restore): the file of the last checkpoint of the old log. The first statement of the new one names it, signed; later starts leave it alone.',
    schema: z.string(),
  }),
  RATES: variable({
    fallback: 'fixed',
    meaning: "Exchange rates: `fixed` (the demo's, of every currency) or `live`.",
    schema: oneOf(['fixed', 'live']),
  }),
  RATE_SOURCES: variable({
    fallback: RATE_SOURCES.join(','),
    defaultText: '(all of them)',
    meaning: `Public sources asked with \`RATES=live\`, two or more, comma-separated: \`${RATE_SOURCES.join('`, `')}\`. Nothing is sold in a currency unless two agree on it: \`coinbase\` and \`coingecko\` have all currencies, \`kraken\` AUD, CAD, CHF, EUR, GBP, JPY and USD, \`bitstamp\` EUR, GBP and USD. While no two agree on the dollar, no rate is read at all.`,
    schema: rateSources,
  }),
  SMTP_URL: variable({
    fallback: null,
    defaultText: '(outbox); needed in production',
    meaning:
      'The mail server, `smtps://user:password@host`. In the demo mails stay in the outbox without it. An `smtp:` address has to offer STARTTLS, unless it ends in `?requireTLS=false`: for a server on this computer alone.',
    schema: urlOf(['smtp:', 'smtps:'], 'smtps://user:password@host'),
    isSecret: true,
  }),
  MAIL_FROM: variable({
    fallback: null,
    defaultText: '`Fairball <no-reply@HOST>`, the host of PUBLIC_URL',
    meaning:
      'Sender of outgoing email: a name and an address in angle brackets, or an address. The setting `mail.from` [replaces it without a restart](operator-content.md#sender).',
    schema: mailbox,
  }),
  SUPPORT_EMAIL: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      "Address that gets the contact form's messages, and that pages and mails name for help. The setting `support_email` wins over it. If neither is set, the operator's email address is used.",
    schema: emailAddress,
  }),
  CONTENT_FILE: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      'A JSON file with what only you know: the licensee, good causes, partner charities, social links, the feedback form. Without it the demo has marked examples, and production nothing. The same can be [changed without a restart](operator-content.md#settings) where no file is named. [What it holds](operator-content.md).',
    schema: z.string(),
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
      'The client id of your application at X, a public client (OAuth 2.0, "single page app"); with it there is an X button. Its redirect address is `PUBLIC_URL/social-login/twitter`.',
    schema: providerWord,
  }),
  TWITTER_API_URL: variable({
    fallback: TWITTER_API_URL,
    meaning: 'Behind it are `/2/oauth2/token` and `/2/users/me`.',
    schema: providerUrl(TWITTER_API_URL),
  }),
  TWITTER_AUTH_URL: variable({
    fallback: TWITTER_AUTH_URL,
    meaning: 'The page of X on which a player agrees to log in.',
    schema: providerUrl(TWITTER_AUTH_URL),
  }),
  SECRET_KEY: variable({
    fallback: null,
    defaultText: '(made and kept in DATA_DIR); needed in production',
    meaning:
      'At least 32 random bytes in hex, the same in every process: `openssl rand -hex 32`. Keep it: tokens and keys hang on it.',
    schema: secret,
    isSecret: true,
  }),
  METRICS_TOKEN: variable({
    fallback: null,
    defaultText: '(none: in production nobody may ask at PORT)',
    meaning:
      'With it `GET /metrics` answers only who sends it as `Authorization: Bearer …`: at least 16 characters. `openssl rand -hex 32`. Without it the demo and `MONITOR_PORT` answer everybody.',
    schema: z
      .string()
      .regex(
        /^[\w.~+/=-]{16,250}$/,
        'set 16 to 250 letters, digits and the like, without spaces: openssl rand -hex 32',
      ),
    isSecret: true,
  }),
  MONITOR_PORT: variable({
    fallback: null,
    defaultText: '(none)',
    meaning:
      'A port beside PORT that answers `/healthz`, `/readyz` and `/metrics` and nothing else. A worker has no other; let nobody but your monitor reach it.',
    schema: wholeNumber(1, 65_535, 'a port'),
  }),
  LOG_LEVEL: variable({
    fallback: 'info',
    meaning: `\`${LOG_LEVELS.join('`, `')}\`.`,
    schema: oneOf(LOG_LEVELS),
  }),
}

/** A variable's name. */
export type VariableName = keyof typeof VARIABLES
/** The values of the variables. */
export type Values = { [K in VariableName]: z.output<(typeof VARIABLES)[K]['schema']> | null }

/** The names of all variables; the container's test uses them. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES)

/** Every variable with its default and meaning, as docs/configuration.md lists them. */
export const CONFIG_LIST: readonly string[] = Object.entries<Variable<unknown>>(VARIABLES).map(
  ([name, { fallback, defaultText, meaning }]) =>
    `- **\`${name}\`** – ${(defaultText ?? fallback ?? '').replace(/^\((.*?)\)/, '$1')}. ${meaning}`,
)

/** The variables that hold a secret. Each can come from a file that `<name>_FILE` names. */
export const SECRET_NAMES: readonly string[] = Object.entries<Variable<unknown>>(VARIABLES).flatMap(
  ([name, { isSecret, fallback }]) => (isSecret === true && fallback === null ? [name] : []),
)

/** A shorter secret would be found in ordinary words. */
const LEAST_HIDDEN = 6

/**
 * The secrets in the environment and in its files, for the log to leave out: the text of each variable that is one, and
 * only the password of an address.
 */
export function secretTexts(env: Readonly<Record<string, string | undefined>>): string[] {
  // The reading of the configuration has reported problems with a file.
  const known = withSecretFiles(env, SECRET_NAMES, [])
  const given = SECRET_NAMES.map((name) => known[name]?.trim() ?? '').filter((text) => text !== '')
  const passwords = given.flatMap((text) => {
    const password = URL.canParse(text) ? new URL(text).password : ''
    return [password, decodedOrSame(password)]
  })
  return [...new Set([...given, ...passwords])].filter((text) => text.length >= LEAST_HIDDEN)
}

function decodedOrSame(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Reads every variable, null for one that is not set and has no default.
 *
 * @param problems what is wrong is added to these
 * @param names the variables to read: null for all others. Default: all
 */
export function readValues(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
  names: readonly string[] = VARIABLE_NAMES,
): Values {
  const read = ([name, declaration]: [string, Variable<unknown>]): [string, unknown] => {
    const text = names.includes(name) ? env[name]?.trim() || declaration.fallback : null
    if (text === null) return [name, null]
    const result = declaration.schema.safeParse(text)
    if (result.success) return [name, result.data]
    const shown = declaration.isSecret ? name : `${name}=${text}`
    problems.push(`${shown}: ${result.error.issues[0]?.message ?? 'set another value'}.`)
    return [name, null]
  }
  return Object.fromEntries(Object.entries<Variable<unknown>>(VARIABLES).map(read)) as Values // one for each name
}
