/** @returns whether mostly players see the page at this address: their own pages, one after paying, and a draw's proof */
export function isPlayersPage(address: string): boolean {
  return /\/settings|\/results|\/proof|transaction_id/.test(address)
}
