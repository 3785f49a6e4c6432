/** Begins the keys of a tab's storage that belong to a player: an order in the making. Visitors make none. */
export const ORDER_KEY = 'order'

/** Removes what a tab keeps for its player. So the next person at this device sees none of it. */
export function forgetPlayer(storage: Pick<Storage, 'removeItem'>): void {
  for (const key of Object.keys(storage)) if (key.startsWith(`${ORDER_KEY}:`)) storage.removeItem(key)
}
