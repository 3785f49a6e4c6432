/**
 * What of an email address is compared: its text with the capitals of ASCII made small, as the database's unique key
 * does (`lower(email collate "C")`). `toLowerCase` would also fold signs that only look alike, the Kelvin sign to a k,
 * and take another address for the same.
 */
export function emailKey(email: string): string {
  return email.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}

/** Whether two addresses are the same but for ASCII case; no address is only the same as no address. */
export function isSameEmail(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : emailKey(one) === emailKey(other)
}
