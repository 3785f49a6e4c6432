import type { SiteLook } from '@fairball/contract/pages'
import type { Site } from '../modules/settings/service.ts'

/** The part of a site's look that the server writes into pages. */
export function lookOf({ colors }: Pick<Site, 'colors'>): SiteLook {
  return { colors }
}

/** The built manifest with the site's own name and look. @param built what the build has */
export function manifestOf(
  built: Readonly<Record<string, unknown>>,
  { name, colors }: Pick<Site, 'name' | 'colors'>,
): Record<string, unknown> {
  const own = colors === null ? {} : { background_color: colors.paper, theme_color: colors.paper }
  return { ...built, name, short_name: name, ...own }
}
