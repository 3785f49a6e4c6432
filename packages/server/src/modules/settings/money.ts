import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { MAX_SATS } from '@fairball/domain/protocol/numbers'
import { z } from 'zod'
import { confirmationsOf, type MoneySettings, type PaymentsName } from '../../ports/bitcoin.ts'

// The settings that decide what is paid without a person, and what counts as paid. Until one was applied, its variable
// holds.

/** These settings, each with what it replaces of the configuration. */
const MONEY = {
  'payouts.approval_sats': 'payoutApprovalSats',
  'payouts.float_sats': 'payoutFloatSats',
  'bitcoin.confirmations': 'bitcoinConfirmations',
} as const satisfies Record<string, keyof MoneySettings>

export type MoneyKey = keyof typeof MONEY
/** Some of them with their values, as in a settings file; amounts in sats, null for no limit. */
type MoneyValues = Omit<z.output<z.ZodObject<ReturnType<typeof moneyShape>>>, typeof TWO_PERSON_KEY>

/** Above this to one address a payout wants two people; null for the approval limit, so for each that waits. */
export const TWO_PERSON_KEY = 'payouts.two_person_sats'

export const MONEY_KEYS = Object.keys(MONEY) as readonly MoneyKey[]

const SATS_MESSAGE = `set a whole number of satoshis from 1 to ${MAX_SATS}, or null for no limit`

/** An amount in sats: any that exists is exact as a number. */
const sats = z.int(SATS_MESSAGE).min(1, SATS_MESSAGE).max(Number(MAX_SATS), SATS_MESSAGE)

/** The checks of the variables that these settings replace. */
export function moneyShape(network: BitcoinNetwork, payments: PaymentsName) {
  const { least, most } = confirmationsOf(network, payments)
  const message = `set a whole number from ${least} to ${most}`
  return {
    'payouts.approval_sats': z.nullable(sats).optional(),
    'payouts.float_sats': z.nullable(sats).optional(),
    [TWO_PERSON_KEY]: z.nullable(sats).optional(),
    'bitcoin.confirmations': z.int(message).min(least, message).max(most, message).optional(),
  }
}

/** What is in force with these settings. @param started what the variables say */
export function moneyOf(values: MoneyValues, started: MoneySettings): MoneySettings {
  const { 'payouts.approval_sats': approval, 'payouts.float_sats': float } = values
  return {
    payoutApprovalSats: approval === undefined ? started.payoutApprovalSats : satsOf(approval),
    payoutFloatSats: float === undefined ? started.payoutFloatSats : satsOf(float),
    bitcoinConfirmations: values['bitcoin.confirmations'] ?? started.bitcoinConfirmations,
  }
}

/** What of the configuration these settings replace. */
export function replacedBy(values: MoneyValues): ReadonlySet<keyof MoneySettings> {
  return new Set(MONEY_KEYS.flatMap((key) => (values[key] === undefined ? [] : [MONEY[key]])))
}

/** The settings that say the same. */
export function moneyValuesOf(money: MoneySettings): Required<MoneyValues> {
  const { payoutApprovalSats: approval, payoutFloatSats: float, bitcoinConfirmations } = money
  return {
    'payouts.approval_sats': approval === null ? null : Number(approval), // below 2^53
    'payouts.float_sats': float === null ? null : Number(float),
    'bitcoin.confirmations': bitcoinConfirmations,
  }
}

function satsOf(value: number | null): bigint | null {
  return value === null ? null : BigInt(value)
}
