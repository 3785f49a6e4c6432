import { SealWatcher } from '../../proof/seal-watcher.tsx'
import { Reminder } from '../../features/responsible-play/reminder.tsx'

/** What every page has for a player and does not show at first: the reminder they have chosen, and the watch over the seals of their draws. */
export function Companions({ player }: { player: string }) {
  return (
    <>
      <Reminder player={player} />
      <SealWatcher player={player} />
    </>
  )
}
