/** Prefix of the keys of a tab's storage that belong to a player: an unfinished order. Visitors have none. */
export const ORDER_KEY = 'order'

/** The key of the local storage under which a visitor's lines are kept. */
export const VISITOR_ORDER_KEY = 'fairball.visitor-order'
/** The key of a tab's storage under which its player's lines from before the login wait for their game's page. */
export const CLAIMED_KEY = `${ORDER_KEY}:visitor`

/** Gives a visitor's lines to the player who signs in: this tab keeps them from now on, and nobody after sees them. */
export function claimVisitorOrder(browser: PlainStorage, tab: PlainStorage, player: string): void {
  try {
    const kept = browser.getItem(VISITOR_ORDER_KEY)
    if (kept === null) return
    browser.removeItem(VISITOR_ORDER_KEY)
    tab.setItem(CLAIMED_KEY, JSON.stringify({ player, kept }))
  } catch {
    // A forbidden or full storage: the lines are lost, not the login.
  }
}

/** A storage of the browser or of a tab. */
type PlainStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Key in the local storage of what the home page remembers of a player's draws. */
export const SEEN_KEY = 'fairball.seen-draws'

/** Removes a player's data from a tab's storage and from the browser's, so the next person at this device sees none of it. */
export function forgetPlayer(tab: Pick<Storage, 'removeItem'>, browser: Pick<Storage, 'removeItem'>): void {
  for (const key of Object.keys(tab)) if (key.startsWith(`${ORDER_KEY}:`)) tab.removeItem(key)
  browser.removeItem(SEEN_KEY)
}
