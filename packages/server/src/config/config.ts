import { parseArgs } from 'node:util'
import { type EndedLog, readCheckpointFile } from './checkpoint-file.ts'
import { demoProblems, isMainnet, paymentProblems, productionProblems, socialLoginProblems } from './problems.ts'
import { NO_WITNESSES, NONE_I_KNOW, readPolicyFile } from './policy-file.ts'
import { withSecretFiles } from './secret-files.ts'
import { readValues, type Role, SECRET_NAMES, type Values } from './variables.ts'
import { readContentFile } from '../modules/content/content-file.ts'
import { EXAMPLE_CONTENT, NO_CONTENT, type OperatorContent } from '../modules/content/operator-content.ts'
import {
  type BitcoinNodeSettings,
  type BitcoinSettings,
  type BtcpaySettings,
  LEAST_MAINNET_CONFIRMATIONS,
} from '../ports/bitcoin.ts'
import type { LndFiles } from '../ports/lightning/choose.ts'
import type { Mailbox } from '../ports/mail/mailer.ts'
import { OPENNODE_API_URL, OPENNODE_TEST_API_URL } from '../ports/payment-provider/opennode.ts'
import type { RateSourceName } from '../ports/rates/price-sources.ts'
import type { SocialLogins } from '../ports/social-login/social-login.ts'
import type { LogLevel } from '../runtime/runtime.ts'

/**
 * The configuration: environment variables, read once at the start into one object.
 *
 * All problems are listed together, each with the variable's name and what to set (decisions, section 1).
 */

/** The whole configuration, as the program uses it. */
export type Config = BitcoinSettings &
  Readonly<{
    /** `demo` if `NODE_ENV` is not `production`: everything included, the controls under `/dev`, the banner. */
    mode: 'demo' | 'production'
    /** The part of the program that this process runs; the console has a configuration of its own. */
    role: Exclude<Role, 'console'>
    /** Serve the web from its sources, with hot reload. */
    isDevelopment: boolean
    host: string
    /** 0 takes any free port. */
    port: number
    /** The origin players see, without a slash at its end. */
    publicUrl: string
    /** The origin of the operator's console, which signatures are checked against; null for none. */
    consoleUrl: string | null
    /** Whether the demo starts its console along with it. */
    startsConsole: boolean
    /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
    trustProxy: readonly string[]
    dataDir: string
    /** Null for the embedded PostgreSQL in `dataDir`. */
    databaseUrl: string | null
    databasePoolSize: number
    /** how long a process keeps serving after it was told to stop */
    drainSeconds: number
    beacon: 'local' | 'drand'
    /** Base addresses of drand's HTTP relays, without a slash at their end; used only with `beacon` `drand`. */
    drandRelays: readonly string[]
    /** Text of the policy (C2SP tlog-policy): which witnesses have to cosign the closes of draws opened from now on. */
    policy: string
    /** The log that this one follows after a loss of data; null for none. Only the very first start reads it. */
    logAfter: EndedLog | null
    rates: 'fixed' | 'live'
    /** Used with `rates` `live`: two or more. */
    rateSources: readonly RateSourceName[]
    /** Null keeps the mails in the outbox. */
    smtpUrl: string | null
    /** The sender of mails; null for the site's own name at the host of `publicUrl`. */
    mailFrom: Mailbox | null
    /** Recipient of the contact form's messages, named for help on pages and in mails; null if no one answers mail. */
    supportEmail: string | null
    /** What only the operator knows, from the content file. */
    content: OperatorContent
    /** The content file, which wins over settings that apply without a restart; null for none. */
    contentFile: string | null
    /** The social networks players can log in with; null for one that is not configured. */
    socialLogins: SocialLogins
    /** At least 32 bytes that keys and tokens are derived from. */
    secretKey: Uint8Array
    /** The token required to read the metrics; null lets everyone read them. */
    metricsToken: string | null
    /** A port for the monitor alone, in every role; null for none. */
    monitorPort: number | null
    logLevel: LogLevel
  }>

/** The configuration as it was read: what only a start can settle may still be open. */
export type ConfigAsRead = Omit<Config, 'publicUrl' | 'secretKey'> & {
  /** Null if it follows from a free port that is still to be found. */
  readonly publicUrl: string | null
  /** Null in the demo if the key is to be made and kept in `dataDir`. */
  readonly secretKey: Uint8Array | null
}

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

/**
 * Reads the configuration.
 *
 * @param env usually `process.env`; an empty variable counts as not set, and `<name>_FILE` names the file of a secret
 * @param args the arguments of the command: `--role web|worker|both|console`, `--dev`
 * @throws ConfigError with every problem
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): ConfigAsRead {
  const problems: string[] = []
  const flags = readFlags(args, problems)
  const given: Readonly<Record<string, string | undefined>> = {
    ...withSecretFiles(env, SECRET_NAMES, problems),
    ...(flags.role === undefined ? {} : { ROLE: flags.role }),
  }
  const values = readValues(given, problems)
  const mode = given['NODE_ENV'] === 'production' ? 'production' : 'demo'
  problems.push(...socialLoginProblems(given))
  problems.push(...paymentProblems(given, values))
  problems.push(...(mode === 'production' ? productionProblems(given, values, flags.dev) : demoProblems(values)))
  if (values.MONITOR_PORT !== null && values.MONITOR_PORT === values.PORT)
    problems.push(`MONITOR_PORT=${values.MONITOR_PORT}: the same as PORT. Set another one, or leave it out.`)
  const content = contentOf(values, mode, problems)
  const log = { policy: policyOf(values, problems), logAfter: logAfterOf(values, problems) }
  if (problems.length > 0) throw new ConfigError(problems)

  const port = known(values.PORT)
  return {
    mode,
    role: roleOf(values),
    isDevelopment: flags.dev,
    host: values.HOST ?? (mode === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicUrl: values.PUBLIC_URL ?? (port === 0 ? null : `http://localhost:${port}`),
    consoleUrl: values.CONSOLE_URL,
    startsConsole: mode === 'demo' && roleOf(values) === 'both' && !flags.noConsole,
    trustProxy: values.TRUST_PROXY ?? [],
    dataDir: known(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: known(values.DATABASE_POOL_SIZE),
    drainSeconds: known(values.DRAIN_SECONDS),
    bitcoinNetwork: known(values.BITCOIN_NETWORK),
    payments: known(values.PAYMENTS),
    lightning: values.LIGHTNING ?? (mode === 'demo' && values.PAYMENTS === 'test' ? 'test' : 'none'),
    clnRpcFile: values.CLN_RPC_FILE,
    lnd: lndOf(values),
    lightningFirstMaxSats: known(values.LIGHTNING_FIRST_MAX_SATS),
    lightningInMaxSats: known(values.LIGHTNING_IN_MAX_SATS),
    lightningPayoutMaxSats: known(values.LIGHTNING_PAYOUT_MAX_SATS),
    lightningFeePpm: known(values.LIGHTNING_FEE_PPM),
    lightningFeeMinSats: known(values.LIGHTNING_FEE_MIN_SATS),
    lightningFloatSats: values.LIGHTNING_FLOAT_SATS,
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
            url: values.OPENNODE_API_URL ?? (isMainnet(values) ? OPENNODE_API_URL : OPENNODE_TEST_API_URL),
            apiKey: values.OPENNODE_API_KEY,
          },
    explorerUrl: values.EXPLORER_URL,
    payoutApprovalSats: values.PAYOUT_APPROVAL_SATS,
    payoutFloatSats: values.PAYOUT_FLOAT_SATS,
    beacon: known(values.BEACON),
    drandRelays: known(values.DRAND_RELAYS),
    ...log,
    rates: known(values.RATES),
    rateSources: known(values.RATE_SOURCES),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    supportEmail: values.SUPPORT_EMAIL,
    content,
    contentFile: values.CONTENT_FILE,
    socialLogins: socialLoginsOf(values),
    secretKey: values.SECRET_KEY,
    metricsToken: values.METRICS_TOKEN,
    monitorPort: values.MONITOR_PORT,
    logLevel: known(values.LOG_LEVEL),
  }
}

/** A command beside the console, with the console's settings, works as any process does. */
function roleOf({ ROLE: role }: Values): Config['role'] {
  return role === null || role === 'console' ? 'both' : role
}

/** The file's content, and all its problems; the demo has examples of its own, production invents nothing. */
function contentOf(values: Values, mode: Config['mode'], problems: string[]): OperatorContent {
  const { CONTENT_FILE: file, BITCOIN_NETWORK: network } = values
  if (file === null) return mode === 'demo' ? EXAMPLE_CONTENT : NO_CONTENT
  const found: string[] = []
  const content = readContentFile(file, { network, isReal: mode === 'production' }, found)
  problems.push(...found.map((problem) => `CONTENT_FILE=${file}: ${problem}.`))
  return content
}

/**
 * The policy in the named file; or one without witnesses and without a file, which production must choose explicitly.
 */
function policyOf({ WITNESSES: place }: Values, problems: string[]): string {
  if (place === null || place === NONE_I_KNOW) return NO_WITNESSES
  const found: string[] = []
  const policy = readPolicyFile(place, found)
  problems.push(...found.map((problem) => `WITNESSES=${place}: ${problem}`))
  return policy
}

/** The end of the log before this one, which has to have another name. */
function logAfterOf({ LOG_AFTER: file, PUBLIC_URL: url }: Values, problems: string[]): EndedLog | null {
  if (file === null) return null
  const found: string[] = []
  const ended = readCheckpointFile(file, found)
  if (ended !== null && url !== null && ended.origin === `${new URL(url).host}/fairball`)
    found.push(`is of the log ${ended.origin}, and a name is used once. Set another host in PUBLIC_URL.`)
  problems.push(...found.map((problem) => `LOG_AFTER=${file}: ${problem}`))
  return ended
}

/** A provider is on if everything that only its operator knows is set. */
function socialLoginsOf(values: Values): SocialLogins {
  const { GOOGLE_CLIENT_ID, FACEBOOK_APP_ID, FACEBOOK_APP_SECRET, TWITTER_CLIENT_ID } = values
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
      TWITTER_CLIENT_ID === null
        ? null
        : {
            clientId: TWITTER_CLIENT_ID,
            apiUrl: known(values.TWITTER_API_URL),
            authUrl: known(values.TWITTER_AUTH_URL),
          },
  }
}

function bitcoinNodeOf(values: Values): BitcoinNodeSettings | null {
  const { BITCOIN_RPC_URL: address, BITCOIN_RPC_COOKIE: cookieFile } = values
  if (address === null) return null
  const { username, password, origin: at, pathname } = new URL(address)
  const url = `${at}${pathname}`.replace(/\/+$/, '')
  if (cookieFile !== null) return { url, login: { cookieFile } }
  return { url, login: { user: decodeURIComponent(username), password: decodeURIComponent(password) } }
}

function lndOf(values: Values): LndFiles | null {
  const { LND_REST_URL: url, LND_MACAROON_FILE: macaroonFile, LND_TLS_CERT_FILE: certificateFile } = values
  return url === null || macaroonFile === null || certificateFile === null
    ? null
    : { url, macaroonFile, certificateFile }
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

/** What is given as arguments of the command. */
export function readFlags(
  args: readonly string[],
  problems: string[],
): { readonly role?: string | undefined; readonly dev: boolean; readonly noConsole: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        role: { type: 'string' },
        dev: { type: 'boolean', default: false },
        'no-console': { type: 'boolean', default: false },
      },
    })
    return { role: values.role, dev: values.dev, noConsole: values['no-console'] }
  } catch (error) {
    problems.push(
      `${(error as Error).message}. The arguments are --role web|worker|both|console, --dev and --no-console.`,
    )
    return { dev: false, noConsole: false }
  }
}
