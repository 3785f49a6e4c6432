import { parsePage } from '@fairball/domain/pagination'
import { returnPath } from '../../shared/paths.ts'
import type { PageAddress } from './page.tsx'

// A screen's props, from its address. The routes have checked it, so the fallbacks here are never seen.

export function gameKeyOf({ params: { gameKey = '' } }: PageAddress): { gameKey: string } {
  return { gameKey }
}

/** The page of a list, from 1. */
export function pageOf({ params: { page } }: PageAddress): { page: number } {
  return { page: parsePage(page) ?? 1 }
}

/** A game and the page of a list of it. */
export function gamePageOf(address: PageAddress): { gameKey: string; page: number } {
  return { ...gameKeyOf(address), ...pageOf(address) }
}

/** A game and one of its draws. */
export function gameDrawOf(address: PageAddress): { gameKey: string; number: number } {
  return { ...gameKeyOf(address), number: Number(address.params['number']) }
}

/** The results of a game: the page of the plays, that of the wins, and the play to open. */
export function gameResultsOf(address: PageAddress): {
  gameKey: string
  page: number
  winsPage: number
  playId: string | null
} {
  const { params, search } = address
  return { ...gamePageOf(address), winsPage: parsePage(search['wins']) ?? 1, playId: params['playId'] ?? null }
}

/** A game to play: how many lucky dips to start with, and the order to return to. */
export function gamePlayOf(address: PageAddress): { gameKey: string; luckyDips: number; transactionId: string | null } {
  const { count = '0' } = address.params
  return {
    ...gameKeyOf(address),
    luckyDips: Number(count),
    transactionId: address.search['transaction_id'] ?? null,
  }
}

/** The order a checkout is for. */
export function orderIdOf({ params: { order = '' } }: PageAddress): { orderId: string } {
  return { orderId: order }
}

/** The version of a legal text. */
export function versionOf({ search: { version } }: PageAddress): { version: string | undefined } {
  return { version }
}

/** The key from a mail. */
export function mailKeyOf({ params: { key = '' } }: PageAddress): { resetKey: string } {
  return { resetKey: key }
}

/** The target of the login: a path on this site. */
export function returnPathOf({ search }: PageAddress): { path: string } {
  return { path: returnPath(search['path']) ?? '/' }
}

/** The second step of a login, and its target; null if the address has none. */
export function loginKeyOf({ params: { key = '' }, search }: PageAddress): { loginKey: string; path: string | null } {
  return { loginKey: key, path: returnPath(search['path']) }
}

/** The social network that an answer comes from. */
export function providerOf({ params: { provider = '' } }: PageAddress): { provider: string } {
  return { provider }
}
