import type { SocialNetwork } from '@fairball/contract/social-networks'

/** What only the operator knows: who runs the lottery, its good causes, its other pages. */
export interface OperatorContent {
  /** null if the operator has not said */
  readonly operator: Operator | null
  readonly social: readonly SocialLink[]
  readonly causes: readonly Cause[]
  readonly partners: readonly Partner[]
  /** an https address of a third party's form, shown in a frame on the feedback page; null for our own form */
  readonly feedbackFormUrl: string | null
  /** the causes' pictures, by the name they are served under */
  readonly images: ReadonlyMap<string, ContentImage>
}

/** The company that runs the lottery. */
export interface Operator {
  readonly name: string
  /** one line about the licence */
  readonly licence: string
  /** the office, line by line */
  readonly address: readonly string[]
  readonly email: string
  readonly phone: string | null
  /** where the source code of this copy of the program is */
  readonly source: string | null
}

/** A page or channel of the operator's elsewhere. */
interface SocialLink {
  readonly network: SocialNetwork
  readonly url: string
}

/** A good cause as the pages show it. */
export interface Cause {
  readonly id: string
  readonly title: string
  readonly description: string
  /** the address its picture is served at, from the site's root */
  readonly image: string | null
  readonly link: string
}

/** A charity that shares in the donation of a jackpot. */
interface Partner {
  /** names its ledger account; never changes */
  readonly id: string
  readonly name: string
  readonly url: string
  /** where its share is paid to; null while it has none, and the share waits */
  readonly address: string | null
}

/** A picture beside the content file. */
export interface ContentImage {
  readonly bytes: Uint8Array
  readonly type: ContentImageType
}

export type ContentImageType = 'image/jpeg' | 'image/png' | 'image/webp'

/** The content of an operator who has said nothing: nothing is invented. */
export const NO_CONTENT: OperatorContent = {
  operator: null,
  social: [],
  causes: [],
  partners: [],
  feedbackFormUrl: null,
  images: new Map(),
}

/**
 * The demo's content. Its words say that they are examples: no one is to think that such a company exists, or that a
 * real charity is paid.
 */
export const EXAMPLE_CONTENT: OperatorContent = {
  ...NO_CONTENT,
  operator: {
    name: 'Lottery Company (example)',
    licence: '“Lottery Company (example)” is a placeholder; the demo needs no licence.',
    address: ['1 Example Street', 'Example Town'],
    email: 'support@fairball.example',
    phone: null,
    source: null,
  },
  social: [
    { network: 'x', url: 'https://example.org/x' },
    { network: 'telegram', url: 'https://example.org/telegram' },
    { network: 'youtube', url: 'https://example.org/youtube' },
  ],
  causes: [
    {
      id: 'example-clean-water',
      title: 'Clean Water Fund (example)',
      description:
        'An example of a good cause: wells and filters for villages without safe drinking water. No such charity is connected with this demo.',
      image: null,
      link: 'https://example.org/clean-water',
    },
    {
      id: 'example-open-books',
      title: 'Open Books (example)',
      description:
        'An example of a good cause: free books for schools and libraries. No such charity is connected with this demo.',
      image: null,
      link: 'https://example.org/open-books',
    },
  ],
  partners: [
    {
      id: 'example-clean-water',
      name: 'Clean Water Fund (example)',
      url: 'https://example.org/clean-water',
      address: null,
    },
    { id: 'example-open-books', name: 'Open Books (example)', url: 'https://example.org/open-books', address: null },
  ],
}
