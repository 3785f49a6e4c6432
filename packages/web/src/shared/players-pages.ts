/** @returns whether only players see the page at this address, or a player who comes back from paying */
export function isPlayersPage(address: string): boolean {
  return /\/settings|\/results|transaction_id/.test(address)
}
