import type { Config } from '../config/config.ts'
import type { VariableName } from '../config/variables.ts'
import type { Replacements, SharedSettings } from '../modules/processes/settings.ts'
import type { LiveSettings } from '../modules/settings/service.ts'

/**
 * What may differ between processes; SECRET_KEY is compared with the database at each start. Every other variable is
 * shared.
 */
type OwnVariable =
  | 'PORT'
  | 'HOST'
  | 'TRUST_PROXY'
  | 'ROLE'
  | `CONSOLE_${string}`
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'DATABASE_POOL_SIZE'
  | 'DRAIN_SECONDS'
  | 'BITCOIN_RPC_URL'
  | 'BITCOIN_RPC_COOKIE'
  | 'CLN_RPC_FILE'
  | `LND_${string}`
  | 'BTCPAY_API_KEY'
  | 'BTCPAY_WEBHOOK_SECRET'
  | 'EXPLORER_URL'
  | 'DRAND_RELAYS'
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | 'SUPPORT_EMAIL'
  | `${'GOOGLE' | 'FACEBOOK' | 'TWITTER'}_${string}`
  | 'SECRET_KEY'
  | 'METRICS_TOKEN'
  | 'LOG_AFTER'
  | 'MONITOR_PORT'
  | 'LOG_LEVEL'

/** The variables that a setting replaces in every process at once, and what each is in the configuration. */
const REPLACEABLE = {
  BITCOIN_CONFIRMATIONS: 'bitcoinConfirmations',
  PAYOUT_APPROVAL_SATS: 'payoutApprovalSats',
  PAYOUT_FLOAT_SATS: 'payoutFloatSats',
} as const

/** What settings in force say in place of variables. @throws DatabaseUnavailable */
export async function replacements(config: Config, live: LiveSettings): Promise<Replacements> {
  await live.catchUp()
  const [inForce, replaced] = [sharedSettings({ ...config, ...live.money() }), live.replaced()]
  return Object.fromEntries(
    Object.entries(REPLACEABLE).map(([name, part]) => [name, replaced.has(part) ? (inForce[name] ?? null) : null]),
  )
}

/** The settings that every process of one lottery shares, by the names of their variables. */
export function sharedSettings(config: Config): SharedSettings {
  const { btcpay, opennode, content } = config
  const settings: Record<Exclude<VariableName, OwnVariable>, unknown> = {
    // In the demo returns have no daily limits.
    NODE_ENV: config.mode,
    PUBLIC_URL: config.publicUrl,
    BITCOIN_NETWORK: config.bitcoinNetwork,
    PAYMENTS: config.payments,
    LIGHTNING: config.lightning,
    LIGHTNING_FIRST_MAX_SATS: String(config.lightningFirstMaxSats),
    LIGHTNING_IN_MAX_SATS: String(config.lightningInMaxSats),
    LIGHTNING_PAYOUT_MAX_SATS: String(config.lightningPayoutMaxSats),
    LIGHTNING_FEE_PPM: String(config.lightningFeePpm),
    LIGHTNING_FEE_MIN_SATS: String(config.lightningFeeMinSats),
    LIGHTNING_FLOAT_SATS: config.lightningFloatSats === null ? null : String(config.lightningFloatSats),
    BITCOIN_XPUB: config.bitcoinXpub,
    BITCOIN_WATCH_WALLET: config.bitcoinWatchWallet,
    BITCOIN_HOT_WALLET: config.bitcoinHotWallet,
    BITCOIN_CONFIRMATIONS: config.bitcoinConfirmations,
    BTCPAY_URL: btcpay?.url ?? null,
    BTCPAY_STORE_ID: btcpay?.storeId ?? null,
    OPENNODE_API_URL: opennode?.url ?? null,
    // Nothing else says whose account it is.
    OPENNODE_API_KEY: opennode?.apiKey ?? null,
    PAYOUT_APPROVAL_SATS: String(config.payoutApprovalSats),
    PAYOUT_FLOAT_SATS: String(config.payoutFloatSats),
    BEACON: config.beacon,
    WITNESSES: config.policy,
    RATES: config.rates,
    RATE_SOURCES: [...config.rateSources].toSorted(),
    // The part of the content file that decides payments: a picture may differ.
    CONTENT_FILE: content.partners,
  }
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value, bytesAsHex)]))
}

function bytesAsHex(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
