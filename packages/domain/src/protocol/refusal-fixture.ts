/** What a function does with what it is given: "accepted", or the error it throws, as a text. */
export function refusalOf(read: () => unknown): string {
  try {
    read()
    return 'accepted'
  } catch (error) {
    return String(error)
  }
}
