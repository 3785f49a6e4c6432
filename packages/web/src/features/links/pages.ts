import { paths } from '../../shared/paths.ts'

/** A page of the index: its address, or none if it needs a key from a mail. */
export interface PageLink {
  name: string
  href: string | null
}

/** The pages of this version by audience (specification, section 2); those of games for one game. */
interface PageGroups {
  anyone: PageLink[]
  loggedOut: PageLink[]
  loggedIn: PageLink[]
  server: PageLink[]
}

/**
 * @param gameKey the game that pages of games are shown for
 * @param lastDraw the number of its last draw; below 1 before the first draw, whose page is then shown
 */
export function pageGroups(gameKey: string, lastDraw: number): PageGroups {
  return {
    anyone: [
      { name: 'Home', href: paths.home() },
      { name: 'Links', href: paths.links() },
      { name: 'Outbox (demo)', href: paths.outbox() },
      { name: 'Game', href: paths.game(gameKey) },
      { name: 'Game with three lucky dips', href: paths.luckyDips(gameKey, 3) },
      { name: 'Watch', href: paths.watch(gameKey) },
      { name: 'Draw history', href: paths.draws(gameKey) },
      { name: 'Draw history, page 2', href: paths.draws(gameKey, 2) },
      { name: 'Statistics', href: paths.statistics(gameKey) },
      { name: 'Last draw', href: paths.draw(gameKey, Math.max(1, lastDraw)) },
      { name: 'Proof of the last draw', href: paths.proof(gameKey, Math.max(1, lastDraw)) },
      { name: 'Fairness', href: paths.fairness() },
      { name: 'How to claim', href: paths.howToClaim() },
      { name: 'Where the money goes', href: paths.whereTheMoneyGoes() },
      { name: 'Winners & good causes', href: paths.winnersAndGoodCauses() },
      { name: 'About us', href: paths.aboutUs() },
      { name: 'Help & contact us', href: paths.helpAndContactUs() },
      { name: 'Feedback', href: paths.feedback() },
      { name: 'Terms & rules', href: paths.terms() },
      { name: 'Privacy policy', href: paths.privacyPolicy() },
      { name: 'Cookies', href: paths.cookies() },
      { name: 'Page not found', href: paths.pageNotFound() },
      { name: 'Verify email', href: null },
    ],
    loggedOut: [
      { name: 'Log in', href: paths.login() },
      { name: 'Open an account', href: paths.openAccount() },
      { name: 'Forgotten password', href: paths.forgottenPassword() },
      { name: 'Reset password', href: null },
      { name: 'Log in, second step', href: null },
    ],
    loggedIn: [
      { name: 'Results', href: paths.results(gameKey) },
      { name: 'My tickets', href: paths.tickets() },
      { name: 'My games', href: paths.myGames() },
      { name: 'Messages', href: paths.messages() },
      { name: 'Personal details', href: paths.personalDetails() },
      { name: 'Security', href: paths.security() },
      { name: 'Password change', href: paths.passwordChange() },
      { name: 'Email preferences', href: paths.emailPreferences() },
      { name: 'Responsible play', href: paths.responsiblePlay() },
      { name: 'Personal data', href: paths.personalData() },
      { name: 'Balance', href: paths.balance() },
      { name: 'Transaction history', href: paths.transactions() },
      { name: 'Crypto account details', href: paths.cryptoAccount() },
    ],
    server: [
      { name: 'Documentation', href: '/docs' },
      { name: 'API reference', href: '/api/docs' },
      { name: 'OpenAPI document', href: '/api/v1/openapi.json' },
    ],
  }
}
