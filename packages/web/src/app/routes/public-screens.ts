/** The screens that few visits need, each loaded when it is first opened. */
export const linksScreen = () => import('../../features/links/links-screen.tsx')
export const outboxScreen = () => import('../../features/links/outbox-screen.tsx')
export const checkoutScreen = () => import('../../features/checkout/checkout-screen.tsx')
export const contactScreen = () => import('../../features/contact/contact-screen.tsx')
export const howToClaimScreen = () => import('../../features/how-to-claim/how-to-claim-screen.tsx')
export const fairnessScreen = () => import('../../features/fairness/fairness-screen.tsx')
export const proofScreen = () => import('../../features/fairness/proof-screen.tsx')
