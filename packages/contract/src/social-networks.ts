/** The networks for an operator's pages or channels; each has an icon. */
export const SOCIAL_NETWORKS = [
  'facebook',
  'x',
  'instagram',
  'telegram',
  'youtube',
  'mastodon',
  'bluesky',
  'linkedin',
  'tiktok',
  'discord',
  'reddit',
] as const

export type SocialNetwork = (typeof SOCIAL_NETWORKS)[number]
