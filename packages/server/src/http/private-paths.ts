/**
 * Addresses for one person: pages of a player, and those with a key in their address. Search engines must not visit
 * them, and their HTML is not cached. Each is the beginning of a path; `*` stands for anything, as in robots.txt (RFC
 * 9309).
 */
export const PRIVATE_PATHS = [
  '/settings',
  '/checkout/',
  '/game/*/results',
  '/login-secure/',
  '/forgotten-password',
  '/reset-password/',
  '/verify-email/',
  '/stop-address-change/',
  '/social-login/',
  '/links',
] as const

const PATTERNS = PRIVATE_PATHS.map(
  (path) => new RegExp(`^${path.replaceAll('/', String.raw`\/`).replaceAll('*', '[^/]*')}`, 'iu'),
)

/**
 * @returns whether an address, with or without a query, is one of them in any spelling that the pages' router accepts;
 *   one with escapes, which nothing here writes, counts as one
 */
export function isPrivatePath(url: string): boolean {
  const path = (url.split('?')[0] ?? '').replaceAll(/\/{2,}/gu, '/')
  return path.includes('%') || PATTERNS.some((pattern) => pattern.test(path))
}
