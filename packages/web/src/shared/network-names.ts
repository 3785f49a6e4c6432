import type { SocialNetwork } from '@fairball/contract/social-networks'

/** The social networks' own spelling of their names. */
export const NETWORK_NAMES = {
  facebook: 'Facebook',
  x: 'X',
  instagram: 'Instagram',
  telegram: 'Telegram',
  youtube: 'YouTube',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  discord: 'Discord',
  reddit: 'Reddit',
} as const satisfies Record<SocialNetwork, string>
