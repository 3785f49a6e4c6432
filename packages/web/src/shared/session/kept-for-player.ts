/** Prefix of the keys of a tab's storage that belong to a player: an unfinished order. Visitors have none. */
export const ORDER_KEY = 'order'

/** Removes a tab's data of its player, so the next person at this device sees none of it. */
export function forgetPlayer(storage: Pick<Storage, 'removeItem'>): void {
  for (const key of Object.keys(storage)) if (key.startsWith(`${ORDER_KEY}:`)) storage.removeItem(key)
}
