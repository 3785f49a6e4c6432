/** The screens that few visits need, each loaded when it is first opened. */
export const linksScreen = () => import('../../features/links/links-screen.tsx')
export const outboxScreen = () => import('../../features/links/outbox-screen.tsx')
export const designScreen = () => import('../../features/design/design-screen.tsx')
export const checkoutScreen = () => import('../../features/checkout/checkout-screen.tsx')
export const proofScreen = () => import('../../features/fairness/proof-screen.tsx')

/** The pages to read, by their address. Each gives its screen under the same name, so that a route needs no other word for it. */
export const readingScreens = {
  '/about-us': async () => {
    const { AboutScreen: Screen } = await import('../../features/about/about-screen.tsx')
    return { Screen }
  },
  '/cookies': async () => {
    const { CookiesScreen: Screen } = await import('../../features/cookies/cookies-screen.tsx')
    return { Screen }
  },
  '/fairness': async () => {
    const { FairnessScreen: Screen } = await import('../../features/fairness/fairness-screen.tsx')
    return { Screen }
  },
  '/feedback': async () => {
    const { FeedbackScreen: Screen, load } = await import('../../features/feedback/feedback-screen.tsx')
    return { Screen, load }
  },
  '/help-and-contact-us': async () => {
    const { ContactScreen: Screen, load } = await import('../../features/contact/contact-screen.tsx')
    return { Screen, load }
  },
  '/how-to-claim': async () => {
    const { HowToClaimScreen: Screen } = await import('../../features/how-to-claim/how-to-claim-screen.tsx')
    return { Screen }
  },
  '/privacy-policy': async () => {
    const { PrivacyScreen: Screen } = await import('../../features/privacy/privacy-screen.tsx')
    return { Screen }
  },
  '/terms': async () => {
    const { TermsScreen: Screen, load } = await import('../../features/terms/terms-screen.tsx')
    return { Screen, load }
  },
  '/where-the-money-goes': async () => {
    const { MoneyScreen: Screen, load } = await import('../../features/money/money-screen.tsx')
    return { Screen, load }
  },
  '/winners-and-good-causes': async () => {
    const { WinnersScreen: Screen, load } = await import('../../features/winners/winners-screen.tsx')
    return { Screen, load }
  },
} as const
