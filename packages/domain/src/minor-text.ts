import { CURRENCIES, formatMoney } from './fiat.ts'

/** Hundredths of a currency as pages write them: `£1.50`; with the code if the product does not know the currency. */
export function minorText(minor: number, code: string): string {
  const currency = CURRENCIES.find((one) => one.code === code)
  if (currency === undefined) return `${(minor / 100).toFixed(2)} ${code}`
  return formatMoney({ value: minor / 100, symbol: currency.symbol, position_of_symbol: currency.position })
}
