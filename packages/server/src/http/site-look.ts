import type { ComingText, SiteLook, WebConfig } from '@fairball/contract/pages'
import type { Site } from '../modules/settings/service.ts'

/** The public part of what the operator says, for the script of a page too. */
export function configOf(
  site: Site,
  comingTexts: readonly ComingText[] = [],
): Pick<WebConfig, 'siteName' | 'logo' | 'comingTexts' | 'supportEmail' | 'content'> {
  const { name, logo, supportEmail } = site
  const { operator, social, feedbackFormUrl } = site.content
  const content = { operator, social, feedbackFormUrl }
  return {
    siteName: name,
    ...(logo === null ? {} : { logo }),
    ...(comingTexts.length === 0 ? {} : { comingTexts }),
    supportEmail,
    content,
  }
}

/** The part of a site's look that only the server writes into pages. */
export function lookOf({ colors, icon }: Pick<Site, 'colors' | 'icon'>): SiteLook {
  return { colors, icon }
}

/** The built manifest with the site's own name and look. @param built what the build has */
export function manifestOf(
  built: Readonly<Record<string, unknown>>,
  { name, colors, icon }: Pick<Site, 'name' | 'colors' | 'icon'>,
): Record<string, unknown> {
  return {
    ...built,
    name,
    short_name: name,
    ...(colors === null ? {} : { background_color: colors.paper, theme_color: colors.paper }),
    // A manifest has one icon for both themes.
    ...(icon === null ? {} : { icons: [{ src: icon.light, sizes: 'any', type: typeOf(icon.light) }] }),
  }
}

function typeOf(address: string): string {
  return address.endsWith('.webp') ? 'image/webp' : 'image/png'
}
