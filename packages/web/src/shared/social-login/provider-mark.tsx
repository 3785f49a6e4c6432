import type { SocialProvider } from './social-answer.ts'

/** The letter of a social network, in the colour of the words beside it. */
export function ProviderMark({ provider }: { provider: SocialProvider }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="3.2"
      aria-hidden="true"
      focusable="false"
    >
      <path d={LETTERS[provider]} />
    </svg>
  )
}

const LETTERS = {
  google: 'M19.4 7.2A8.8 8.8 0 1 0 20.8 12H12.4',
  facebook: 'M17.5 3.6h-1.6c-2.4 0-3.7 1.4-3.7 3.9V22M7.6 12.2h9.2',
  twitter: 'M4.5 4 19.5 20M19 4 5 20',
} as const satisfies Record<SocialProvider, string>
