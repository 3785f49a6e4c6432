import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useId, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { type Api, useApi } from '../shared/api.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { PrinterIcon } from '@fairball/ui/icons.tsx'
import { playReceiptQuery } from './play-receipt.ts'
import type { PlayReceipt } from './receipt-of-play.ts'
import { type PrintedPlay, TicketSlip } from './ticket-slip.tsx'
import { TICKET_TEXTS } from './ticket-texts.ts'

/** Receipts fetched at the same time. */
const AT_ONCE = 4
/** The tickets of one button at a time are on paper: those of the button that was pressed last. */
const listeners = new Set<() => void>()
let onPaper: string | null = null

/** A button that prints tickets, one sheet for each draw. They stay the page's print view until others are printed. */
export default function PrintTickets({
  plays,
  size = 'normal',
}: {
  plays: readonly PrintedPlay[]
  size?: 'small' | 'normal'
}) {
  const id = useId()
  const api = useApi()
  const queryClient = useQueryClient()
  const isOnPaper = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => onPaper === id,
    () => false,
  )
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const [receipts, setReceipts] = useState<readonly PlayReceipt[]>([])

  const printAll = async () => {
    setState('busy')
    try {
      const fetched = await receiptsOf(api, queryClient, plays)
      // The browser prints the page as it is at that moment.
      flushSync(() => {
        setReceipts(fetched)
        setState('idle')
        showOnPaper(id)
      })
      print()
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <Button
        variant="soft"
        size={size}
        icon={<PrinterIcon size={20} />}
        busy={state === 'busy'}
        onClick={() => void printAll()}
      >
        {TICKET_TEXTS.print}
      </Button>
      {state === 'failed' && <Banner kind="danger">{TICKET_TEXTS.printFailed}</Banner>}
      {isOnPaper && (
        <div>
          {plays.map((play, place) => (
            <TicketSlip key={play.playId} play={play} receipt={receipts[place]} />
          ))}
        </div>
      )}
    </>
  )
}

function showOnPaper(id: string): void {
  onPaper = id
  for (const listener of listeners) listener()
}

async function receiptsOf(
  api: Api,
  queryClient: QueryClient,
  plays: readonly PrintedPlay[],
): Promise<readonly PlayReceipt[]> {
  const receipts: PlayReceipt[] = []
  for (let from = 0; from < plays.length; from += AT_ONCE) {
    const some = plays.slice(from, from + AT_ONCE).map(({ playId, draw, gameKey }) => {
      const wanted = { id: playId, draw: draw === null ? null : { number: draw }, game: gameKey, nextDraw: draw ?? 1 }
      return queryClient.fetchQuery(playReceiptQuery(api, wanted))
    })
    receipts.push(...(await Promise.all(some)))
  }
  return receipts
}
