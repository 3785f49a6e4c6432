import { satsOfTyped } from '../money.ts'

/** Something has to be entered. */
export const needed = (sentence: string) => (value: string) => (value.trim() === '' ? sentence : null)

/** A positive amount of bitcoin, as a figure. */
export const amountProblem = (value: string): string | null =>
  satsOfTyped(value) === null ? 'Enter an amount in BTC, such as 0.00050000.' : null

/** The end of a day that a date field has, in epoch seconds UTC; null for none. */
export function endOfDay(value: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(`${value}T23:59:59Z`) : Number.NaN
  return Number.isNaN(at) ? null : at / 1000
}

/** A day has to be chosen. */
export const dayProblem = (value: string): string | null => (endOfDay(value) === null ? 'Choose a day.' : null)
