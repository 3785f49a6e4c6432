import type { AsyncRouteComponent } from '@tanstack/react-router'

/**
 * A part that only players see. The document is marked for a returning player: the part loads while the session is
 * checked.
 *
 * @param part made by `lazyRouteComponent`, which renders at once what has loaded; React's own `lazy` would first show the
 *   fallback, and keep it for 300 ms
 */
export function forPlayers<Props>(part: AsyncRouteComponent<Props>): AsyncRouteComponent<Props> {
  if (globalThis.document?.documentElement.dataset['session'] === 'player') void part.preload?.()
  return part
}
