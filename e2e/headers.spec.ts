import { expect, test } from '@playwright/test'
import { register } from './player.ts'
import { paths } from '../packages/web/src/shared/paths.ts'

/** A page of each kind: a new kind does not compile until it has a line below. */
const PAGES: Record<keyof typeof paths, string> = {
  home: paths.home(),
  links: paths.links(),
  outbox: paths.outbox(),
  pageNotFound: paths.pageNotFound(),
  verifyEmail: paths.verifyEmail('a-key'),
  login: paths.login('/game/treasure'),
  loginSecure: paths.loginSecure('a-key'),
  openAccount: paths.openAccount(),
  forgottenPassword: paths.forgottenPassword(),
  resetPassword: paths.resetPassword('a-key'),
  socialLogin: paths.socialLogin('google'),
  stopAddressChange: paths.stopAddressChange('a-key'),
  helpAndContactUs: paths.helpAndContactUs(),
  howToClaim: paths.howToClaim(),
  whereTheMoneyGoes: paths.whereTheMoneyGoes(),
  aboutUs: paths.aboutUs(),
  terms: paths.terms(),
  privacyPolicy: paths.privacyPolicy(),
  cookies: paths.cookies(),
  feedback: paths.feedback(),
  winnersAndGoodCauses: paths.winnersAndGoodCauses(),
  fairness: paths.fairness(),
  game: paths.game('bitcoin-hero'),
  luckyDips: paths.luckyDips('bitcoin-hero', 3),
  watch: paths.watch('bitcoin-hero'),
  draws: paths.draws('bitcoin-hero', 2),
  draw: paths.draw('bitcoin-hero', 1),
  proof: paths.proof('bitcoin-hero', 1),
  statistics: paths.statistics('bitcoin-hero'),
  results: paths.results('bitcoin-hero', 2, 'a-play'),
  checkout: paths.checkout('an-order'),
  tickets: paths.tickets(),
  myGames: paths.myGames(),
  messages: paths.messages(),
  personalDetails: paths.personalDetails(),
  security: paths.security(),
  passwordChange: paths.passwordChange(),
  responsiblePlay: paths.responsiblePlay(),
  personalData: paths.personalData(),
  emailPreferences: paths.emailPreferences(),
  balance: paths.balance(),
  transactions: paths.transactions(),
  cryptoAccount: paths.cryptoAccount(),
}

/** Addresses without a page, in spellings that have fooled servers. */
const ODD = [
  '/nowhere',
  '/a/b/c/d',
  '//evil.example/',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/%73ettings/general/my-games',
  '/<script>',
]

/** Files, including those for robots and link previews. */
const FILES = ['/robots.txt', '/sitemap.xml', '/share/fairball.png', '/favicon.svg', '/assets/nothing.js']

/** Pages for one person, or with a key in the address: never cached (private-paths.ts). */
const PRIVATE: readonly (keyof typeof paths)[] = [
  ...(['links', 'outbox', 'verifyEmail', 'loginSecure', 'forgottenPassword', 'resetPassword'] as const),
  ...(['socialLogin', 'stopAddressChange', 'results', 'checkout', 'myGames', 'messages', 'personalDetails'] as const),
  ...(['security', 'passwordChange', 'responsiblePlay', 'personalData', 'emailPreferences', 'transactions'] as const),
  ...(['cryptoAccount', 'tickets', 'balance'] as const),
]

/** Headers of OWASP ASVS 3.4 on every answer. */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

const POLICY = [
  "default-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
]

/** What browsers and a player's requests bring along, none of which may change a public page. */
const VISITORS = [
  {},
  {
    'accept-language': 'de',
    'user-agent': 'A',
    cookie: 'fairball_device=one; session=one',
    'x-forwarded-host': 'evil.example',
  },
  { 'accept-language': 'ja', 'user-agent': 'B', cookie: 'fairball_device=two', forwarded: 'host=evil.example' },
]

test('every page has the security headers and a policy with the hashes of its own scripts, and a private page is never cached', async ({
  request,
  baseURL,
}) => {
  const pages = [...Object.entries(PAGES), ...ODD.map((address) => ['odd', address] as const)]
  for (const [name, address] of pages) {
    const answer = await request.get(`${baseURL}${address}`, { maxRedirects: 0 })
    const headers = answer.headers()
    expect(answer.status(), address).toBeLessThan(500)
    expect(headers, address).toMatchObject(EVERYWHERE)
    for (const tellTale of ['set-cookie', 'server', 'x-powered-by', 'access-control-allow-origin'])
      expect(headers[tellTale], `${tellTale} of ${address}`).toBeUndefined()
    if (PRIVATE.includes(name as keyof typeof paths)) expect(headers['cache-control'], address).toBe('no-store')
    else
      expect(headers['cache-control'] ?? 'no-store', address).toMatch(
        /^(no-store|public, max-age=0, s-maxage=5, stale.*)$/,
      )
    if (answer.status() >= 300 && answer.status() < 400) {
      expect(headers['location'], address).toMatch(/^\/(?![/\\])/)
      continue
    }
    const policy = headers['content-security-policy'] ?? ''
    expect(policy.split('; '), address).toEqual(expect.arrayContaining(POLICY))
    const [, scripts = ''] = /script-src ([^;]*)/.exec(policy) ?? []
    expect(scripts, address).toMatch(/^'self'( 'sha256-[\w+/]{43}=')+$/)
    expect(await answer.text(), address).not.toContain('nonce')
  }
})

test('a public page is the same bytes for a stranger and for two players who are signed in', async ({
  request,
  baseURL,
}) => {
  const players: { readonly authorization: string }[] = []
  for (let nr = 1; nr <= 2; nr += 1)
    players.push({ authorization: `Bearer ${(await register({ request })).accessToken}` })
  for (const [name, address] of Object.entries(PAGES)) {
    if (PRIVATE.includes(name as keyof typeof paths) || address.includes('?') || name === 'pageNotFound') continue
    const seen = new Set<string>()
    // The page of a moment answers all three; should the moment end between two of them, the next one does.
    await expect(async () => {
      seen.clear()
      for (const [nr, headers] of VISITORS.entries()) {
        const answer = await request.get(`${baseURL}${address}`, { headers: { ...headers, ...players[nr - 1] } })
        const { etag = '', 'content-security-policy': policy = '' } = answer.headers()
        seen.add(`${answer.status()} ${etag} ${policy} ${await answer.text()}`)
      }
      expect(seen.size, address).toBe(1)
    }).toPass({ timeout: 10_000 })
    expect([...seen][0], address).not.toContain('evil.example')
    expect([...seen][0], address).toMatch(/^(200 "|404 )/u)
  }
})

test('every file has the security headers too, and its own content type', async ({ request }) => {
  for (const address of FILES) {
    const answer = await request.get(address)
    expect(answer.status(), address).toBeLessThan(500)
    expect(answer.headers(), address).toMatchObject(EVERYWHERE)
    expect(answer.headers()['content-type'], address).toMatch(
      /^(text\/plain|application\/xml|image\/png|image\/svg\+xml)/,
    )
  }
})
