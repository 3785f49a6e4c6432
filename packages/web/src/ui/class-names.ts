/**
 * Joins class names, leaving out what is absent.
 *
 * @param names class names; `false`, `null` and `undefined` are left out, so conditions can stand in the list
 * @returns the names with a space between, for `className`
 */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
