/** A charity that shares in the donation of a jackpot. */
export interface Partner {
  /** names its ledger account; never changes */
  readonly id: string
  readonly name: string
  readonly url: string
  readonly description: string
  /** where its share is paid to; null while it has none, and the share waits */
  readonly address: string | null
}

/** The demo's partners. Their words say that they are examples: nobody is to think that a real charity is paid. */
export const EXAMPLE_PARTNERS: readonly Partner[] = [
  {
    id: 'example-clean-water',
    name: 'Clean Water Fund (example)',
    url: 'https://example.org/clean-water',
    description:
      'An example of a good cause: wells and filters for villages without safe drinking water. No such charity is connected with this demo.',
    address: null,
  },
  {
    id: 'example-open-books',
    name: 'Open Books (example)',
    url: 'https://example.org/open-books',
    description:
      'An example of a good cause: free books for schools and libraries. No such charity is connected with this demo.',
    address: null,
  },
]
