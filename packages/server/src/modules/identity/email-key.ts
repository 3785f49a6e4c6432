/**
 * The form in which email addresses are compared: the text with ASCII capitals folded, as in the database's unique key
 * (`lower(email collate "C")`). `toLowerCase` would also fold signs that only look alike, such as the Kelvin sign to a
 * k, and take another address for the same.
 */
export function emailKey(email: string): string {
  return email.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}

/** Whether two addresses are equal except for ASCII case; no address equals only no address. */
export function isSameEmail(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : emailKey(one) === emailKey(other)
}
