/**
 * Joins class names, without absent ones.
 *
 * @param names class names; `false`, `null` and `undefined` are left out, so the list may contain conditions
 * @returns the names with a space between, for `className`
 */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
