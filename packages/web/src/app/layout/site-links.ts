import type { PublicContent } from '@fairball/contract/pages'
import { paths } from '../../shared/paths.ts'

/** A link of the menus. */
interface SiteLink {
  href: string
  name: string
  /** `_self` loads the page as a new document, which a link inside the app does not. */
  target?: '_self'
}

/** The pages that are not games, in the groups of the menu of narrow screens (specification, section 2). */
export function siteLinks(content: PublicContent): { name: string; links: SiteLink[] }[] {
  return [
    {
      name: 'Games',
      links: [
        { href: paths.howToClaim(), name: 'How to claim' },
        { href: paths.whereTheMoneyGoes(), name: 'Where the money goes' },
      ],
    },
    {
      name: 'Additional',
      links: [
        { href: paths.aboutUs(), name: 'About Us' },
        { href: paths.fairness(), name: 'Fairness (white paper)' },
        { href: paths.helpAndContactUs(), name: 'Help & Contact Us' },
        feedbackLink(content),
      ],
    },
    {
      name: 'Legal',
      links: [
        { href: paths.terms(), name: 'Terms & Rules' },
        { href: paths.privacyPolicy(), name: 'Privacy Policy' },
      ],
    },
  ]
}

/** The page for feedback. A third party's form is only allowed in a page that was loaded for it (config.ts). */
export function feedbackLink({ feedbackFormUrl }: PublicContent): SiteLink {
  const link = { href: paths.feedback(), name: 'Give Feedback' }
  return feedbackFormUrl === null ? link : { ...link, target: '_self' }
}
