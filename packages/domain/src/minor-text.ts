import { CURRENCIES, formatMoney } from './fiat.ts'

/**
 * Hundredths of a currency as pages write them: `£1.50`; with the code if the product does not know the currency.
 *
 * @param options as for `formatMoney`
 */
export function minorText(minor: number, code: string, options: { stripZeros?: boolean } = {}): string {
  const currency = CURRENCIES.find((one) => one.code === code)
  if (currency === undefined) return `${(minor / 100).toFixed(2)} ${code}`
  const { symbol, position } = currency
  return formatMoney({ value: minor / 100, symbol, position_of_symbol: position }, options)
}
