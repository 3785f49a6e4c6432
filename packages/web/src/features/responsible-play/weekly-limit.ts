import { CURRENCIES, formatMoney } from '@fairball/domain/fiat'
import { formRules } from '@fairball/ui/form-rules.ts'
import { PLAY_LIMIT_TEXTS } from './messages.ts'

/** The weekly limit as it is edited. */
export interface WeeklyLimitValues {
  isLimited: boolean
  /** As typed: "50", "49.90". */
  amount: string
}

/** Whole units and at most two decimals, below the billion that the API takes at most. */
const AMOUNT = /^\d{1,9}(?:[.,]\d{1,2})?$/u

/** @returns the typed amount, in units of the currency; null if it is not an amount */
export function parseAmount(text: string): number | null {
  const amount = text.trim()
  return AMOUNT.test(amount) ? Number(amount.replace(',', '.')) : null
}

/** @returns a limit as written in the form; null for none */
export function limitValues(limit: number | null): WeeklyLimitValues {
  if (limit === null) return { isLimited: false, amount: '' }
  return { isLimited: true, amount: Number.isInteger(limit) ? String(limit) : limit.toFixed(2) }
}

/** @returns the limit as sent, null for none */
export function limitOf({ isLimited, amount }: WeeklyLimitValues): number | null {
  return isLimited ? parseAmount(amount) : null
}

/** An amount is needed only for a limit. */
export const WEEKLY_LIMIT_RULES = formRules<WeeklyLimitValues>(
  { isLimited: PLAY_LIMIT_TEXTS.limitToggle, amount: PLAY_LIMIT_TEXTS.limitTitle },
  ({ isLimited, amount }) => ({
    amount: isLimited && parseAmount(amount) === null ? PLAY_LIMIT_TEXTS.limitInvalid : null,
  }),
)

/** @returns a limit in words: "£50.00 a week", "No limit" */
export function limitText(limit: number | null, currencyCode: string): string {
  const currency = CURRENCIES.find(({ code }) => code === currencyCode)
  if (limit === null || currency === undefined) return PLAY_LIMIT_TEXTS.noLimit
  const { symbol, position } = currency
  return PLAY_LIMIT_TEXTS.limitValue(formatMoney({ value: limit, symbol, position_of_symbol: position }))
}
